// Targets: the monitors of the cloud. A body carries its selectors with their extractors; what a check costs is its lane (D43).
import { z } from 'zod';
import { Change } from '../groups/monitors/change.ts';
import { ChangeKind } from '../groups/monitors/change.ts';
import { Check } from '../groups/monitors/check.ts';
import { Monitor, MonitorState, MonitorValue, NewMonitor } from '../groups/monitors/monitor.ts';
import { RunFailure } from '../groups/runs/run.ts';
import { Extractor } from '../groups/extractors/extractor.ts';
import { Selector } from '../groups/selectors/selector.ts';
import { booleanText, instant, instantText, listQuery, webUrl, wholeListQuery } from '../ids.ts';
import type { OperationGroup } from '../operation.ts';
import { patchOf } from '../patch.ts';
import { bareList, json, list, none } from '../replies.ts';

// Nobody to act as, no workflow to run, no tags, no proxies; who is told are the webhooks of the account.
const {
  workflow_id: _workflow,
  inputs: _inputs,
  persona_id: _persona,
  tags: _tags,
  proxy: _proxy,
  channels: _channels,
  headers,
  body,
  ...shared
} = NewMonitor.shape;

const fields = {
  ...shared,
  url: webUrl.describe('The page.'),
  watch: z
    .enum(['page', 'main'])
    .optional()
    .describe(
      'What selectors look at, and what is compared without one: the text of the page (`page`, unless said) or of its main content (`main`).',
    ),
  headers: headers.describe('Sent with the request, and shown to whoever reads the target.'),
  body: body.describe('Sent with the request.'),
};

/** The body that makes a target; an address alone is enough (D36). */
export const NewTarget = z.strictObject(fields).meta({ id: 'CreateTarget' });
export type NewTarget = z.infer<typeof NewTarget>;

/** A merge patch of a target (RFC 7396). `selectors` are replaced as a whole: one that looks at the same as before is known as before. */
export const TargetPatch = z.strictObject(patchOf(fields)).meta({ id: 'TargetPatch' });
export type TargetPatch = z.infer<typeof TargetPatch>;

const TargetExtractor = z
  .strictObject(Extractor.omit({ selector_id: true, monitor_id: true, created_at: true, updated_at: true }).shape)
  .meta({ id: 'TargetExtractor' });

/** A selector of a target. */
export const TargetSelector = z
  .strictObject({
    ...Selector.omit({ monitor_id: true, created_at: true, updated_at: true, extractors: true }).shape,
    id: z.int().describe('Among those of its target.'),
    extractors: z.array(TargetExtractor),
  })
  .meta({ id: 'TargetSelector' });
export type TargetSelector = z.infer<typeof TargetSelector>;

const id = z.string().describe('`tgt_` and a random part.');

/** A target. */
export const Target = z
  .strictObject({
    ...fields,
    id,
    name: z.string(),
    active: z.boolean(),
    lane: Monitor.shape.lane,
    respect_robots: z.boolean(),
    schedule: Monitor.shape.schedule.describe('As it goes by: its own, else every hour.'),
    selectors: z.array(TargetSelector),
    values: z.array(MonitorValue).describe('As the last check left them, in the order of the selectors.'),
    state: MonitorState,
    flapping: z.boolean(),
    checks: z.int().min(0).describe('All so far.'),
    changes: z.int().min(0).describe('All that are kept.'),
    left_out: z
      .strictObject({ since: instant, checks: z.int().min(1), because: z.enum(['insufficient_credits', 'internal']), message: z.string() })
      .optional()
      .describe('Checks in a row that were due and were not made; absent since the last one that was.'),
    last_checked_at: instant.optional(),
    last_changed_at: instant.optional(),
    last_run_id: z.string().optional(),
    next_check_at: instant.optional().describe('Absent where none is due by itself.'),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'Target' });
export type Target = z.infer<typeof Target>;

/** Something that a check of a target found to tell. */
export const TargetChange = z
  .strictObject({
    ...Change.omit({ monitor_id: true, monitor_name: true }).shape,
    id: z.string().describe('`chg_` and a random part.'),
    target_id: id,
    target_name: z.string(),
    run_id: z.string(),
  })
  .meta({ id: 'TargetChange' });
export type TargetChange = z.infer<typeof TargetChange>;

/** What a check of a target came to, gate by gate. */
export const TargetCheck = z
  .strictObject({ ...Check.omit({ run_id: true, monitor_id: true, changes: true }).shape, changes: z.array(TargetChange) })
  .meta({ id: 'TargetCheck' });
export type TargetCheck = z.infer<typeof TargetCheck>;

