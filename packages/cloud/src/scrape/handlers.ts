// The metered scrape.
import type { CloudTable } from '@weft/contract';
import { creation } from '@weft/serve';
import type { GroupHandlers } from '@weft/serve';
import { accountOf } from '../accounts/account.ts';
import type { Had, Scrapes } from './scrape.ts';

type Page = CloudTable['scrape']['page'];

export function scrapeHandlers(scrapes: Scrapes): GroupHandlers<CloudTable['scrape']> {
  return {
    page: creation<Page, string, Had>({
      prepare: ({ actor, body, signal }) => scrapes.fetch(accountOf(actor), body, signal),
      discard: (had) => scrapes.discard(had),
      effect: (_call, had) => scrapes.keep(had),
      answer: async (id, { actor }) => ({ status: 200, body: await scrapes.answer(accountOf(actor), id) }),
    }),
  };
}
