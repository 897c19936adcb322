// What checks of targets came to and saw, over time (beyond the specification).
import { z } from 'zod';
import { BucketName, SNAPSHOT_PARTS, SeriesBucket, SeriesPoint, SnapshotPart, SnapshotValue } from '../groups/monitors/history.ts';
import { instant, instantText, integerText, listQuery, rowIdText } from '../ids.ts';
import type { OperationGroup } from '../operation.ts';
import { cursorList, json, list } from '../replies.ts';
import { TargetCheck, TargetRun, targetId, targetParams } from './target.ts';

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

/** A value from the moment on at which a check saw it. */
export const TargetPoint = z.strictObject({ ...SeriesPoint.shape, run_id: z.string() }).meta({ id: 'TargetPoint' });
export type TargetPoint = z.infer<typeof TargetPoint>;

const WithValues = z.strictObject({ ...TargetSnapshot.shape, values: z.array(SnapshotValue) }).meta({ id: 'TargetSnapshotWithValues' });
const snapshotParams = targetParams.extend({
  snapshot: z.string().regex(/^snp_[A-Za-z0-9_-]{22}$/, 'must be the id of a snapshot, `snp_...`'),
});

/** Checks, snapshots, values and feeds of targets. */
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
  values: {
    id: 'targetHistory.values',
    method: 'GET',
    path: '/api/account/targets/{id}/values',
    summary: 'how a value went',
    scopes: ['read'],
    params: targetParams,
    query: z.strictObject({
      selector_id: rowIdText.optional().describe('Of which selector; the page unless said.'),
      extractor_id: rowIdText.optional().describe('Of which extractor; the text unless said.'),
      since: instantText.optional().describe('From then on; from the first unless said.'),
      until: instantText.optional().describe('Until then; until now unless said.'),
      bucket: BucketName.optional().describe('Counts together what happened in each; single points unless said.'),
      limit: integerText(1, 2000).optional().describe('How many at most; 500 unless said.'),
      cursor: integerText(0, 999_999_999_999_999).optional().describe('`next_cursor` of the answer before.'),
    }),
    replies: {
      200: cursorList(
        z.union([SeriesBucket, TargetPoint]),
        'Points from the moments on at which the value became another, or buckets where `bucket` was sent; oldest first.',
      ),
    },
    errors: ['not_found'],
  },
  feed: {
    id: 'targetHistory.feed',
    method: 'GET',
    path: '/api/account/targets/atom',
    summary: 'a feed of what changed',
    scopes: ['read'],
    credentials: ['none', 'wt'],
    query: z.strictObject({
      target_id: targetId.optional().describe('As the link says.'),
      limit: integerText(1, 100).optional().describe('How many changes at most; 20 unless said.'),
      key: z.string().min(1).max(100).describe('As the link says.'),
      signature: z.string().min(1).max(100).describe('As the link says.'),
    }),
    replies: {
      200: {
        description: 'The newest changes with their differences (RFC 4287), for whoever has a link to it.',
        content: { 'application/atom+xml': 'text' },
      },
    },
    errors: ['not_found'],
  },
  feedLink: {
    id: 'targetHistory.feedLink',
    method: 'GET',
    path: '/api/account/targets/feed-link',
    summary: 'a link to the feed that a reader opens without a key',
    scopes: ['read'],
    query: z.strictObject({ target_id: targetId.optional().describe('Only of this target; of all unless said.') }),
    replies: {
      200: json(
        z.strictObject({ url: z.string() }).meta({ id: 'FeedLink' }),
        'The link. It holds until the key that asked for it is deleted: mint one for each reader.',
      ),
    },
    errors: ['not_found'],
  },
} as const satisfies OperationGroup;
