// Group Runs.
import { z } from 'zod';
import { integerText, listQuery, runIdText } from '../../ids.ts';
import { LIMITS } from '../../limits.ts';
import type { OperationGroup } from '../../operation.ts';
import { cursorList, events, json, listWithTotal, none } from '../../replies.ts';
import { FeedRun, Run, RunKind, RunResults, RunStatus } from './run.ts';

const params = z.strictObject({ id: runIdText });

export const runs = {
  list: {
    id: 'runs.list',
    method: 'GET',
    path: '/v1/runs',
    summary: 'list runs (enriched feed)',
    scopes: ['read', 'run:own'],
    query: z.strictObject({ ...listQuery, kind: RunKind.optional(), status: RunStatus.optional() }),
    replies: { 200: listWithTotal(FeedRun, 'Runs, newest first.') },
  },
  read: {
    id: 'runs.read',
    method: 'GET',
    path: '/v1/runs/{id}',
    summary: 'read a run',
    scopes: ['read', 'run:own'],
    params,
    replies: { 200: json(Run, 'The run; a failed one is a normal answer.') },
    errors: ['not_found'],
    owned: 'run',
  },
  results: {
    id: 'runs.results',
    method: 'GET',
    path: '/v1/runs/{id}/results',
    summary: 'raw result payload of a run',
    scopes: ['read', 'run:own'],
    params,
    replies: { 200: json(RunResults, 'What the run came to; so far, of one that goes on.') },
    errors: ['not_found'],
    owned: 'run',
  },
  data: {
    id: 'runs.data',
    method: 'GET',
    path: '/v1/runs/{id}/data',
    summary: 'data extracted by a run',
    scopes: ['read', 'run:own'],
    params,
    query: z.strictObject({
      limit: integerText(1, LIMITS.listLimitMax).optional().describe(`How many at most; ${LIMITS.listLimitDefault} unless said.`),
      cursor: z.string().max(200).optional().describe('`next_cursor` of the answer before.'),
    }),
    replies: { 200: cursorList(z.record(z.string(), z.unknown()), 'Rows or pages in the order in which they were kept.') },
    errors: ['not_found'],
    owned: 'run',
  },
  events: {
    id: 'runs.events',
    method: 'GET',
    path: '/v1/runs/{id}/events',
    summary: 'live run event stream (SSE)',
    scopes: ['read', 'run:own'],
    params,
    replies: {
      200: events('`snapshot` first, then the events after `Last-Event-ID`, `finished` last.'),
      204: none('`Last-Event-ID` is that of `finished`: nothing will follow, and an EventSource ends.'),
    },
    errors: ['not_found'],
    owned: 'run',
  },
  cancel: {
    id: 'runs.cancel',
    method: 'POST',
    path: '/v1/runs/{id}/cancel',
    summary: 'cancel a live run by its id',
    scopes: ['run:own'],
    params,
    replies: { 200: json(Run, 'The run, cancelled.'), 409: json(Run, 'The run had already settled; it is unchanged.') },
    errors: ['not_found'],
    owned: 'run',
  },
} as const satisfies OperationGroup;
