// What is wrong with an automation before it is kept, and what it names.
import type { Action, AutomationCondition, Condition, NewAutomation, Trigger } from '@weft/contract';
import { faultOfSchema } from '../run/definition/json-schema.ts';
import { TemplateError } from '../run/template/parse.ts';
import { referencesOf } from '../run/template/references.ts';
import { isMembers } from '../run/value.ts';

/** What automations are made of that can be wrong. */
export type CheckedAutomation = Pick<NewAutomation, 'triggers' | 'conditions' | 'actions' | 'mode' | 'max'>;

/** Something that an automation names, and where. */
export interface NamedThing {
  readonly kind: 'monitor' | 'workflow' | 'crawl' | 'automation' | 'channel';
  readonly ref: number | string;
  /** Such as `triggers[0].monitor_id`. */
  readonly at: string;
  /** A value of the monitor. */
  readonly value?: string;
}

/** The members of a condition or an action that hold templates. */
const PLACES_OF_ACTION = ['trigger', 'values', 'states', 'actions'];
const PLACES_OF_CONDITION = ['trigger', 'values', 'states'];

/** The first thing that is wrong, as a sentence; undefined where nothing is. */
export function faultOfAutomation({ triggers, conditions = [], actions, mode = 'single', max }: CheckedAutomation): string | undefined {
  if (max !== undefined && mode !== 'queued' && mode !== 'parallel')
    return `"max" is of the modes queued and parallel; the mode is ${mode}, which has one live run.`;
  const faults = [
    ...triggers.map((trigger, i) => faultOfTrigger(trigger, `triggers[${i}]`)),
    ...conditions.map((condition, i) => faultOfCondition(condition, `conditions[${i}]`)),
    ...actions.map((action, i) => faultOfAction(action, i)),
  ];
  return faults.find((fault) => fault !== undefined);
}

/** All that it names, in its order, the monitors and values of its templates among them. */
export function namedBy({
  triggers,
  conditions = [],
  actions,
}: Pick<CheckedAutomation, 'triggers' | 'conditions' | 'actions'>): readonly NamedThing[] {
  return [
    ...triggers.flatMap((trigger, i) => namedByTrigger(trigger, `triggers[${i}]`)),
    ...conditions.flatMap((condition, i) => namedByTemplates(condition, `conditions[${i}]`)),
    ...actions.flatMap((action, i) => [
      ...namedByMembers(action, `actions[${i}]`),
      ...namedByTemplates(templatesOf(action), `actions[${i}]`),
    ]),
  ];
}

/** The monitors whose values or states the templates in `value` read. */
export function monitorsRead(value: unknown): readonly number[] {
  return [...new Set(namedByTemplates(value, '').map(({ ref }) => Number(ref)))];
}

/** The places of actions whose results the templates in `value` read. */
export function actionsRead(value: unknown): readonly number[] {
  const places = pathsIn(value).flatMap(([root, place]) =>
    root === 'actions' && place !== undefined && /^\d+$/.test(place) ? [Number(place)] : [],
  );
  return [...new Set(places)];
}

/** What of an action is filled in. */
export function templatesOf(action: Action): unknown {
  if (action.type === 'run_workflow') return action.inputs;
  return action.type === 'notify' ? { title: action.title, body: action.body } : undefined;
}

function faultOfTrigger(trigger: Trigger, at: string): string | undefined {
  if (trigger.type !== 'call' || trigger.payload === undefined) return undefined;
  const fault = faultOfSchema(trigger.payload);
  return fault && `"${at}.payload" ${fault}.`;
}

function faultOfCondition(condition: AutomationCondition, at: string): string | undefined {
  if ('windows' in condition) return undefined;
  if (readsPage(condition)) return `"${at}" reads a page, and there is none; compare {{trigger...}} or {{values.<monitor>.<name>}}.`;
  return faultOfTemplates(condition, at, PLACES_OF_CONDITION);
}

function readsPage(condition: Condition): boolean {
  if ('all' in condition) return condition.all.some(readsPage);
  if ('any' in condition) return condition.any.some(readsPage);
  return 'not' in condition ? readsPage(condition.not) : condition.page !== undefined;
}

function faultOfAction(action: Action, i: number): string | undefined {
  const templates = templatesOf(action);
  const fault = faultOfTemplates(templates, `actions[${i}]`, PLACES_OF_ACTION);
  if (fault !== undefined) return fault;
  const late = actionsRead(templates).find((place) => place >= i);
  return late === undefined ? undefined : `"actions[${i}]" refers to {{actions.${late}}}, which has not been done by then.`;
}

function faultOfTemplates(value: unknown, at: string, places: readonly string[]): string | undefined {
  for (const { text, path } of textsIn(value, at)) {
    try {
      const { paths, isSealed, files } = referencesOf(text);
      if (isSealed) return `"${path}" names a secret; what needs one is a workflow, which has it for its own origins.`;
      if (files.length > 0) return `"${path}" names a file; what needs one is a workflow.`;
      const odd = paths.find(([root = '']) => !places.includes(root));
      if (odd) return `"${path}" refers to {{${odd.join('.')}}}; there are ${places.map((place) => `{{${place}...}}`).join(', ')}.`;
      const half = paths.find(([root, monitor = '']) => (root === 'values' || root === 'states') && !/^\d+$/.test(monitor));
      if (half) return `"${path}" refers to {{${half.join('.')}}}, which names no monitor by its id: {{values.<monitor>.<name>}}.`;
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      return `"${path}" ${error.message}.`;
    }
  }
  return undefined;
}

function namedByTrigger(trigger: Trigger, at: string): readonly NamedThing[] {
  const named = namedByMembers(trigger, at);
  if (trigger.type !== 'value' && trigger.type !== 'held') return named;
  const { monitor_id: ref, name: value } = trigger;
  return value === undefined ? named : [...named, { kind: 'monitor', ref, at: `${at}.name`, value }];
}

/** By the members that ids stand in. */
function namedByMembers(value: Trigger | Action, at: string): readonly NamedThing[] {
  const members: Readonly<Record<string, unknown>> = { ...value };
  const kinds = { monitor_id: 'monitor', workflow_id: 'workflow', ref: 'crawl', automation_id: 'automation' } as const;
  const named = Object.entries(kinds).flatMap(([name, kind]) => {
    const ref = members[name];
    return typeof ref === 'number' || typeof ref === 'string' ? [{ kind, ref, at: `${at}.${name}` }] : [];
  });
  const channels = 'channels' in value ? (value.channels ?? []) : [];
  return [...named, ...channels.map((ref, i) => ({ kind: 'channel' as const, ref, at: `${at}.channels[${i}]` }))];
}

function namedByTemplates(value: unknown, at: string): readonly NamedThing[] {
  return pathsIn(value).flatMap(([root, monitor = '', name]) => {
    if ((root !== 'values' && root !== 'states') || !/^\d+$/.test(monitor)) return [];
    const of = { kind: 'monitor' as const, ref: Number(monitor), at };
    return [root === 'values' && name !== undefined ? { ...of, value: name } : of];
  });
}

function pathsIn(value: unknown): readonly (readonly string[])[] {
  return textsIn(value, '').flatMap(({ text }) => referencesOf(text).paths);
}

function textsIn(value: unknown, path: string): readonly { readonly text: string; readonly path: string }[] {
  if (typeof value === 'string') return [{ text: value, path }];
  if (Array.isArray(value)) return value.flatMap((item, i) => textsIn(item, `${path}[${i}]`));
  return isMembers(value) ? Object.entries(value).flatMap(([name, item]) => textsIn(item, path === '' ? name : `${path}.${name}`)) : [];
}
