// The keyless operations: public pages over HTTP, and nothing that a caller may set on the wire.
import type { AnyCall, GroupHandlers } from '@weft/serve';
import type { CloudTable } from '@weft/contract';
import { DEVICE_HEADER, KEYLESS } from '@weft/contract';
import { KEYLESS_ASKER } from '../hosts/asker.ts';
import type { Maps } from '../map/map.ts';
import type { Scrapes } from '../scrape/scrape.ts';
import type { Allowance, KeylessCaller } from './allowance.ts';
import type { KeylessCrawls } from './crawl.ts';

export interface KeylessNouns {
  readonly allowance: Allowance;
  readonly scrapes: Scrapes;
  readonly maps: Maps;
  readonly keylessCrawls: KeylessCrawls;
}

export function keylessHandlers({ allowance, scrapes, maps, keylessCrawls }: KeylessNouns): GroupHandlers<CloudTable['keyless']> {
  const callerOf = ({ header, remoteAddress }: Pick<AnyCall, 'header' | 'remoteAddress'>): KeylessCaller =>
    allowance.callerOf(header(DEVICE_HEADER) ?? '', remoteAddress);
  return {
    async scrape(call) {
      const answer = await allowance.spend(callerOf(call), { url: call.body.url, pages: 1 }, async () => {
        const answer = await scrapes.keyless(call.body, call.signal);
        return { pages: 'failure' in answer ? 0 : 1, answer };
      });
      return { status: 200, body: answer };
    },
    async crawl(call) {
      const { url, limit = KEYLESS.crawlPages } = call.body;
      const answer = await allowance.spend(callerOf(call), { url, pages: limit }, async (pages) => {
        const answer = await keylessCrawls.run(call.body, pages, call.signal);
        return { pages: answer.count, answer };
      });
      return { status: 200, body: answer };
    },
    async map(call) {
      const answer = await allowance.spend(callerOf(call), { url: call.body.url, pages: 1 }, async () => {
        const answer = await maps.run(call.body, KEYLESS_ASKER, call.signal);
        return { pages: answer.count > 0 ? 1 : 0, answer };
      });
      return { status: 200, body: answer };
    },
    quota: async (call) => ({ status: 200, body: await allowance.quota(callerOf(call)) }),
  };
}
