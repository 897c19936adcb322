// Checks: what one look at a page came to, gate by gate.
import { z } from 'zod';
import { instant } from '../../ids.ts';
import { FAILURE_CODES } from '../runs/run.ts';
import { FoundVia, TargetVerdict } from '../selectors/selector.ts';
import { Change } from './change.ts';

/** The gates of a check, in their order. */
export const GATES = ['fetch', 'subtract', 'match', 'extract', 'ignore', 'conditions', 'confirm', 'notify'] as const;
/** What one gate did. */
export const GateTrace = z
  .strictObject({
    gate: z.enum(GATES),
    outcome: z
      .enum(['passed', 'stopped', 'skipped'])
      .describe('`stopped`: for this reason nothing was told. `skipped`: there was nothing for it to do.'),
    reasons: z.array(z.string()).describe('In sentences, with the values and limits that decided.'),
    duration_ms: z.int().min(0).optional(),
  })
  .meta({ id: 'GateTrace' });
export type GateTrace = z.infer<typeof GateTrace>;

/** How a monitor stands. The first three are of what is watched, the others trouble with looking at it. */
export const MONITOR_STATES = ['new', 'ok', 'pending', 'missing', 'empty', 'blocked', 'error', 'vault_locked', 'offline'] as const;
/** `new`: never checked. `pending`: something changed and is not confirmed yet. `offline`: the machine is, and checks are put off. */
export const MonitorStateKind = z.enum(MONITOR_STATES);
export type MonitorStateKind = z.infer<typeof MonitorStateKind>;

/** One value as a check read it. */
export const CheckedValue = z
  .strictObject({
    selector_id: z.int().optional().describe('Absent where it is the page.'),
    extractor_id: z.int().optional().describe('Absent where it is the text.'),
    name: z.string(),
    type: z.string(),
    value: z.unknown().optional().describe('Absent where there is none.'),
    text: z.string().optional().describe('As it is shown and compared; at most 10,000 characters.'),
    problem: z.string().optional().describe('Why there is no value.'),
    previous: z.unknown().optional().describe('The value that it is held against.'),
    changed: z.boolean(),
    told: z.boolean().describe('Whether a change tells of it.'),
    differs_from_baseline: z.boolean().optional().describe('Absent without a baseline.'),
    verdict: TargetVerdict.optional(),
    via: FoundVia.optional(),
    confidence: z.number().min(0).max(1).optional(),
    healed: z.boolean().optional().describe('True where a proposed repair found it; the selector stays as it is.'),
    reasons: z.array(z.string()).describe('Why a change of it is told, or not.'),
  })
  .meta({ id: 'CheckedValue' });
export type CheckedValue = z.infer<typeof CheckedValue>;

/** What a check came to: the `output` of its run. */
export const Check = z
  .strictObject({
    run_id: z.int(),
    monitor_id: z.int(),
    checked_at: instant,
    verdict: z
      .enum(['first', 'unchanged', 'changed', 'pending', 'trouble'])
      .describe(
        '`first`: nothing was known before. `pending`: waits to be confirmed. `trouble`: could not be looked at, and nothing was compared.',
      ),
    changed_since_last: z.boolean(),
    differs_from_baseline: z.boolean().optional().describe('Absent without a baseline.'),
    state: MonitorStateKind,
    failure: z.enum(FAILURE_CODES).optional().describe('Of trouble: its code.'),
    page: z
      .strictObject({
        url: z.string().describe('The address that answered.'),
        status: z.int(),
        lane: z.enum(['http', 'browser']),
        from_cache: z.boolean().describe('The site said that nothing has changed (304).'),
        bytes: z.int().min(0),
        title: z.string().optional(),
      })
      .optional(),
    trace: z.array(GateTrace),
    values: z.array(CheckedValue),
    changes: z.array(Change),
    flapping: z.boolean().optional().describe('True while it comes back to states that it was told in before.'),
    duration_ms: z.int().min(0),
  })
  .meta({ id: 'Check' });
export type Check = z.infer<typeof Check>;
