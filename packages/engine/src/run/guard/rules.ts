// Whether what a run sees at a step still fits what good runs saw there. Pure.
import type { RunFailure } from '@weft/contract';
import type { ElementPrint } from '../session.ts';
import type { PagePrint } from '../../page/page-print.ts';
import { NUMBERED } from './seen.ts';
import type { FieldSeen, GoodReading, ShapeSeen } from './seen.ts';
import { lastingWords } from '../../page/lasting-words.ts';

/** What no longer fits. `message` goes on behind the name of the step. */
export interface Misfit {
  readonly guard: 'element' | 'page' | 'login' | 'fields' | 'kinds' | 'count';
  readonly code: Extract<RunFailure['code'], 'assert' | 'no_rows'>;
  readonly message: string;
}

/**
 * The numbers of all guards. `npm run campaign -- guards` counts what they let through on pages that were spoiled and what they refuse on
 * pages that merely live.
 */
export const GUARD_NUMBERS = {
  /** Good runs that are held against. */
  readings: 5,
  /** Good runs agree on a length when they lie within this part of the longest. */
  agreement: 0.2,
  /** A list may not fall to this part of the longest that would still agree. */
  fallen: 0.5,
  /** Shorter lists can't be told from such that agree: only their end is a fault. */
  rowsMin: 6,
  /** More than this part of the rows decides about a field. */
  most: 0.5,
} as const;

type Readings = readonly GoodReading[];

const TEXTS: ReadonlySet<string> = new Set(['text', NUMBERED, 'figure', 'address']);

/** The one name that several good runs found, where `print` lacks a word of it: whoever has that name now is what was meant. */
export function lostNameOf(print: ElementPrint, readings: Readings): string | undefined {
  const names = new Set(readings.flatMap(({ seen }) => seen.elements.map(({ name }) => name)));
  const [name] = names;
  if (readings.length < 2 || names.size !== 1 || name === undefined) return undefined;
  const now = lastingWords(print.name ?? '');
  return lastingWords(name).every((word) => now.includes(word)) ? undefined : name;
}

/** Another kind of element, or a name without any word that its name always had; `elsewhere` is what `lostNameOf` says, where another has it. */
export function misfitOfElement(print: ElementPrint, readings: Readings, elsewhere?: string): Misfit | undefined {
  const before = readings.flatMap(({ seen }) => seen.elements);
  if (before.length === 0) return undefined;
  if (elsewhere !== undefined)
    return {
      guard: 'element',
      code: 'assert',
      message: `finds ${shownElement(print)}, and "${elsewhere.slice(0, 100)}", which ${runsOf(readings)} found, stands elsewhere on the page.`,
    };
  const isSameKind = before.some(({ tag, role, type }) => tag === print.tag && role === print.role && type === print.type);
  const words = commonWords(before.map(({ name = '' }) => lastingWords(name)));
  if (isSameKind && (words.length === 0 || sharesWord(words, lastingWords(print.name ?? '')))) return undefined;
  const was = [...new Set(before.map(shownElement))].slice(0, 3).join(' or ');
  return { guard: 'element', code: 'assert', message: `finds ${shownElement(print)} where ${runsOf(readings)} found ${was}.` };
}

/** Another host or status, a log-in where there was none, or a page that has none of its names any more. */
export function misfitOfPage(print: PagePrint, url: string, readings: Readings): Misfit | undefined {
  const before = readings.flatMap(({ seen }) => seen.pages);
  if (before.length === 0) return undefined;
  const told = (guard: 'page' | 'login', what: string): Misfit => ({ guard, code: 'assert', message: `is at ${url}, ${what}.` });
  if (print.asksPassword && !before.some(({ asksPassword }) => asksPassword))
    return told('login', `which asks to log in, and did not in ${runsOf(readings)}`);
  if (!before.some(({ host }) => host === print.host))
    return told('page', `and in ${runsOf(readings)} it was at ${listed(before.map(({ host }) => host))}`);
  if (!before.some(({ status }) => status === print.status))
    return told('page', `which answers ${print.status}, and ${listed(before.map(({ status }) => String(status)))} in ${runsOf(readings)}`);
  const words = commonWords(before.map((page) => page.words));
  if (words.length === 0 || sharesWord(words, print.words)) return undefined;
  return told('page', `which is called "${print.words.join(' ')}", and was "${words.join(' ')}" in ${runsOf(readings)}`);
}

