// Crawls of an account, and the list of its jobs.
import type { AccountTable, CloudTable } from '@weft/contract';
import { creation, listHeaders } from '@weft/serve';
import type { GroupHandlers } from '@weft/serve';
import { accountOf } from '../accounts/account.ts';
import type { Crawls } from './crawl.ts';

type Start = CloudTable['crawls']['start'];

/** `onStarted` is called once a crawl waits for a worker. */
export function crawlHandlers(crawls: Crawls, onStarted: () => void): GroupHandlers<CloudTable['crawls']> {
  return {
    start: creation<Start, string>({
      effect: ({ actor, body }) => crawls.start(accountOf(actor), body),
      async answer(id, { actor }) {
        onStarted();
        return { status: 202, body: await crawls.read(accountOf(actor), id, {}) };
      },
    }),
    read: async ({ actor, params, query }) => ({ status: 200, body: await crawls.read(accountOf(actor), params.id, query) }),
  };
}

export function jobHandlers(crawls: Crawls): GroupHandlers<AccountTable['jobs']> {
  return {
    async list({ actor, query }) {
      const { data, total } = await crawls.list(accountOf(actor), query);
      return { status: 200, headers: listHeaders('/api/account/jobs', query, data.length, total), body: { data, count: data.length } };
    },
    async cancel({ actor, params }) {
      const { hasRun, job } = await crawls.cancel(accountOf(actor), params.id);
      return { status: hasRun ? 200 : 409, body: job };
    },
    async delete({ actor, params }) {
      await crawls.delete(accountOf(actor), params.id);
      return { status: 204 };
    },
  };
}