/** A check of a target as a run: one that could not look is a failed run, and a normal answer. */
export const TargetRun = z
  .strictObject({
    id: z.string().describe('`run_` and a random part.'),
    target_id: id,
    status: z.enum(['queued', 'succeeded', 'failed']),
    trigger: z.enum(['call', 'schedule']),
    failure: RunFailure.optional(),
    credits: z.int().min(0).describe('What was charged: 1 over HTTP, 2 where a browser rendered the page, 0 where it could not be had.'),
    lane_limited: z.literal(true).optional().describe('The credits did not reach for the browser that the page needs.'),
    check: TargetCheck.optional().describe('What it came to; absent while it is queued.'),
    created_at: instant,
    finished_at: instant.optional(),
  })
  .meta({ id: 'TargetRun' });
export type TargetRun = z.infer<typeof TargetRun>;

/** Seconds for which `POST /api/targets/{id}/run` waits for its check (D45). */
export const TARGET_RUN_SECONDS = 60;

/** The id of a target, as a call says it. */
export const targetId = z.string().regex(/^tgt_[A-Za-z0-9_-]{22}$/, 'must be the id of a target, `tgt_...`');
/** `{id}` of a target. */
export const targetParams = z.strictObject({ id: targetId });
const ofChanges = {
  kind: ChangeKind.optional().describe('Only this kind.'),
  since: instantText.optional().describe('Only those from then on.'),
};

/** Monitors of the cloud (specification, Cloud operations). */
export const targets = {
  list: {
    id: 'targets.list',
    method: 'GET',
    path: '/api/targets',
    summary: 'list monitors',
    scopes: ['read'],
    query: z.strictObject({
      ...wholeListQuery,
      q: z.string().min(1).max(200).optional().describe('Only those whose name or address holds this.'),
      active: booleanText.optional(),
      trouble: booleanText.optional().describe('Only those that could not be looked at when they last were, or only the others.'),
    }),
    replies: { 200: bareList(Target, 'Targets, newest first.') },
  },
  create: {
    id: 'targets.create',
    method: 'POST',
    path: '/api/targets',
    summary: 'create a monitor',
    scopes: ['run'],
    body: NewTarget,
    replies: { 201: json(Target, 'The target; its first check is due at once.') },
    errors: ['conflict'],
    idempotency: 'replay',
  },
  recentChanges: {
    id: 'targets.recentChanges',
    method: 'GET',
    path: '/api/targets/changes/recent',
    summary: 'recent changes across all monitors',
    scopes: ['read'],
    query: z.strictObject({ ...wholeListQuery, ...ofChanges }),
    replies: { 200: bareList(TargetChange, 'Of the last 30 days unless `since` is sent, newest first.') },
  },
  read: {
    id: 'targets.read',
    method: 'GET',
    path: '/api/targets/{id}',
    summary: 'get a monitor',
    scopes: ['read'],
    params: targetParams,
    replies: { 200: json(Target, 'The target.') },
    errors: ['not_found'],
  },
  update: {
    id: 'targets.update',
    method: 'PATCH',
    path: '/api/targets/{id}',
    summary: 'update a monitor',
    scopes: ['run'],
    params: targetParams,
    body: TargetPatch,
    replies: { 200: json(Target, 'The target as it is now; what is known of its values stays.') },
    errors: ['not_found'],
  },
  delete: {
    id: 'targets.delete',
    method: 'DELETE',
    path: '/api/targets/{id}',
    summary: 'delete a monitor',
    scopes: ['run'],
    params: targetParams,
    replies: { 204: none('Gone, with its checks, changes and snapshots.') },
    errors: ['not_found'],
  },
  toggle: {
    id: 'targets.toggle',
    method: 'PATCH',
    path: '/api/targets/{id}/toggle',
    summary: 'pause or resume a monitor',
    scopes: ['run'],
    params: targetParams,
    replies: { 200: json(Target, 'The target, now active if it was not, and the other way round.') },
    errors: ['not_found'],
  },
  run: {
    id: 'targets.run',
    method: 'POST',
    path: '/api/targets/{id}/run',
    summary: 'check a monitor now',
    scopes: ['run'],
    params: targetParams,
    replies: {
      200: json(TargetRun, 'The check. One that could not look is a normal answer, and free.'),
      202: json(TargetRun, `It is not settled after ${TARGET_RUN_SECONDS} seconds, and goes on.`),
    },
    errors: ['not_found', 'insufficient_credits', 'conflict'],
    idempotency: 'replay',
  },
  changes: {
    id: 'targets.changes',
    method: 'GET',
    path: '/api/targets/{id}/changes',
    summary: 'change history of a monitor',
    scopes: ['read'],
    params: targetParams,
    query: z.strictObject({ ...listQuery, ...ofChanges }),
    replies: { 200: list(TargetChange, 'Changes, newest first.') },
    errors: ['not_found'],
  },
} as const satisfies OperationGroup;