/** A field that was always filled and now is empty in most rows, or has another kind of value in most. */
export function misfitOfFields(now: ShapeSeen, readings: Readings): Misfit | undefined {
  const known = readings.filter(({ seen }) => Object.keys(seen.shape.fields).length > 0);
  const shapes = known.map(({ seen }) => seen.shape);
  const isSameInputs = known.some((reading) => reading.isSameInputs);
  const [first] = shapes;
  if (!first) return undefined;
  for (const path of Object.keys(first.fields)) {
    const before = shapes.map(({ fields }) => member(fields, path));
    const isAlwaysFilled = before.every((field) => field !== undefined && field.filled === field.rows);
    const field = member(now.fields, path);
    if (isAlwaysFilled && isMostlyEmpty(path, field, now))
      return {
        guard: 'fields',
        code: 'assert',
        message: `finds "${path}" in ${field?.filled ?? 0} of ${field?.rows ?? 'no'} rows, and it was in all of them in ${runsOf(readings)}.`,
      };
    const strange = field && strangeKind(field, before, isSameInputs);
    if (strange !== undefined)
      return {
        guard: 'kinds',
        code: 'assert',
        message: `finds ${strange} as "${path}", and in ${runsOf(readings)} it was ${listed(before.flatMap((seen) => Object.keys(seen?.kinds ?? {})))}.`,
      };
  }
  return undefined;
}

/** A list that ended, or is half of one that the good runs with the same inputs would agree with. */
export function misfitOfCounts(now: ShapeSeen, readings: Readings): Misfit | undefined {
  const same = readings.filter(({ isSameInputs }) => isSameInputs);
  const [first] = same;
  if (!first) return undefined;
  const { agreement, fallen, rowsMin } = GUARD_NUMBERS;
  for (const path of Object.keys(first.seen.shape.counts)) {
    const before = same.map(({ seen }) => member(seen.shape.counts, path) ?? 0);
    const [shortest, longest] = [Math.min(...before), Math.max(...before)];
    const count = member(now.counts, path) ?? 0;
    const what = `finds ${count} ${path === '' ? 'rows' : `items of "${path}"`}, and ${runsOf(same)} found ${listed(before.map(String))}.`;
    if (shortest > 0 && count === 0) return { guard: 'count', code: 'no_rows', message: what };
    const isAgreed = shortest >= rowsMin && longest - shortest <= longest * agreement;
    if (isAgreed && count <= Math.ceil((shortest / (1 - agreement)) * fallen)) return { guard: 'count', code: 'assert', message: what };
  }
  return undefined;
}

/** A field of a list that is empty is missing with its rows, which its length tells. */
function isMostlyEmpty(path: string, field: FieldSeen | undefined, now: ShapeSeen): boolean {
  if (field) return field.filled < field.rows * GUARD_NUMBERS.most;
  const lists = Object.entries(now.counts).filter(([list]) => list === '' || path.startsWith(`${list}[]`));
  return !lists.some(([, count]) => count === 0);
}

/**
 * The kind that most values have and none had before; text may turn into any other text. With other inputs a field of short names with
 * numbers, which look like figures, may have longer ones.
 */
function strangeKind({ kinds, filled }: FieldSeen, before: readonly (FieldSeen | undefined)[], isSameInputs: boolean): string | undefined {
  const known = new Set(before.flatMap((seen) => Object.keys(seen?.kinds ?? {})));
  if (known.size === 0) return undefined;
  const isText = known.has('text') || known.has(NUMBERED);
  const isKnown = (kind: string) =>
    known.has(kind) || (isText && TEXTS.has(kind)) || (kind === NUMBERED && known.has('figure') && !isSameInputs);
  const strange = Object.entries(kinds).filter(([kind]) => !isKnown(kind));
  const count = strange.reduce((sum, [, values]) => sum + values, 0);
  return count > filled * GUARD_NUMBERS.most ? strange[0]?.[0] : undefined;
}

function commonWords(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = lists;
  return first.filter((word) => others.every((list) => list.includes(word)));
}

function sharesWord(a: readonly string[], b: readonly string[]): boolean {
  return a.some((word) => b.includes(word));
}

function member<T>(of: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(of, name) ? of[name] : undefined;
}

function shownElement({ tag, role, type, name }: ElementPrint): string {
  const kind = [tag, ...(type === undefined ? [] : [`type=${type}`]), ...(role === undefined || role === tag ? [] : [`role=${role}`])];
  return `<${kind.join(' ')}>${name === undefined ? '' : ` "${name.slice(0, 100)}"`}`;
}

function runsOf(readings: Readings): string {
  const ids = readings.map(({ runId }) => runId);
  return ids.length === 1 ? `run ${ids[0]}` : `runs ${ids.join(', ')}`;
}

function listed(texts: readonly string[]): string {
  return [...new Set(texts)].slice(0, 5).join(', ');
}
