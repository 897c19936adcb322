// A monitor as it is kept, with the settings of its tags and with what nobody said filled in.
import { AppError } from '@weft/contract';
import type { ExtractorSpec, MonitorSpec, NewMonitor, Schedule, TextFilter, TextStep } from '@weft/contract';
import {
  CONFIRM_TIMES,
  TROUBLE_AFTER,
  faultOfElement,
  faultOfPattern,
  faultOfSecrets,
  faultOfSelector,
  faultOfWhen,
  secretsNamedIn,
} from '@weft/engine';
import type { MonitorSettings } from '@weft/engine';
import type { MonitorRow, MonitorStore } from './store.ts';

/** Every hour, spread by a tenth (D36). */
const SCHEDULE: Schedule = { every: 3600 };

/** The body of a monitor without its selectors. Throws AppError `bad_request` for members that do not go together. */
export function specOf({ selectors: _selectors, ...spec }: NewMonitor): MonitorSpec {
  checkSpec(spec);
  return spec;
}

/** How a page is asked for: of a workflow its steps say that. */
const OF_PAGES = [
  'method',
  'headers',
  'body',
  'wait_for_selector',
  'wait_ms',
  'screenshot',
  'persona_id',
  'accept_statuses',
  'lane',
  'proxy',
  'respect_robots',
] as const;

/** Throws AppError `bad_request` that names what does not go together. */
export function checkSpec(spec: MonitorSpec): void {
  const { url, workflow_id: workflow, watch, when, wait_for_selector: waits } = spec;
  if ((url === undefined) === (workflow === undefined)) throw refusal('A monitor watches either a "url" or a "workflow_id".');
  const foreign = workflow === undefined ? undefined : OF_PAGES.find((name) => spec[name] !== undefined);
  if (foreign !== undefined) throw refusal(`"${foreign}" is for a page; the workflow says for itself how it asks.`);
  if (workflow === undefined && spec.inputs !== undefined) throw refusal('"inputs" are those of a workflow; there is no "workflow_id".');
  if (workflow === undefined && watch === 'rows') throw refusal('"watch": "rows" is for a workflow; a page has none.');
  checkLane(spec);
  const fault = when && faultOfWhen(when);
  if (fault !== undefined) throw refusal(`"when" ${fault}.`);
  checkFilter(spec.filter);
  checkSecrets(spec);
  const unwaitable = waits === undefined ? undefined : faultOfElement(waits);
  if (unwaitable !== undefined) throw refusal(`"wait_for_selector" can't be read: ${unwaitable}`);
}

/** Keys of the secrets that are sent. */
export function secretsOf({ headers = {}, body = '' }: Pick<MonitorSpec, 'headers' | 'body'>): readonly string[] {
  return [...Object.values(headers), body].flatMap(secretsNamedIn);
}

/** Throws AppError `bad_request` for a reference that can't be read: it would be sent as it is. */
export function checkSecrets({ headers = {}, body = '' }: Pick<MonitorSpec, 'headers' | 'body'>): void {
  const sent = [...Object.entries(headers).map(([name, value]) => [`headers.${name}`, value] as const), ['body', body] as const];
  for (const [where, text] of sent) {
    const fault = faultOfSecrets(text);
    if (fault !== undefined) throw refusal(`"${where}" ${fault}.`);
  }
}

/** Throws AppError `bad_request` for what the lane can't do that it goes by. */
function checkLane(spec: MonitorSpec): void {
  const { method = 'GET', lane, body, screenshot } = spec;
  if (method === 'GET' && body !== undefined) throw refusal('A GET sends no "body"; set "method" to POST or PUT.');
  if (method !== 'GET' && lane === 'browser') throw refusal(`A ${method} goes over HTTP; "lane" can't be "browser".`);
  if (screenshot !== undefined && (method !== 'GET' || lane === 'http'))
    throw refusal('"screenshot" is taken by the browser; the "lane" is "http", or the "method" goes over HTTP.');
  const waiting = (['wait_for_selector', 'wait_ms'] as const).find((name) => spec[name] !== undefined);
  if (waiting !== undefined && (method !== 'GET' || lane === 'http'))
    throw refusal(`"${waiting}" needs a browser; set "lane" to auto or browser and "method" to GET.`);
}

