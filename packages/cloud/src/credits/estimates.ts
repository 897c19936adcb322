// What calls would cost, without making them.
import { AppError, CLOUD_CRAWL_PAGES } from '@weft/contract';
import type { AccountTable, EstimateCall, ReplyOf } from '@weft/contract';
import type { Functions } from '../published/function.ts';
import { leastPriceOf } from '../published/run.ts';
import type { CreditReports } from './credits.ts';
import { MAP_PRICE, PAGE_PRICE } from './prices.ts';

type Estimate = ReplyOf<AccountTable['credits']['estimate']>['body'];
type Bounds = Pick<Estimate, 'least' | 'most'>;
type InputOf<Name extends EstimateCall['operation']> = Extract<EstimateCall, { readonly operation: Name }>['input'];

export interface Estimates {
  /** Throws AppError `not_found` for a function that there is not. */
  estimate(accountId: string, call: EstimateCall): Promise<Estimate>;
}

export function createEstimates({ balance }: Pick<CreditReports, 'balance'>, functions: Pick<Functions, 'find'>): Estimates {
  const bounds: { readonly [Name in EstimateCall['operation']]: (input: InputOf<Name>, accountId: string) => Bounds | Promise<Bounds> } = {
    'scrape.page': ({ lane }) => ofLane(lane),
    'crawls.start': ({ lane, limit = CLOUD_CRAWL_PAGES, max_credits: max = Infinity }) => {
      const { least, most } = ofLane(lane);
      return { least, most: Math.min(limit * most, max) };
    },
    async 'published.call'(place, accountId) {
      const callee = await functions.find(accountId, place);
      if (!callee) throw new AppError('not_found', `There is no function "${place.slug}/${place.path}".`);
      return { least: leastPriceOf(callee), most: callee.definition.lane === 'http' ? PAGE_PRICE.http : PAGE_PRICE.browser };
    },
    'mcp.map': () => ({ least: MAP_PRICE, most: MAP_PRICE }),
  };
  return {
    async estimate(accountId, { operation, input }) {
      // The contract pairs each operation with its own input.
      const { least, most } = await (bounds[operation] as (of: typeof input, by: string) => Bounds | Promise<Bounds>)(input, accountId);
      const { available } = await balance(accountId);
      return { operation, least, most, available, is_covered: available >= most };
    },
  };
}

function ofLane(lane: 'auto' | 'http' | 'browser' = 'auto'): Bounds {
  return {
    least: lane === 'browser' ? PAGE_PRICE.browser : PAGE_PRICE.http,
    most: lane === 'http' ? PAGE_PRICE.http : PAGE_PRICE.browser,
  };
}
