// Group Runs.
import { AppError } from '@weft/contract';
import type { DaemonTable, ExtraTable } from '@weft/contract';
import type { GroupHandlers } from '@weft/serve';
import { cursorHeaders, listHeaders } from '@weft/serve';
import { screenLink } from '../screens/links.ts';
import type { Screens } from '../screens/screens.ts';
import type { Tickets } from '../ws-ticket/ticket.ts';
import { cancelRun } from './cancel.ts';
import type { Executor } from './executor.ts';
import type { People } from './people.ts';
import type { RunResultReader } from './results.ts';
import type { Runs } from './run.ts';

export function runHandlers(runs: Runs, executor: Executor, results: RunResultReader): GroupHandlers<DaemonTable['runs']> {
  return {
    list: ({ query, ownerId }) => {
      const { data, total } = runs.list({ ...query, ownerId });
      return { status: 200, headers: listHeaders('/v1/runs', query, data.length, total), body: { data, count: data.length, total } };
    },
    read: ({ params }) => ({ status: 200, body: runs.require(params.id) }),
    results: ({ params }) => ({ status: 200, body: results.read(params.id) }),
    data: ({ params, query }) => {
      const { ids, items, lastId } = results.data(params.id, query);
      const next = lastId === undefined ? {} : { next_cursor: String(lastId) };
      const headers = cursorHeaders(`/v1/runs/${params.id}/data`, query, next.next_cursor);
      return { status: 200, headers, body: { data: [], count: ids.length, ...next }, items };
    },
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

export interface ExtraRunNouns {
  readonly runs: Runs;
  readonly people: People;
  readonly screens: Screens;
  readonly tickets: Tickets;
}

export function extraRunHandlers({ runs, people, screens, tickets }: ExtraRunNouns): GroupHandlers<ExtraTable['runs']> {
  return {
    question: ({ params }) => {
      runs.require(params.id);
      const question = people.questionOf(params.id);
      if (!question) return { status: 200, body: { waits: false } };
      const { stepId, reason, instructions } = question;
      return { status: 200, body: { waits: true, step_id: stepId, reason, instructions } };
    },
    answer: ({ params, body }) => {
      runs.require(params.id);
      people.answer(params.id, body.text ?? 'done');
      return { status: 200, body: runs.require(params.id) };
    },
    screen: ({ params, actor, origin }) => {
      const { status } = runs.require(params.id);
      if (!screens.find('run', params.id))
        throw new AppError('conflict', `Run ${params.id} (${status}) has no browser open: it goes by HTTP, or is over.`);
      return { status: 201, body: screenLink('run', params.id, actor, origin, tickets) };
    },
  };
}
