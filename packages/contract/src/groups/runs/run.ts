// Runs: everything that executes (D19).
import { z } from 'zod';
import { instant } from '../../ids.ts';

/** The kinds of things that execute. */
export const RUN_KINDS = ['workflow', 'monitor', 'crawl', 'automation', 'build'] as const;
/** What kind of thing a run executes. */
export const RunKind = z.enum(RUN_KINDS);
export type RunKind = z.infer<typeof RunKind>;

/** The statuses of a run that can still change. */
export const LIVE_STATUSES = ['queued', 'running', 'waiting_human'] as const;
/** The statuses of a run that has finished. */
export const SETTLED_STATUSES = ['succeeded', 'failed', 'cancelled'] as const;
/** Where a run stands (D19). */
export const RunStatus = z.enum([...LIVE_STATUSES, ...SETTLED_STATUSES]);
export type RunStatus = z.infer<typeof RunStatus>;

/** True once a run has finished, however. */
export function isSettled(status: RunStatus): boolean {
  return (SETTLED_STATUSES as readonly string[]).includes(status);
}

/** The stable reasons for which a run fails (D19): first what can go wrong with a page, under the names that a ledger has for it. */
export const FAILURE_CODES = [
  'address',
  'robots',
  'dns',
  'connect',
  'tls',
  'timeout',
  'redirect_loop',
  'redirect_limit',
  'body_too_large',
  'truncated',
  'bad_response',
  'http_status',
  'server_error',
  'rate_limited',
  'blocked',
  'captcha',
  'unsupported_type',
  'page_too_complex',
  'page_unreadable',
  'selector',
  'browser',
  'vault_locked',
  'interrupted',
  'assert',
  'no_rows',
  'model',
  'internal',
  'input',
] as const;
/** Why a run failed. */
export const RunFailure = z
  .strictObject({ code: z.enum(FAILURE_CODES), message: z.string(), step_id: z.string().optional() })
  .meta({ id: 'RunFailure' });
export type RunFailure = z.infer<typeof RunFailure>;

/** What made a run: a call of the interface, its own schedule, an automation that acted, or another run. */
export const RUN_TRIGGERS = ['call', 'schedule', 'automation', 'run'] as const;
/** What made a run. */
export const RunTrigger = z.enum(RUN_TRIGGERS);
export type RunTrigger = z.infer<typeof RunTrigger>;

const runFields = {
  kind: RunKind,
  status: RunStatus,
  source: z
    .strictObject({ kind: z.string(), id: z.union([z.int(), z.string()]).optional(), name: z.string() })
    .describe('What the run executes: a saved definition, or the address that an ad-hoc run was given.'),
  trigger: RunTrigger.describe('What made the run: a `call`, its own `schedule`, an `automation` that acted, or another `run`.'),
  parent_id: z.int().optional().describe('The run that made this one, while it is kept.'),
  persona_id: z.int().optional().describe('Whom the run acts as.'),
  lane: z
    .enum(['http', 'browser'])
    .optional()
    .describe(
      'The lane that the run goes on, known at its end where the run chooses it; `browser` where it went on there, and its events tell when.',
    ),
  revision: z.int().optional().describe('The revision of what the run executes, where that has revisions.'),
  deadline_at: instant.optional().describe('When the run ends as failed, `timeout`, unless it is settled by then.'),
  rows_extracted: z.int().min(0),
  dataset_id: z.int().optional().describe('Where the rows and pages of this run are records.'),
  failure: RunFailure.optional(),
  created_at: instant,
  started_at: instant.optional(),
  finished_at: instant.optional(),
  duration_ms: z.int().min(0).optional(),
};

/** A run by its row id. */
export const Run = z.strictObject({ id: z.int().describe('Row id; every /v1/runs/{id} call takes it.'), ...runFields }).meta({ id: 'Run' });
export type Run = z.infer<typeof Run>;

/** A run in the feed, where ids say their kind (D7). */
export const FeedRun = z
  .strictObject({ id: z.string().describe('`<kind>-<row_id>`.'), row_id: z.int(), ...runFields })
  .meta({ id: 'FeedRun' });
export type FeedRun = z.infer<typeof FeedRun>;

/** What a run came to, whatever it executed. */
export const RunResults = z
  .strictObject({
    id: z.int(),
    status: RunStatus,
    output: z
      .unknown()
      .optional()
      .describe('What it gives: of a workflow its `output`, of a crawl its ledger in numbers. Absent where there is none.'),
    steps: z.record(z.string(), z.unknown()).describe('What each step gave last, by its id; empty where there are none.'),
    files: z
      .array(z.strictObject({ id: z.string(), name: z.string(), content_type: z.string(), bytes: z.int().min(0) }))
      .describe('Files that it brought.'),
    warnings: z.array(z.string()).describe('What was left out or went on in spite of a failure.'),
    rows_extracted: z.int().min(0),
    dataset_id: z.int().optional(),
    failure: RunFailure.optional(),
  })
  .meta({ id: 'RunResults' });
export type RunResults = z.infer<typeof RunResults>;

/** What a run waits for. */
export const RunQuestion = z
  .strictObject({
    waits: z.boolean(),
    step_id: z.string().optional(),
    reason: z.string().optional(),
    instructions: z.string().optional(),
  })
  .meta({ id: 'RunQuestion' });
export type RunQuestion = z.infer<typeof RunQuestion>;
