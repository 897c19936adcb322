// What checks of targets came to and saw, over time (beyond the specification).
import { z } from 'zod';
import { SNAPSHOT_PARTS, SnapshotPart, SnapshotValue } from '../groups/monitors/history.ts';
import { instant, listQuery } from '../ids.ts';
import type { OperationGroup } from '../operation.ts';
import { json, list } from '../replies.ts';
import { TargetCheck, TargetRun, targetParams } from './target.ts';

/** What a check saw that was the first, or found something new. */
export const TargetSnapshot = z
  .strictObject({
    id: z.string().describe('`snp_` and a random part.'),
    target_id: z.string(),
    run_id: z.string().describe('The check.'),
    url: z.string().describe('The address that answered.'),
    parts: z.array(SnapshotPart),
    created_at: instant,
  })
  .meta({ id: 'TargetSnapshot' });
export type TargetSnapshot = z.infer<typeof TargetSnapshot>;

const WithValues = z.strictObject({ ...TargetSnapshot.shape, values: z.array(SnapshotValue) }).meta({ id: 'TargetSnapshotWithValues' });
const snapshotParams = targetParams.extend({
  snapshot: z.string().regex(/^snp_[A-Za-z0-9_-]{22}$/, 'must be the id of a snapshot, `snp_...`'),
});

/** Checks and snapshots of targets. */
export const targetHistory = {
  checks: {
    id: 'targetHistory.checks',
    method: 'GET',
    path: '/api/account/targets/{id}/checks',
    summary: 'the checks of a target, gate by gate',
    scopes: ['read'],
    params: targetParams,
    query: z.strictObject({ ...listQuery, verdict: TargetCheck.shape.verdict.optional() }),
    replies: { 200: list(TargetRun, 'Newest first: those that found something new for 30 days, and the last twenty that did not.') },
    errors: ['not_found'],
  },
  snapshots: {
    id: 'targetHistory.snapshots',
    method: 'GET',
    path: '/api/account/targets/{id}/snapshots',
    summary: 'the snapshots of a target',
    scopes: ['read'],
    params: targetParams,
    query: z.strictObject(listQuery),
    replies: { 200: list(TargetSnapshot, 'The newest thirty, newest first.') },
    errors: ['not_found'],
  },
  snapshot: {
    id: 'targetHistory.snapshot',
    method: 'GET',
    path: '/api/account/targets/{id}/snapshots/{snapshot}',
    summary: 'read a snapshot with its values',
    scopes: ['read'],
    params: snapshotParams,
    replies: { 200: json(WithValues, 'The snapshot.') },
    errors: ['not_found'],
  },
  content: {
    id: 'targetHistory.content',
    method: 'GET',
    path: '/api/account/targets/{id}/snapshots/{snapshot}/content',
    summary: 'download a part of a snapshot',
    scopes: ['read'],
    params: snapshotParams,
    query: z.strictObject({ part: z.enum(SNAPSHOT_PARTS).optional().describe('`body` unless said.') }),
    replies: { 200: { description: 'The bytes, as an attachment.', content: { 'application/octet-stream': 'bytes' } } },
    errors: ['not_found'],
  },
} as const satisfies OperationGroup;
