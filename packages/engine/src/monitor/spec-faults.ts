// What is wrong with a monitor as it is to be saved: told when it is saved, and not at its first check. Each function answers a sentence.
import type { ExtractorSpec, MonitorSpec, SelectorSpec, TextFilter, TextStep } from '@weft/contract';
import { faultOfElement, faultOfPattern, faultOfSelector } from './faults.ts';
import { faultOfSecrets } from './secret-references.ts';
import { faultOfWhen } from './verdict/conditions.ts';

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

/** Why these members do not go together, or which expression can't be read; undefined where nothing is wrong. */
export function faultOfMonitor(spec: MonitorSpec): string | undefined {
  return first(faultsOfMonitor(spec));
}

/** The place of an expression of a filter that can't be read, and why. */
export function faultOfFilter(filter: TextFilter = {}): string | undefined {
  return first(faultsOfFilter(filter));
}

/** Likewise of the references to secrets in what is sent: one that can't be read would be sent as it is. */
export function faultOfSent({ headers = {}, body = '' }: Pick<MonitorSpec, 'headers' | 'body'>): string | undefined {
  for (const [where, text] of [
    ...Object.entries(headers).map(([name, value]) => [`headers.${name}`, value] as const),
    ['body', body] as const,
  ]) {
    const fault = faultOfSecrets(text);
    if (fault !== undefined) return `"${where}" ${fault}.`;
  }
  return undefined;
}

/** Why a selector with its extractors can't be read (D39); `where` stands before the names of its members. */
export function faultOfTarget(
  { selector, extractors = [] }: Pick<SelectorSpec, 'selector' | 'extractors'>,
  where: string,
): string | undefined {
  const own = faultOfExpression(selector, `${where}selector`);
  return own ?? first(extractors.map((spec, i) => faultOfExtractor(spec, `${where}extractors[${i}].`)));
}

/** Why a selector, of one part or several, can't be read. */
export function faultOfExpression(selector: string | readonly string[], where: string): string | undefined {
  return first((typeof selector === 'string' ? [selector] : selector).map((part) => unreadable(where, faultOfSelector(part))));
}

/** Why the expressions of an extractor can't be read. */
export function faultOfExtractor(spec: ExtractorSpec, where: string): string | undefined {
  return first(faultsOfExtractor(spec, where));
}

function* faultsOfMonitor(spec: MonitorSpec): Faults {
  const { url, workflow_id: workflow, watch, when, wait_for_selector: waits } = spec;
  if ((url === undefined) === (workflow === undefined)) yield 'A monitor watches either a "url" or a "workflow_id".';
  const foreign = workflow === undefined ? undefined : OF_PAGES.find((name) => spec[name] !== undefined);
  if (foreign !== undefined) yield `"${foreign}" is for a page; the workflow says for itself how it asks.`;
  if (workflow === undefined && spec.inputs !== undefined) yield '"inputs" are those of a workflow; there is no "workflow_id".';
  if (workflow === undefined && watch === 'rows') yield '"watch": "rows" is for a workflow; a page has none.';
  yield* faultsOfLane(spec);
  const fault = when && faultOfWhen(when);
  if (fault !== undefined) yield `"when" ${fault}.`;
  yield faultOfFilter(spec.filter);
  yield faultOfSent(spec);
  if (waits !== undefined) yield unreadable('wait_for_selector', faultOfElement(waits));
}

/** What the lane can't do that it goes by. */
function* faultsOfLane(spec: MonitorSpec): Faults {
  const { method = 'GET', lane, body, screenshot } = spec;
  if (method === 'GET' && body !== undefined) yield 'A GET sends no "body"; set "method" to POST or PUT.';
  if (method !== 'GET' && lane === 'browser') yield `A ${method} goes over HTTP; "lane" can't be "browser".`;
  if (screenshot !== undefined && (method !== 'GET' || lane === 'http'))
    yield '"screenshot" is taken by the browser; the "lane" is "http", or the "method" goes over HTTP.';
  const waiting = (['wait_for_selector', 'wait_ms'] as const).find((name) => spec[name] !== undefined);
  if (waiting !== undefined && (method !== 'GET' || lane === 'http'))
    yield `"${waiting}" needs a browser; set "lane" to auto or browser and "method" to GET.`;
}

function* faultsOfFilter(filter: TextFilter): Faults {
  for (const [i, selector] of (filter.subtract ?? []).entries()) yield faultOfExpression(selector, `filter.subtract[${i}]`);
  for (const name of ['ignore', 'trigger', 'block'] as const)
    for (const [i, phrase] of (filter[name] ?? []).entries()) yield faultOfPhrase(phrase, `filter.${name}[${i}]`);
  for (const [i, step] of (filter.steps ?? []).entries())
    for (const phrase of phrasesOf(step)) yield faultOfPhrase(phrase, `filter.steps[${i}]`);
}

function* faultsOfExtractor(spec: ExtractorSpec, where: string): Faults {
  if (spec.pattern !== undefined) yield unreadable(`${where}pattern`, faultOfPattern(spec.pattern));
  if (spec.path !== undefined) yield faultOfExpression(`jsonpath/${spec.path}`, `${where}path`);
  for (const [name, selector] of Object.entries(spec.fields ?? {}))
    yield faultOfExpression(selector.replace(/@[\w:-]+$/, '') || '*', `${where}fields.${name}`);
}

function phrasesOf(step: TextStep): readonly string[] {
  if ('keep' in step) return step.keep;
  if ('drop' in step) return step.drop;
  if ('find' in step) return step.find;
  return 'replace' in step ? [step.replace] : [];
}

function faultOfPhrase(phrase: string, where: string): string | undefined {
  return /^\/.+\/[a-z]*$/s.test(phrase) ? unreadable(where, faultOfPattern(phrase)) : undefined;
}

function unreadable(where: string, fault: string | undefined): string | undefined {
  return fault === undefined ? undefined : `"${where}" can't be read: ${fault}`;
}

type Faults = Iterable<string | undefined>;

function first(faults: Faults): string | undefined {
  for (const fault of faults) if (fault !== undefined) return fault;
  return undefined;
}
