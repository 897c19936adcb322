// Lets a browser be used for a page of a crawl while its credits reach for that.
import type { Fetcher } from '@weft/engine';
import { PAGE_PRICE } from '../credits/prices.ts';
import type { Database } from '../db/queries.ts';
import type { CrawlRow } from './crawl-row.ts';
import type { Claim } from './jobs.ts';

const RENDER_PRICE = PAGE_PRICE.browser - PAGE_PRICE.http;

interface PayingPorts {
  readonly database: Database;
  readonly fetcher: Pick<Fetcher, 'fetch'>;
}

/** A fetcher that asks before it starts a browser: with `auto` there is one while the budget has more than a credit for each page that may still come. */
export function payingFetcher({ crawl, whole }: Claim, ports: PayingPorts): Pick<Fetcher, 'fetch'> {
  const { lane = 'auto' } = crawl.options;
  if (lane !== 'auto') return ports.fetcher;
  return whole ? sharedBudget(whole, ports) : ownBudget(crawl, ports);
}

function ownBudget(crawl: CrawlRow, { database, fetcher }: PayingPorts): Pick<Fetcher, 'fetch'> {
  const pagesLeft = crawl.pages_max - crawl.fetched - crawl.reused;
  let left = crawl.budget - crawl.charged - pagesLeft * PAGE_PRICE.http;
  const tell = limitTold(crawl, database);
  const beforeBrowser = async () => {
    if (left < RENDER_PRICE) return await tell();
    left -= RENDER_PRICE;
    return true;
  };
  return { fetch: (request, signal) => fetcher.fetch({ ...request, beforeBrowser }, signal) };
}

/** What the parts of a crawl have together is taken page by page, and given back where the browser brought none. */
function sharedBudget(whole: CrawlRow, { database, fetcher }: PayingPorts): Pick<Fetcher, 'fetch'> {
  const tell = limitTold(whole, database);
  const add = (amount: number) =>
    database.rows('UPDATE crawl SET renders_left = renders_left + $2 WHERE number = $1 AND renders_left + $2 >= 0 RETURNING 1', [
      whole.number,
      amount,
    ]);
  return {
    async fetch(request, signal) {
      let isTaken = false;
      const beforeBrowser = async () => {
        isTaken = (await add(-RENDER_PRICE)).length > 0;
        return isTaken || (await tell());
      };
      let isRendered = false;
      try {
        const page = await fetcher.fetch({ ...request, beforeBrowser }, signal);
        isRendered = page.lane === 'browser';
        return page;
      } finally {
        if (isTaken && !isRendered) await add(RENDER_PRICE);
      }
    },
  };
}

/** Writes down, once, that the credits did not reach for a browser. */
function limitTold(crawl: CrawlRow, { rows }: Pick<Database, 'rows'>): () => Promise<false> {
  let isTold = crawl.is_lane_limited;
  return async () => {
    if (!isTold) await rows('UPDATE crawl SET is_lane_limited = true WHERE number = $1', [crawl.number]);
    isTold = true;
    return false;
  };
}
