// Group Crawl.
import { LIMITS, isSettled } from '@weft/contract';
import type { DaemonTable } from '@weft/contract';
import type { GroupHandlers } from '@weft/serve';
import { listHeaders } from '../lists.ts';
import { cancelRun } from '../runs/cancel.ts';
import type { Executor } from '../runs/executor.ts';
import type { Runs } from '../runs/run.ts';
import type { Crawls } from './crawl.ts';

export function crawlHandlers(crawls: Crawls, runs: Runs, executor: Executor): GroupHandlers<DaemonTable['crawl']> {
  return {
    list: ({ query, ownerId }) => {
      const { data, total } = crawls.list({ ...query, ownerId });
      return { status: 200, headers: listHeaders('/v1/crawl', query, data.length, total), body: { data, count: data.length } };
    },
    start: async ({ body, actor, signal }) => {
      const id = crawls.create(body, actor);
      executor.wake();
      if (body.wait !== true) return { status: 202, body: crawls.read(id, {}) };
      const run = await runs.wait(id, (body.timeout ?? LIMITS.waitSecondsDefault) * 1000, signal);
      return { status: isSettled(run.status) ? 200 : 202, body: crawls.read(id, {}) };
    },
    read: ({ params, query }) => ({ status: 200, body: crawls.read(params.id, query) }),
    cancel: ({ params }) => {
      crawls.read(params.id, { limit: 1 });
      const { isCancelled, run } = cancelRun(params.id, { runs, executor });
      return { status: isCancelled ? 200 : 409, body: run };
    },
  };
}
