// Group Monitors.
import type { DaemonTable, ExtraTable } from '@weft/contract';
import { attachmentHeader, creation, listHeaders } from '@weft/serve';
import type { GroupHandlers } from '@weft/serve';
import { answerDispatched } from '../runs/answer.ts';
import type { Executor } from '../runs/executor.ts';
import type { Runs } from '../runs/run.ts';
import type { CapacityGauge } from './capacity.ts';
import type { MonitorExchange } from './exchange/exchange.ts';
import { historyHandlers } from './history/answers.ts';
import type { HistoryNouns } from './history/answers.ts';
import type { Monitors } from './monitor.ts';
import type { MonitorTags } from './tag.ts';

/** What the handlers of monitors call. */
export interface MonitorNouns {
  readonly monitors: Monitors;
  readonly capacity: CapacityGauge;
  readonly runs: Runs;
  readonly executor: Executor;
  readonly now: () => number;
}

/** Changes of so long ago are recent. */
const RECENT_MS = 30 * 86_400_000;

export function monitorHandlers({ monitors, capacity, runs, executor, now }: MonitorNouns): GroupHandlers<DaemonTable['monitors']> {
  return {
    list: ({ query }) => {
      const { data, total } = monitors.list(query);
      return { status: 200, headers: listHeaders('/v1/monitors', query, data.length, total), body: data };
    },
    create: creation({
      effect: ({ body }) => monitors.create(body).id,
      answer: (id) => ({ status: 201, body: monitors.require(id) }),
    }),
    capacity: ({ query }) => ({ status: 200, body: capacity.read(query.every) }),
    read: ({ params }) => ({ status: 200, body: monitors.require(params.id) }),
    update: ({ params, body }) => ({ status: 200, body: monitors.update(params.id, body) }),
    delete: ({ params }) => {
      for (const id of monitors.delete(params.id)) executor.abort(id);
      return { status: 204 };
    },
    run: creation({
      effect: ({ params, actor }) => monitors.check(params.id, actor.id),
      answer: async (id, { query, signal }) => ({
        status: await answerDispatched(id, query, { runs, executor }, signal),
        body: runs.require(id),
      }),
    }),
    changes: ({ params, query: { limit, offset, kind, since } }) => {
      monitors.requireRow(params.id);
      const filter = { monitorId: params.id, kind, sinceMs: since === undefined ? undefined : Date.parse(since) };
      const { data, total } = monitors.changes(filter, { limit, offset }, false);
      const headers = listHeaders(`/v1/monitors/${params.id}/changes`, { limit, offset, kind, since }, data.length, total);
      return { status: 200, headers, body: { data, count: data.length } };
    },
    recentChanges: ({ query: { limit, offset, kind, since, tag } }) => {
      const filter = { kind, tag, sinceMs: since === undefined ? now() - RECENT_MS : Date.parse(since) };
      const { data, total } = monitors.changes(filter, { limit, offset }, true);
      const headers = listHeaders('/v1/changes/recent', { limit, offset, kind, since, tag }, data.length, total);
      return { status: 200, headers, body: data };
    },
  };
}

/** What the handlers beyond the specification call. */
export interface ExtraMonitorNouns extends HistoryNouns {
  readonly monitors: Monitors;
  readonly exchange: MonitorExchange;
}

export function extraMonitorHandlers(nouns: ExtraMonitorNouns): GroupHandlers<ExtraTable['monitors']> {
  const { monitors, exchange } = nouns;
  return {
    ...historyHandlers(nouns),
    checks: ({ params, query }) => {
      const { data, total } = monitors.checks(params.id, query.verdict, query);
      const headers = listHeaders(`/x/monitors/${params.id}/checks`, query, data.length, total);
      return { status: 200, headers, body: { data, count: data.length } };
    },
    toggle: ({ params }) => ({ status: 200, body: monitors.toggle(params.id) }),
    import: creation({
      prepare: ({ body, actor, signal }) => exchange.read(body, actor.id, signal),
      effect: ({ body }, checked) => (body.dry_run === true ? exchange.show(checked) : exchange.make(checked)),
      answer: (made, { body }) => ({ status: body.dry_run === true ? 200 : 201, body: made }),
    }),
    export: async ({ query, signal }) => {
      const { format = 'json' } = query;
      const headers = { 'content-disposition': attachmentHeader(`monitors.${format}`) };
      if (format === 'json') return { status: 200, headers, body: exchange.configuration() };
      return { status: 200, type: 'application/yaml', headers, body: await exchange.writeYaml(signal) };
    },
  };
}

export function monitorTagHandlers(tags: MonitorTags): GroupHandlers<ExtraTable['monitorTags']> {
  return {
    list: ({ query }) => {
      const { data, total } = tags.list(query);
      return { status: 200, headers: listHeaders('/x/monitors/tags', query, data.length, total), body: { data, count: data.length } };
    },
    put: creation({
      effect: ({ body }) => ({ name: body.name, isNew: tags.put(body) }),
      answer: ({ name, isNew }) => ({ status: isNew ? 201 : 200, body: tags.require(name) }),
    }),
    read: ({ params }) => ({ status: 200, body: tags.require(params.name) }),
    update: ({ params, body }) => ({ status: 200, body: tags.update(params.name, body) }),
    delete: ({ params }) => {
      tags.delete(params.name);
      return { status: 204 };
    },
  };
}
