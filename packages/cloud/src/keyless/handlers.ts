// The keyless operations: public pages over HTTP, and nothing that a caller may set on the wire.
import type { AnyCall, GroupHandlers } from '@weft/serve';
import type { CloudTable } from '@weft/contract';
import { DEVICE_HEADER } from '@weft/contract';
import type { Maps } from '../map/map.ts';
import type { Scrapes } from '../scrape/scrape.ts';
import type { Allowance, KeylessCaller } from './allowance.ts';

export interface KeylessNouns {
  readonly allowance: Allowance;
  readonly scrapes: Scrapes;
  readonly maps: Maps;
}

export function keylessHandlers({ allowance, scrapes, maps }: KeylessNouns): GroupHandlers<CloudTable['keyless']> {
  const callerOf = ({ header, remoteAddress }: Pick<AnyCall, 'header' | 'remoteAddress'>): KeylessCaller =>
    allowance.callerOf(header(DEVICE_HEADER) ?? '', remoteAddress);
  return {
    async scrape(call) {
      const answer = await allowance.spend(callerOf(call), async () => {
        const answer = await scrapes.keyless(call.body, call.signal);
        return { hasPage: !('failure' in answer), answer };
      });
      return { status: 200, body: answer };
    },
    async map(call) {
      const answer = await allowance.spend(callerOf(call), async () => {
        const answer = await maps.run(call.body, call.signal);
        return { hasPage: answer.count > 0, answer };
      });
      return { status: 200, body: answer };
    },
    quota: async (call) => ({ status: 200, body: await allowance.quota(callerOf(call)) }),
  };
}
