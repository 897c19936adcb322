// Beyond the specification: what monitors saw over time.
import { z } from 'zod';
import { instantText, integerText, listQuery, rowIdText } from '../../ids.ts';
import type { OperationGroup } from '../../operation.ts';
import { cursorList, json, list } from '../../replies.ts';
import {
  BucketName,
  DiffForm,
  DiffRender,
  Durations,
  HistoryDiff,
  MonitorHour,
  SeriesBucket,
  SeriesPoint,
  Snapshot,
  SnapshotPartName,
  SnapshotWithValues,
} from './history.ts';

const params = z.strictObject({ id: rowIdText });
const snapshotParams = z.strictObject({ id: rowIdText, snapshot: rowIdText });
const ofValue = {
  selector_id: rowIdText.optional().describe('Of which selector; the page unless said.'),
  extractor_id: rowIdText.optional().describe('Of which extractor; the text unless said.'),
};
const span = {
  since: instantText.optional().describe('From then on; from the first unless said.'),
  until: instantText.optional().describe('Until then; until now unless said.'),
};
const diffQuery = {
  as: DiffForm.optional().describe(
    '`word` to `side_by_side` compare texts, `json` and `items` what is nested, `picture` pictures. Unless said: lists by `items`, what else is nested by `json`, texts by `word`.',
  ),
  render: DiffRender.optional().describe('Written for people, as a file, and not as JSON; `png` shows what changed of two pictures.'),
};
const DIFF = {
  description: 'How one differs from the other; with `render` as a file.',
  content: {
    'application/json': HistoryDiff,
    'text/plain': 'text',
    'text/markdown': 'text',
    'text/html': 'text',
    'image/png': 'bytes',
  },
} as const;
const FEED = {
  description:
    'The newest changes with their differences (RFC 4287). A reader sends the token in `Authorization: Bearer`, as for any call.',
  content: { 'application/atom+xml': 'text' },
} as const;
const entries = integerText(1, 100).optional().describe('How many changes at most; 20 unless said.');

/** Operations of monitors on what they saw over time. */
export const history = {
  snapshots: {
    id: 'monitors.snapshots',
    method: 'GET',
    path: '/x/monitors/{id}/snapshots',
    summary: 'the snapshots of a monitor',
    scopes: ['read'],
    params,
    query: z.strictObject(listQuery),
    replies: { 200: list(Snapshot, 'Those that are kept (`retention.snapshots_per_monitor` in the settings), newest first.') },
    errors: ['not_found'],
  },
  snapshot: {
    id: 'monitors.snapshot',
    method: 'GET',
    path: '/x/monitors/{id}/snapshots/{snapshot}',
    summary: 'read a snapshot with its values',
    scopes: ['read'],
    params: snapshotParams,
    replies: { 200: json(SnapshotWithValues, 'The snapshot.') },
    errors: ['not_found'],
  },
  snapshotContent: {
    id: 'monitors.snapshotContent',
    method: 'GET',
    path: '/x/monitors/{id}/snapshots/{snapshot}/content',
    summary: 'download a part of a snapshot',
    scopes: ['read'],
    params: snapshotParams,
    query: z.strictObject({ part: SnapshotPartName.optional().describe('`body` unless said.') }),
    replies: { 200: { description: 'The bytes, as an attachment under their own type.', content: { '*/*': 'bytes' } } },
    errors: ['not_found'],
  },
  diff: {
    id: 'monitors.diff',
    method: 'GET',
    path: '/x/monitors/{id}/diff',
    summary: 'compare two snapshots of a monitor',
    scopes: ['read'],
    params,
    query: z.strictObject({
      from: rowIdText.optional().describe('The older snapshot; the one before `to` unless said.'),
      to: rowIdText.optional().describe('The newest unless said.'),
      part: z.enum(['values', 'body']).optional().describe('`values`: one value, unless said; `body`: all that came, as source text.'),
      ...ofValue,
      ...diffQuery,
    }),
    replies: { 200: DIFF },
    errors: ['not_found'],
  },
  changeDiff: {
    id: 'monitors.changeDiff',
    method: 'GET',
    path: '/x/monitors/changes/{id}/diff',
    summary: 'what a change changed',
    scopes: ['read'],
    params,
    query: z.strictObject(diffQuery),
    replies: { 200: DIFF },
    errors: ['not_found'],
  },
  values: {
    id: 'monitors.values',
    method: 'GET',
    path: '/x/monitors/{id}/values',
    summary: 'how a value went',
    scopes: ['read'],
    params,
    query: z.strictObject({
      ...ofValue,
      ...span,
      bucket: BucketName.optional().describe('Counts together what happened in each; single points unless said.'),
      limit: integerText(1, 2000).optional().describe('How many at most; 500 unless said.'),
      cursor: integerText(0, 999_999_999_999_999).optional().describe('`next_cursor` of the answer before.'),
    }),
    replies: {
      200: cursorList(
        z.union([SeriesBucket, SeriesPoint]),
        'Points from the moments on at which the value became another, or buckets where `bucket` was sent; oldest first.',
      ),
    },
    errors: ['not_found'],
  },
  durations: {
    id: 'monitors.durations',
    method: 'GET',
    path: '/x/monitors/{id}/durations',
    summary: 'how long it was in each state',
    scopes: ['read'],
    params,
    query: z.strictObject({ ...ofValue, ...span, bucket: BucketName.optional() }),
    replies: {
      200: json(
        Durations,
        'Of an availability where `selector_id` was sent; else of the monitor: `ok`, and `blocked` or `error` from when that was told until it was told to be over.',
      ),
    },
    errors: ['not_found'],
  },
  hours: {
    id: 'monitors.hours',
    method: 'GET',
    path: '/x/monitors/{id}/hours',
    summary: 'what its checks came to, hour by hour',
    scopes: ['read'],
    params,
    query: z.strictObject({ ...listQuery, since: span.since }),
    replies: { 200: list(MonitorHour, 'Hours by UTC in which it was checked, newest first; as long as runs are kept (D23).') },
    errors: ['not_found'],
  },
  atom: {
    id: 'monitors.atom',
    method: 'GET',
    path: '/x/monitors/{id}/atom',
    summary: 'a feed of the changes of a monitor',
    scopes: ['read'],
    params,
    query: z.strictObject({ limit: entries }),
    replies: { 200: FEED },
    errors: ['not_found'],
  },
  feed: {
    id: 'monitors.feed',
    method: 'GET',
    path: '/x/monitors/atom',
    summary: 'a feed of the changes of all monitors',
    scopes: ['read'],
    query: z.strictObject({ tag: z.string().min(1).max(63).optional().describe('Only of monitors with this tag.'), limit: entries }),
    replies: { 200: FEED },
  },
} as const satisfies OperationGroup;
