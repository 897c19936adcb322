// Targets of an account.
import type { AccountTable, CloudTable } from '@weft/contract';
import { TARGET_RUN_SECONDS } from '@weft/contract';
import { attachmentHeader, creation, cursorHeaders, listHeaders } from '@weft/serve';
import type { GroupHandlers } from '@weft/serve';
import { accountOf } from '../accounts/account.ts';
import type { TargetFeeds } from './feeds.ts';
import type { TargetRuns } from './runs.ts';
import type { TargetSnapshots } from './snapshots.ts';
import type { Targets } from './target.ts';

type Create = CloudTable['targets']['create'];
type Run = CloudTable['targets']['run'];

/** `onDue` is called once a check waits for a worker. */
export function targetHandlers(targets: Targets, runs: TargetRuns, onDue: () => void): GroupHandlers<CloudTable['targets']> {
  return {
    async list({ actor, query }) {
      const { data, total } = await targets.list(accountOf(actor), query);
      return { status: 200, headers: listHeaders('/api/targets', query, data.length, total), body: data };
    },
    create: creation<Create, string>({
      effect: ({ actor, body }) => targets.create(accountOf(actor), body),
      async answer(id, { actor }) {
        onDue();
        return { status: 201, body: await targets.read(accountOf(actor), id) };
      },
    }),
    read: async ({ actor, params }) => ({ status: 200, body: await targets.read(accountOf(actor), params.id) }),
    update: async ({ actor, params, body }) => ({ status: 200, body: await targets.update(accountOf(actor), params.id, body) }),
    async delete({ actor, params }) {
      await targets.delete(accountOf(actor), params.id);
      return { status: 204 };
    },
    toggle: async ({ actor, params }) => ({ status: 200, body: await targets.toggle(accountOf(actor), params.id) }),
    run: creation<Run, string>({
      effect: ({ actor, params }) => runs.ask(accountOf(actor), params.id),
      async answer(id, { actor, signal }) {
        onDue();
        const run = await runs.wait(accountOf(actor), id, TARGET_RUN_SECONDS * 1000, signal);
        return run.status === 'queued' ? { status: 202, body: run } : { status: 200, body: run };
      },
    }),
    async changes({ actor, params, query }) {
      const { data, total } = await targets.changes(accountOf(actor), params.id, query);
      const headers = listHeaders(`/api/targets/${params.id}/changes`, query, data.length, total);
      return { status: 200, headers, body: { data, count: data.length } };
    },
    async recentChanges({ actor, query }) {
      const { data, total } = await targets.recentChanges(accountOf(actor), query);
      return { status: 200, headers: listHeaders('/api/targets/changes/recent', query, data.length, total), body: data };
    },
  };
}

export function targetHistoryHandlers(
  targets: Targets,
  runs: TargetRuns,
  snapshots: TargetSnapshots,
  feeds: TargetFeeds,
): GroupHandlers<AccountTable['targetHistory']> {
  const path = (id: string) => `/api/account/targets/${id}`;
  return {
    async checks({ actor, params: { id }, query }) {
      const { data, total } = await runs.list(accountOf(actor), id, query);
      return { status: 200, headers: listHeaders(`${path(id)}/checks`, query, data.length, total), body: { data, count: data.length } };
    },
    async snapshots({ actor, params: { id }, query }) {
      const account = accountOf(actor);
      const { data, total } = await snapshots.list(account, await targets.numberOf(account, id), query);
      return { status: 200, headers: listHeaders(`${path(id)}/snapshots`, query, data.length, total), body: { data, count: data.length } };
    },
    async snapshot({ actor, params: { id, snapshot } }) {
      const account = accountOf(actor);
      return { status: 200, body: await snapshots.read(account, await targets.numberOf(account, id), snapshot) };
    },
    async content({ actor, params: { id, snapshot }, query: { part = 'body' } }) {
      const account = accountOf(actor);
      const body = await snapshots.content(account, await targets.numberOf(account, id), snapshot, part);
      const headers = { 'content-disposition': attachmentHeader(`${snapshot}-${part}`) };
      return { status: 200, type: 'application/octet-stream', headers, body };
    },
    async values({ actor, params: { id }, query }) {
      const { data, nextCursor } = await targets.values(accountOf(actor), id, query);
      const headers = cursorHeaders(`${path(id)}/values`, query, nextCursor);
      const next = nextCursor === undefined ? {} : { next_cursor: nextCursor };
      return { status: 200, headers, body: { data, count: data.length, ...next } };
    },
    async feed({ query, signal }) {
      return { status: 200, type: 'application/atom+xml', body: await feeds.read(query, signal) };
    },
    async feedLink({ actor, query }) {
      return { status: 200, body: { url: await feeds.link(accountOf(actor), actor.id, query.target_id) } };
    },
  };
}
