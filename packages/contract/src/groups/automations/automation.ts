// Automations: what makes them act, under which conditions, and what they do (D39).
import { z } from 'zod';
import { instant } from '../../ids.ts';
import { patchOf } from '../../patch.ts';
import { ScheduleWindow, TimeZone } from '../../schedule.ts';
import { RunStatus } from '../runs/run.ts';
import { Condition } from '../workflows/condition.ts';
import { Action } from './action.ts';
import { Trigger } from './trigger.ts';

/** Holds in a part of the week alone. */
export const TimeCondition = z
  .strictObject({ windows: z.array(ScheduleWindow).min(1).max(50), timezone: TimeZone.optional() })
  .describe('Holds in one of these windows.');
export type TimeCondition = z.infer<typeof TimeCondition>;

/** A comparison, several put together, or a part of the week. */
export const AutomationCondition = z.union([Condition, TimeCondition]).meta({ id: 'AutomationCondition' });
export type AutomationCondition = z.infer<typeof AutomationCondition>;

/** What becomes of a trigger while a run goes on; as Home Assistant has them. */
export const AutomationMode = z
  .enum(['single', 'restart', 'queued', 'parallel'])
  .describe(
    'While a run goes on, another is refused (`single`), ends it (`restart`), waits for it (`queued`), or goes beside it (`parallel`).',
  );
export type AutomationMode = z.infer<typeof AutomationMode>;

/** Live runs of one automation at most, where nobody says. */
export const AUTOMATION_RUNS_MAX = 10;

const fields = {
  name: z.string().min(1).max(200),
  enabled: z.boolean().optional().describe('True unless said: one that is not acts only when it is run by hand.'),
  triggers: z.array(Trigger).min(1).max(50).describe('Any of them; of one event the first that fits counts.'),
  conditions: z
    .array(AutomationCondition)
    .max(50)
    .optional()
    .describe('All have to hold. Places: `{{trigger...}}`, `{{values.<monitor>.<name>}}` and `{{states.<monitor>}}`, as they are then.'),
  actions: z.array(Action).min(1).max(100).describe('One after another; the first that fails ends the run, unless it says otherwise.'),
  mode: AutomationMode.optional().describe('`single` unless said.'),
  max: z
    .int()
    .min(2)
    .max(100)
    .optional()
    .describe(
      `Of \`queued\` and \`parallel\`: live runs, those that wait among them; more are refused. ${AUTOMATION_RUNS_MAX} unless said.`,
    ),
};

/** The body that makes an automation. */
export const NewAutomation = z.strictObject(fields).meta({ id: 'CreateAutomation' });
export type NewAutomation = z.infer<typeof NewAutomation>;

/** A merge patch of an automation (RFC 7396): lists are replaced as a whole. */
export const AutomationPatch = z.strictObject(patchOf(fields)).meta({ id: 'AutomationPatch' });
export type AutomationPatch = z.infer<typeof AutomationPatch>;

/** An automation. */
export const Automation = z
  .strictObject({
    id: z.int(),
    ...fields,
    enabled: z.boolean(),
    mode: AutomationMode,
    disabled_reason: z.string().optional().describe('Why the agent switched it off, such as a monitor that was deleted.'),
    last_run: z.strictObject({ id: z.int(), status: RunStatus, finished_at: instant.optional() }).optional(),
    next_run_at: instant.optional().describe('By its schedules.'),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'Automation' });
export type Automation = z.infer<typeof Automation>;

/** What was decided of one condition. */
export interface ConditionTrace {
  readonly holds: boolean;
  /** In sentences, with the values that decided. */
  readonly reasons: readonly string[];
}

/** What became of one action. */
export interface ActionTrace {
  readonly type: Action['type'];
  readonly status: 'running' | 'done' | 'failed' | 'not_reached';
  readonly message?: string;
  /** The run that it made. */
  readonly run_id?: number;
  readonly started_at?: string;
  readonly finished_at?: string;
}

/** The `output` of a run of an automation: what made it act, what it decided, and what it did. */
export interface AutomationTrace {
  readonly automation: { readonly id: number; readonly name: string; readonly enabled: boolean };
  /** `type` of the trigger, `at`, `summary` in a sentence, and what the trigger knows: `monitor`, `change`, `value`, `run`, `payload`. */
  readonly trigger: Readonly<Record<string, unknown>>;
  /** `refused`: by its mode, or since automations had made each other act too often. */
  readonly outcome: 'live' | 'refused' | 'conditions' | 'done' | 'failed' | 'cancelled';
  /** Why it was refused. */
  readonly reason?: string;
  readonly conditions: readonly ConditionTrace[];
  readonly actions: readonly ActionTrace[];
}
