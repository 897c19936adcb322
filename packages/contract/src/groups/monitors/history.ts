// History: what checks of a monitor saw, how it differs, and how its values went.
import { z } from 'zod';
import { Difference } from '../../diff.ts';
import { instant } from '../../ids.ts';
import { ExtractorType } from '../extractors/extractor.ts';

/** What is kept of a check: its values, the body that they were read from, a picture where one was asked for. */
export const SNAPSHOT_PARTS = ['values', 'body', 'picture'] as const;
/** A part of a snapshot. */
export const SnapshotPartName = z.enum(SNAPSHOT_PARTS);
export type SnapshotPartName = z.infer<typeof SnapshotPartName>;

/** A content of a snapshot. */
export const SnapshotPart = z
  .strictObject({ part: SnapshotPartName, content_type: z.string(), bytes: z.int().min(0), sha256: z.string() })
  .meta({ id: 'SnapshotPart' });
export type SnapshotPart = z.infer<typeof SnapshotPart>;

/** A value as a snapshot keeps it. */
export const SnapshotValue = z
  .strictObject({
    selector_id: z.int().optional().describe('Absent where it is the page.'),
    extractor_id: z.int().optional().describe('Absent where it is the text.'),
    name: z.string(),
    type: ExtractorType,
    value: z.unknown().optional().describe('Absent where there is none.'),
    text: z.string().describe('As it is shown.'),
    compared: z.string().describe('As it is compared: what counts for nothing is taken out.'),
  })
  .meta({ id: 'SnapshotValue' });
export type SnapshotValue = z.infer<typeof SnapshotValue>;

/** What a check saw that was the first, or found something new. */
export const Snapshot = z
  .strictObject({
    id: z.int(),
    monitor_id: z.int(),
    run_id: z.int().describe('The check.'),
    url: z.string().describe('The address that answered.'),
    parts: z.array(SnapshotPart),
    created_at: instant,
  })
  .meta({ id: 'Snapshot' });
export type Snapshot = z.infer<typeof Snapshot>;

/** A snapshot with the values that are kept in it. */
export const SnapshotWithValues = z.strictObject({ ...Snapshot.shape, values: z.array(SnapshotValue) }).meta({ id: 'SnapshotWithValues' });
export type SnapshotWithValues = z.infer<typeof SnapshotWithValues>;

/** How two readings are compared. */
export const DIFF_FORMS = ['word', 'line', 'unified', 'side_by_side', 'json', 'items', 'picture'] as const;
/** A form of a difference. */
export const DiffForm = z.enum(DIFF_FORMS);
export type DiffForm = z.infer<typeof DiffForm>;

/** In which forms a difference is written for people. */
export const DiffRender = z.enum(['text', 'markdown', 'html', 'png']);
export type DiffRender = z.infer<typeof DiffRender>;

const DiffSide = z.strictObject({
  snapshot_id: z.int().optional().describe('Absent where none is kept: the value is that of the change.'),
  run_id: z.int().optional(),
  at: instant.optional(),
});

/** How one reading differs from another. */
export const HistoryDiff = z
  .strictObject({
    monitor_id: z.int(),
    change_id: z.int().optional(),
    old: DiffSide,
    new: DiffSide,
    difference: Difference,
  })
  .meta({ id: 'HistoryDiff' });
export type HistoryDiff = z.infer<typeof HistoryDiff>;

/** Lengths of time that are counted together, by UTC, in seconds. */
export const BUCKETS = { minute: 60, hour: 3600, day: 86_400 } as const;
/** The name of such a length. */
export const BucketName = z.enum(['minute', 'hour', 'day']);
export type BucketName = z.infer<typeof BucketName>;

/** A value from the moment on at which a check saw it. */
export const SeriesPoint = z
  .strictObject({ at: instant, run_id: z.int(), value: z.unknown().optional().describe('Absent where there was none.'), text: z.string() })
  .meta({ id: 'SeriesPoint' });
export type SeriesPoint = z.infer<typeof SeriesPoint>;

/** What a value was in a bucket in which it changed; in one that is left out it stayed what it was. */
export const SeriesBucket = z
  .strictObject({
    at: instant.describe('The beginning of the bucket.'),
    points: z.int().min(1).describe('How often it became another.'),
    first: z.unknown().optional().describe('What it was at the beginning, else the first that it became.'),
    last: z.unknown().optional(),
    min: z.number().optional().describe('Of numbers, and of prices in minor units.'),
    max: z.number().optional(),
    mean: z.number().optional().describe('Weighted by how long each was so.'),
    currency: z.string().optional().describe('Of prices. Where it changes, what follows is a bucket of its own.'),
  })
  .meta({ id: 'SeriesBucket' });
export type SeriesBucket = z.infer<typeof SeriesBucket>;

const StateTime = z.strictObject({ state: z.string(), seconds: z.number().min(0), share: z.number().min(0).max(1) });

/** For how long something was in each state. */
export const Durations = z
  .strictObject({
    of: z.enum(['monitor', 'availability']),
    from: instant.describe('When the first state began that is counted, or `since`.'),
    until: instant,
    total: z.array(StateTime).describe('Longest first.'),
    spans: z.array(z.strictObject({ state: z.string(), from: instant, to: instant })).describe('The newest thousand, oldest first.'),
    spans_left_out: z.int().min(0).describe('How many older ones are not named; they are counted.'),
    buckets: z
      .array(z.strictObject({ at: instant, states: z.record(z.string(), z.number().min(0)).describe('Seconds in each.') }))
      .optional()
      .describe('Where `bucket` was sent.'),
  })
  .meta({ id: 'Durations' });
export type Durations = z.infer<typeof Durations>;

/** What the checks that began in one hour came to. */
export const MonitorHour = z
  .strictObject({
    hour: instant.describe('Its beginning.'),
    checks: z.int().min(1),
    unchanged: z.int().min(0),
    trouble: z.int().min(0).describe('Those that could not look.'),
    mean_ms: z.number().min(0),
  })
  .meta({ id: 'MonitorHour' });
export type MonitorHour = z.infer<typeof MonitorHour>;
