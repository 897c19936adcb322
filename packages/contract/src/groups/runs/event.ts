// What a run's event stream and the WebSocket carry (D22).
import { z } from 'zod';
import { instant } from '../../ids.ts';
import { Run, RunStatus } from './run.ts';

const sequenced = { seq: z.int().min(1).describe('Grows by one; the SSE id.'), at: instant };

/** The run as it is when a subscriber arrives; it has no number and no SSE id. */
export const SnapshotEvent = z.strictObject({ type: z.literal('snapshot'), run: Run });
/** A step began, ended, or waits. */
export const StepEvent = z.strictObject({
  type: z.literal('step'),
  ...sequenced,
  index: z.int().min(0).describe('One number per step execution.'),
  step_type: z.string(),
  status: z.enum(['started', 'succeeded', 'failed', 'skipped', 'retrying', 'waiting_human']),
  step_id: z.string().optional(),
  path: z.array(z.union([z.string(), z.int()])).optional(),
  attempt: z.int().min(1).optional(),
  lane: z.enum(['http', 'browser']).optional(),
  duration_ms: z.int().min(0).optional(),
  url: z.string().optional(),
  message: z.string().optional(),
  robots: z
    .strictObject({ allowed: z.boolean(), rule: z.string().optional(), line: z.int().optional() })
    .optional()
    .describe("What the site asks of this user agent for what the step opened by its address: told, and in nobody's way."),
});
/** Rows were kept. */
export const DataEvent = z.strictObject({ type: z.literal('data'), ...sequenced, rows: z.int().min(0) });
/** The run went from one lane to the other. */
export const LaneEvent = z.strictObject({ type: z.literal('lane'), ...sequenced, from: z.string(), to: z.string(), reason: z.string() });
/** A sentence about the run. */
export const LogEvent = z.strictObject({
  type: z.literal('log'),
  ...sequenced,
  level: z.enum(['info', 'warn', 'error']),
  message: z.string(),
});
/** The ledger of a crawl, while it runs. */
export const ProgressEvent = z
  .strictObject({ type: z.literal('progress'), ...sequenced, counts: z.record(z.string(), z.number()) })
  .describe('The ledger of a crawl in numbers, at most once a second.');
/** A monitor found a change. */
export const ChangeEvent = z.strictObject({ type: z.literal('change'), ...sequenced, kind: z.string(), message: z.string() });
/** The run is settled; nothing follows. */
export const FinishedEvent = z.strictObject({ type: z.literal('finished'), ...sequenced, status: RunStatus });

/** One event of a run; `snapshot` comes first and `finished` last, also for late subscribers. */
export const RunEvent = z
  .discriminatedUnion('type', [SnapshotEvent, StepEvent, DataEvent, LaneEvent, LogEvent, ProgressEvent, ChangeEvent, FinishedEvent])
  .meta({ id: 'RunEvent' });
export type RunEvent = z.infer<typeof RunEvent>;
/** An event of the log: all but the snapshot. */
export type LoggedEvent = Exclude<RunEvent, { type: 'snapshot' }>;