/** Throws AppError `bad_request` with the place of an expression that can't be read. */
export function checkFilter(filter: TextFilter = {}): void {
  for (const [i, selector] of (filter.subtract ?? []).entries()) requireSelector(selector, `filter.subtract[${i}]`);
  for (const name of ['ignore', 'trigger', 'block'] as const)
    for (const [i, phrase] of (filter[name] ?? []).entries()) requirePhrase(phrase, `filter.${name}[${i}]`);
  for (const [i, step] of (filter.steps ?? []).entries()) for (const phrase of phrasesOf(step)) requirePhrase(phrase, `filter.steps[${i}]`);
}

/** Throws AppError `bad_request` with the place in a selector that can't be read (D39). */
export function requireSelector(selector: string | readonly string[], where: string): void {
  for (const part of typeof selector === 'string' ? [selector] : selector) {
    const fault = faultOfSelector(part);
    if (fault !== undefined) throw refusal(`"${where}" can't be read: ${fault}`);
  }
}

/** Throws AppError `bad_request` for an extractor whose expressions can't be read. */
export function requireExtractor(spec: ExtractorSpec, where: string): void {
  if (spec.pattern !== undefined) requirePattern(spec.pattern, `${where}pattern`);
  if (spec.path !== undefined) requireSelector(`jsonpath/${spec.path}`, `${where}path`);
  for (const [name, selector] of Object.entries(spec.fields ?? {}))
    requireSelector(selector.replace(/@[\w:-]+$/, '') || '*', `${where}fields.${name}`);
}

function phrasesOf(step: TextStep): readonly string[] {
  if ('keep' in step) return step.keep;
  if ('drop' in step) return step.drop;
  if ('find' in step) return step.find;
  return 'replace' in step ? [step.replace] : [];
}

function requirePhrase(phrase: string, where: string): void {
  if (/^\/.+\/[a-z]*$/s.test(phrase)) requirePattern(phrase, where);
}

function requirePattern(pattern: string, where: string): void {
  const fault = faultOfPattern(pattern);
  if (fault !== undefined) throw refusal(`"${where}" can't be read: ${fault}`);
}

function refusal(sentence: string): AppError {
  return new AppError('bad_request', sentence);
}

/** What is kept of a monitor. */
export function parseSpec({ definition }: Pick<MonitorRow, 'definition'>): MonitorSpec {
  return JSON.parse(definition) as MonitorSpec;
}

/** A monitor with what its tags pass on: later tags over earlier ones, its own members over all. */
export function effectiveSpec(spec: MonitorSpec, store: Pick<MonitorStore, 'tag'>): MonitorSpec {
  const passed = (spec.tags ?? []).map((name) => JSON.parse(store.tag(name) ?? '{}') as Partial<MonitorSpec>);
  const defined = Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined));
  return Object.assign({}, ...passed, defined) as MonitorSpec;
}

/** What is read of it: of a workflow the rows, unless it has selectors, which are of the page that it ends on. */
export function watchOf({ workflow_id: workflow, watch }: MonitorSpec, hasSelectors: boolean): 'page' | 'main' | 'rows' {
  return watch ?? (workflow === undefined || hasSelectors ? 'page' : 'rows');
}

/** When it is checked by itself. */
export function scheduleOf(effective: MonitorSpec): Schedule {
  return effective.schedule ?? SCHEDULE;
}

/** Whether it is due at other times now. */
export function isDueElse(before: MonitorSpec, after: MonitorSpec): boolean {
  return JSON.stringify(scheduleOf(before)) !== JSON.stringify(scheduleOf(after));
}

/** `current` without what a merge patch replaces as a whole: a schedule goes by one of its members alone. */
export function withoutReplaced<Saved extends { readonly schedule?: Schedule | undefined }>(
  { schedule, ...current }: Saved,
  patch: { readonly schedule?: object | null | undefined },
): Omit<Saved, 'schedule'> & { readonly schedule?: Schedule } {
  return patch.schedule === undefined && schedule !== undefined ? { ...current, schedule } : current;
}

/** How it decides. */
export function settingsOf({
  filter = {},
  when,
  confirm = {},
  known_states: knownStates = 0,
  trouble = {},
  empty_is_change: empty = false,
}: MonitorSpec): MonitorSettings {
  return {
    filter,
    when,
    confirm: { times: confirm.times ?? CONFIRM_TIMES, holdMs: (confirm.hold ?? 0) * 1000 },
    knownStates,
    trouble: {
      after: trouble.after ?? TROUBLE_AFTER,
      afterMs: trouble.seconds === undefined ? undefined : trouble.seconds * 1000,
      repeatMs: trouble.repeat === undefined ? undefined : trouble.repeat * 1000,
    },
    emptyIsChange: empty,
  };
}
