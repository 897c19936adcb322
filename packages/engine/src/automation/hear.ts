// Decides which triggers what has happened sets off. Pure: what a trigger knew before comes in, what it knows after goes out.
import type { Change, Trigger, TriggerOf } from '@weft/contract';
import { compare } from '../run/condition.ts';
import { numberOf } from '../run/template/decimal.ts';
import { memberOf, textOf } from '../run/value.ts';
import type { Cause, CheckCause, MonitorReading, RunCause } from './cause.ts';

/** A trigger of an automation that is enabled. */
export interface Listener {
  readonly id: number;
  readonly automationId: number;
  /** Among the triggers of its automation. */
  readonly place: number;
  readonly trigger: Trigger;
  /** Of `value` and `held`: whether it was met when it was last looked at; undefined before there was anything to look at. */
  readonly met: boolean | undefined;
}

/** What set an automation off, as templates see it. */
export type TriggerData = Readonly<Record<string, unknown>> & {
  readonly type: Trigger['type'];
  /** A sentence for people. */
  readonly summary: string;
};

/** An automation that is set off. */
export interface Firing {
  readonly automationId: number;
  readonly data: TriggerData;
}

/** What follows of a cause. */
export interface Hearing {
  /** At most one for each automation. */
  readonly firings: readonly Firing[];
  /** Listeners that know something else now. */
  readonly marks: readonly { readonly listener: Listener; readonly met: boolean }[];
}

/** Kinds of changes that are trouble with looking. */
const TROUBLE: readonly Change['kind'][] = ['error', 'blocked'];

/** Which automations `cause` sets off: of each the first trigger that fits, by its place. */
export function hear(cause: Cause, listeners: readonly Listener[]): Hearing {
  const firings = new Map<number, Firing>();
  const marks: { listener: Listener; met: boolean }[] = [];
  for (const listener of [...listeners].sort((a, b) => a.place - b.place)) {
    const { trigger, automationId } = listener;
    const met = cause.kind === 'check' ? isMet(trigger, cause.current) : undefined;
    if (met !== undefined && met !== listener.met) marks.push({ listener, met });
    const data = cause.kind === 'check' ? heardCheck(trigger, cause, listener.met, met) : heardRun(trigger, cause);
    if (data && !firings.has(automationId)) firings.set(automationId, { automationId, data });
  }
  return { firings: [...firings.values()], marks };
}

/** Whether what `value` or `held` asks for is so; undefined for other triggers, and where there is no value to compare. */
export function isMet(trigger: Trigger, { state, values }: MonitorReading): boolean | undefined {
  if (trigger.type === 'held' && trigger.state !== undefined) return state === trigger.state;
  if ((trigger.type !== 'held' && trigger.type !== 'value') || trigger.name === undefined) return undefined;
  const value = memberOf(values, trigger.name);
  if (value === undefined) return undefined;
  const { above, below } = trigger;
  if (trigger.type === 'held' && trigger.is !== undefined && !compare(value, 'eq', trigger.is)) return false;
  if (above === undefined && below === undefined) return true;
  const number = numberOf(value);
  return number !== undefined && (above === undefined || number > above) && (below === undefined || number < below);
}

/** What templates see once a state or a value has held. */
export function heldData(trigger: TriggerOf<'held'>): TriggerData {
  const { monitor_id: id, name, state, is, seconds } = trigger;
  const what =
    state === undefined
      ? `${name} of monitor ${id} has been ${is === undefined ? rangeOf(trigger) : textOf(is)}`
      : `Monitor ${id} has been ${state}`;
  const of = name === undefined ? { state } : { name };
  return { type: 'held', summary: `${what} for ${seconds} seconds.`, monitor: { id }, ...of, seconds };
}

function heardCheck(trigger: Trigger, cause: CheckCause, before: boolean | undefined, met: boolean | undefined): TriggerData | undefined {
  const { monitor, runId, changes, current } = cause;
  const { tags: _tags, ...named } = monitor;
  const shared = { monitor: named, run: { id: runId } };
  const told = (wanted: readonly Change['kind'][] | undefined): TriggerData | undefined => {
    const found = changes.filter(({ kind }) => wanted === undefined || wanted.includes(kind));
    const [change] = found;
    return change && { type: trigger.type, summary: `${monitor.name}: ${change.summary}`, ...shared, change, changes: found };
  };
  if (trigger.type === 'change') return told(trigger.kinds);
  if (trigger.type === 'error') return told(TROUBLE);
  // Only one that was known to be on the other side has crossed.
  if (trigger.type !== 'value' || before !== false || met !== true) return undefined;
  const { name } = trigger;
  const value = memberOf(current.values, name);
  return { type: 'value', summary: `${name} of ${monitor.name} is ${textOf(value)}, ${rangeOf(trigger)}.`, ...shared, name, value };
}

function heardRun(trigger: Trigger, { run }: RunCause): TriggerData | undefined {
  const { id, status, source, failure } = run;
  const shared = { run: { id, status, source, ...(failure ? { failure } : {}) } };
  const named = `Run ${id} of ${source.name}`;
  if (trigger.type === 'waits_human')
    return status === 'waiting_human' ? { type: 'waits_human', summary: `${named} waits for a person.`, ...shared } : undefined;
  if (trigger.type === 'error')
    return status === 'failed'
      ? { type: 'error', summary: `${named} failed: ${failure?.message ?? 'it does not say why'}`, ...shared }
      : undefined;
  if (trigger.type !== 'run_finished' || status === 'waiting_human') return undefined;
  const isWanted = trigger.status === undefined || trigger.status.some((wanted) => wanted === status);
  return isWanted ? { type: 'run_finished', summary: `${named} ${status}.`, ...shared } : undefined;
}

function rangeOf({ above, below }: { readonly above?: number | undefined; readonly below?: number | undefined }): string {
  return [above === undefined ? '' : `above ${above}`, below === undefined ? '' : `below ${below}`]
    .filter((part) => part !== '')
    .join(' and ');
}
