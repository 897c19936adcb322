// Group Runs.
import type { DaemonTable } from '@weft/contract';
import type { GroupHandlers } from '@weft/serve';
import { listHeaders } from '@weft/serve';
import { cancelRun } from './cancel.ts';
import type { Executor } from './executor.ts';
import type { Runs } from './run.ts';

export function runHandlers(runs: Runs, executor: Executor): GroupHandlers<DaemonTable['runs']> {
  return {
    list: ({ query, ownerId }) => {
      const { data, total } = runs.list({ ...query, ownerId });
      return { status: 200, headers: listHeaders('/v1/runs', query, data.length, total), body: { data, count: data.length, total } };
    },
    read: ({ params }) => ({ status: 200, body: runs.require(params.id) }),
    events: ({ params, lastEventId, signal }) =>
      runs.hasTold(params.id, lastEventId)
        ? { status: 204 }
        : { status: 200, type: 'text/event-stream', body: runs.events(params.id, lastEventId, signal) },
    cancel: ({ params }) => {
      const { isCancelled, run } = cancelRun(params.id, { runs, executor });
      return { status: isCancelled ? 200 : 409, body: run };
    },
  };
}
