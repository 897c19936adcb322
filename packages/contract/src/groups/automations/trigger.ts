// What makes an automation act.
import { z } from 'zod';
import { refText, rowId } from '../../ids.ts';
import { Schedule } from '../../schedule.ts';
import { ChangeKind } from '../monitors/change.ts';
import { MonitorStateKind } from '../monitors/check.ts';
import { SETTLED_STATUSES } from '../runs/run.ts';

type Issues = z.core.$ZodRawIssue[];

/** Refuses an object that has none, or more than one, of `names`. */
function exactlyOne(names: readonly string[]) {
  return ({ value, issues }: { readonly value: object; readonly issues: Issues }): void => {
    const given = names.filter((name) => Object.entries(value).some(([member, of]) => member === name && of !== undefined));
    const [first = '', second = ''] = given.length === 0 ? names : given;
    const message =
      given.length === 0
        ? `is missing: say ${names.map((name) => `"${name}"`).join(' or ')}`
        : `stands beside "${first}": say one of the two`;
    if (given.length !== 1) issues.push({ code: 'custom', message, path: [given.length === 0 ? first : second], input: value });
  };
}

const valueName = z.string().min(1).max(200).describe('What the monitor calls the value.');
const bounds = {
  above: z.number().optional().describe('More than this; of prices in their currency.'),
  below: z.number().optional().describe('Less than this; with `above` between the two.'),
};

function bounded({
  value,
  issues,
}: {
  readonly value: { readonly above?: unknown; readonly below?: unknown };
  readonly issues: Issues;
}): void {
  if (value.above === undefined && value.below === undefined)
    issues.push({ code: 'custom', message: 'is missing, and so is "below": say one of the two, or both', path: ['above'], input: value });
}

const OnChange = z
  .strictObject({
    type: z.literal('change'),
    monitor_id: rowId.optional(),
    tag: z.string().min(1).max(63).optional().describe('Any monitor with this tag.'),
    kinds: z.array(ChangeKind).min(1).max(20).optional().describe('Only these; all that are told unless said.'),
  })
  .check(exactlyOne(['monitor_id', 'tag']))
  .describe('A check told a change; several of one check are one trigger.');

const OnValue = z
  .strictObject({ type: z.literal('value'), monitor_id: rowId, name: valueName, ...bounds })
  .check(bounded)
  .describe('A number came to be there: on crossing alone, not as long as it is.');

const OnHeld = z
  .strictObject({
    type: z.literal('held'),
    monitor_id: rowId,
    state: MonitorStateKind.optional().describe('How the monitor stands.'),
    name: valueName.optional(),
    is: z.unknown().optional().describe('The value of `name`: a text, a number or the state of a stock.'),
    ...bounds,
    seconds: z.int().min(1).max(31_536_000).describe('For so long without a check that saw otherwise.'),
  })
  .check(exactlyOne(['state', 'name']), ({ value, issues }) => {
    const isSaid = value.is !== undefined || value.above !== undefined || value.below !== undefined;
    const fault = value.name !== undefined && !isSaid ? 'is missing: say what the value "is", or "above" or "below"' : undefined;
    const odd = value.state !== undefined && isSaid ? 'is of a value; there is a "state"' : undefined;
    const message = fault ?? odd;
    if (message !== undefined) issues.push({ code: 'custom', message, path: ['is'], input: value });
  })
  .describe('A state or a value stayed so; once, until it was otherwise.');

const OnError = z
  .strictObject({ type: z.literal('error'), monitor_id: rowId.optional(), workflow_id: rowId.optional() })
  .check(exactlyOne(['monitor_id', 'workflow_id']))
  .describe('A monitor told trouble with looking (`error`, `blocked`), or a run of a workflow failed.');

const OnPerson = z
  .strictObject({ type: z.literal('waits_human'), workflow_id: rowId.optional() })
  .describe('A run began to wait for a person; of any workflow unless said.');

const OnFinished = z
  .strictObject({
    type: z.literal('run_finished'),
    workflow_id: rowId.optional(),
    monitor_id: rowId.optional(),
    ref: refText.optional().describe('A saved crawl; it is kept as its id.'),
    status: z.array(z.enum(SETTLED_STATUSES)).min(1).max(3).optional().describe('Only these; any unless said.'),
  })
  .check(exactlyOne(['workflow_id', 'monitor_id', 'ref']))
  .describe('A run is settled.');

const OnSchedule = z
  .strictObject({
    type: z.literal('schedule'),
    schedule: Schedule.refine(({ adaptive }) => adaptive === undefined, {
      path: ['adaptive'],
      error: 'is for monitors: an automation has no changes to go by',
    }),
  })
  .describe('It is time.');

const OnCall = z
  .strictObject({
    type: z.literal('call'),
    payload: z.record(z.string(), z.unknown()).optional().describe('JSON Schema that the payload of each call has to fit.'),
  })
  .describe(
    '`POST /v1/automations/{id}/run`, which any automation takes: this alone for one that has no other trigger, or to check payloads.',
  );

/** What makes an automation act; which one did is `{{trigger}}` in its templates. */
export const Trigger = z
  .discriminatedUnion('type', [OnChange, OnValue, OnHeld, OnError, OnPerson, OnFinished, OnSchedule, OnCall])
  .meta({ id: 'Trigger' });
export type Trigger = z.infer<typeof Trigger>;
/** One of them. */
export type TriggerOf<Type extends Trigger['type']> = Extract<Trigger, { readonly type: Type }>;
