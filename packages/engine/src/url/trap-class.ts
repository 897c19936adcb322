// Sorts addresses into classes of the same make, so that what was learnt on a few pages can be said of the rest.
import { decodeLoosely } from './decode-loosely.ts';
import { queryPairs } from './query-pairs.ts';
import type { QueryPair } from './query-pairs.ts';
import { CALENDAR_WORD } from './traps.ts';

/** What kind of endless space a class could be. */
export type TrapClassKind = 'calendar' | 'echo' | 'query' | 'parameters' | 'session';

/** A set of addresses that were made by one rule. */
export interface TrapClass {
  readonly kind: TrapClassKind;
  /** Unique within a crawl, readable: it is the rule that a skipped URL names. */
  readonly key: string;
  /**
   * For a class that gathers several narrower ones of its kind: the key of the one that the address lies in. Each counts once against the
   * wider class, so that one action of a program (`?action=login&id=5`) never ends the others (`?action=show&id=5`).
   */
  readonly part: string | undefined;
}

/** Whether the values of a parameter, given as `placeOf` writes it, are known to name things rather than actions. */
export type NamesThings = (place: string) => boolean;

const DATE_NAME = /^(?:date|datum|day|week|kw|month|monat|mois|mes|year|jahr|annee|ano|ym|yyyymm|cal\w*)$/i;
/** A bare number of four digits is as often an id as a year. */
const DATE_VALUE = /^\d{4}-(?:0?[1-9]|1[0-2]|w\d\d)(?:-\d{1,2})?$|^(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:[0-3]\d)?$/i;
const DATE_PATH = /\/(?:19|20|21)\d{2}(?:[/-](?:0?[1-9]|1[0-2]|w\d\d))?(?:[/-](?:0?[1-9]|[12]\d|3[01]))?\/?$/i;
/** A value that names an action or a view of a program: `site/login`, `edit`, `search2`. Anything with more digits is an id. */
const ACTION_VALUE = /^[a-z][a-z_/.:-]{0,39}\d{0,2}$/i;
/** A value that turns something on or off. */
const SWITCH_VALUE = /^[01]?$/;

/**
 * The classes of `url`: `calendar` for addresses that are a date, `query` for one path with one set of parameter names, `parameters` for
 * one set of names anywhere on the host, both also with the values that name an action, and `session` for everything below one changing
 * path part.
 */
export function trapClassesOf(url: URL, namesThings: NamesThings = () => false): readonly TrapClass[] {
  const actionOf = actionsExcept(url, namesThings);
  const classes: TrapClass[] = [];
  const pairs = queryPairs(url);
  const calendar = calendarKey(url, pairs, actionOf);
  if (calendar !== undefined) classes.push({ kind: 'calendar', key: `${url.host}${calendar} by date`, part: undefined });
  if (pairs.length > 0) {
    const narrow = shapeOf(pairs, (pair) => (SWITCH_VALUE.test(pair.value) ? pair.text : actionOf(pair)));
    const wide = shapeOf(pairs, ({ name }) => name);
    const places = [['query', url.pathname] as const, ['parameters', '/**'] as const];
    for (const [kind, place] of places) {
      classes.push({ kind, key: `${url.host}${place}?${narrow}`, part: undefined });
      if (wide !== narrow) classes.push({ kind, key: `${url.host}${place}?${wide}`, part: `${url.host}${place}?${narrow}` });
    }
  }
  const session = sessionPrefix(url.pathname);
  if (session !== undefined) classes.push({ kind: 'session', key: `${url.host}${session}`, part: undefined });
  return classes;
}

/** The classes of `url` in which the parameter `grown` grows: with what the others say, and with whatever they say. */
export function echoClassesOf(url: URL, grown: string, namesThings: NamesThings = () => false): readonly TrapClass[] {
  const actionOf = actionsExcept(url, namesThings);
  const pairs = queryPairs(url);
  const place = `${url.host}${url.pathname}?`;
  const narrow = shapeOf(pairs, (pair) => (pair.name === grown ? `${grown}=*` : actionOf(pair)));
  const wide = shapeOf(pairs, ({ name }) => (name === grown ? `${grown}=*` : name));
  const classes: TrapClass[] = [{ kind: 'echo', key: place + narrow, part: undefined }];
  return wide === narrow ? classes : [...classes, { kind: 'echo', key: place + wide, part: place + narrow }];
}

/**
 * The parameters in which `child` takes the query of `parent` up once more: a value that grew around the old one, a name said again, or an
 * address of the same path inside a value. A value that lies below another (`src/views` below `src`) did not grow.
 */
export function grownNames(parent: URL, child: URL): readonly string[] {
  if (parent.host !== child.host || parent.pathname !== child.pathname) return [];
  if (parent.search.length < 2 || child.search.length <= parent.search.length) return [];
  const before = valuesByName(parent);
  const file = parent.pathname.slice(parent.pathname.lastIndexOf('/') + 1);
  const own = [`${parent.pathname}?`, ...(file.includes('.') ? [`${file}?`] : [])];
  const isGrown = ([name, values]: readonly [string, readonly string[]]) => {
    const old = before.get(name) ?? [];
    const isNew = (value: string) => own.some((address) => value.includes(address)) || old.some((one) => growsAround(value, one));
    return values.length > Math.max(1, old.length) || values.some(isNew);
  };
  return [...valuesByName(child)].filter(isGrown).map(([name]) => name);
}

function valuesByName(url: URL): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const { name, value } of queryPairs(url)) {
    const decoded = decodeLoosely(value.replaceAll('+', ' '));
    const known = values.get(name);
    if (known) known.push(decoded);
    else values.set(name, [decoded]);
  }
  return values;
}

/** Numbers that hold others (`12.15` after `2.1`, `20_27` after `20`) are other numbers. */
function growsAround(value: string, old: string): boolean {
  if (value.length <= old.length || !/[\p{L}\p{N}]/u.test(old) || /^[\d.,:_-]+$/.test(value)) return false;
  return holdsWord(value, old) && !liesBelow(value, old);
}

/** Whether `old` stands in `value` by itself: `commitdiff` did not grow around `commit`. */
function holdsWord(value: string, old: string): boolean {
  for (let at = value.indexOf(old); at >= 0; at = value.indexOf(old, at + 1)) {
    const isOpen = !isLetter(value[at - 1]) || !isLetter(old[0]);
    if (isOpen && (!isLetter(value[at + old.length]) || !isLetter(old.at(-1)))) return true;
  }
  return false;
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}

/** Whether `old` is a run of whole parts of `value`, once: `src` of `src/views`, `start` of `garden:start`. */
function liesBelow(value: string, old: string): boolean {
  const at = value.indexOf(old);
  const isPart =
    (at === 0 || isSeparator(value[at - 1]) || isSeparator(old[0])) &&
    (at + old.length === value.length || isSeparator(value[at + old.length]) || isSeparator(old.at(-1)));
  return isPart && !value.includes(old, at + 1);
}

function isSeparator(character: string | undefined): boolean {
  return character !== undefined && '/\\:.'.includes(character);
}

/** Whether the value could name an action of a program. */
export function couldBeAction({ value }: QueryPair): boolean {
  return ACTION_VALUE.test(value);
}

/** A parameter and the path that it stands behind. */
export function placeOf(url: URL, name: string): string {
  return `${url.host}${url.pathname}?${name}`;
}

function actionsExcept(url: URL, namesThings: NamesThings): (pair: QueryPair) => string {
  return (pair) => (couldBeAction(pair) && !namesThings(placeOf(url, pair.name)) ? pair.text : pair.name);
}

/** The parameters in one order, each said once. */
function shapeOf(pairs: readonly QueryPair[], say: (pair: QueryPair) => string): string {
  if (pairs.length === 1) return say(pairs[0] as QueryPair);
  return [...new Set(pairs.map(say))].toSorted().join('&');
}

/** The part before the date, for an address that is nothing but a date: a month, a day, a number under a calendar's name. */
function calendarKey(url: URL, pairs: readonly QueryPair[], actionOf: (pair: QueryPair) => string): string | undefined {
  const dated = DATE_PATH.exec(url.pathname);
  if (dated) return `${url.pathname.slice(0, dated.index)}/`;
  const isDate = ({ name, value }: QueryPair) => DATE_NAME.test(name) || DATE_VALUE.test(value);
  if (pairs.some(isDate) && /\d/.test(url.search))
    return `${url.pathname}?${shapeOf(pairs, (pair) => (isDate(pair) ? pair.name : actionOf(pair)))}`;
  const word = CALENDAR_WORD.exec(url.pathname);
  if (!word || !/^[\w/.-]*\d[\w/.-]*$|^\/?$/.test(url.pathname.slice(word.index + word[0].length))) return undefined;
  return /\d/.test(url.pathname.slice(word.index)) || /=-?\d+/.test(url.search)
    ? url.pathname.slice(0, word.index + word[0].length)
    : undefined;
}
/** The path up to the first part that changes from visit to visit, with that part as `*`, when something follows or the part looks random. */
function sessionPrefix(path: string): string | undefined {
  const segments = path.split('/');
  const index = segments.findIndex((segment, i) => i > 0 && isRandomLooking(segment));
  if (index > 0) return `${segments.slice(0, index).join('/')}/*`;
  // A readable part can be a session too: judged only below its own folder, never for the whole host.
  return segments.length > 3 ? `/${segments[1]}/*` : undefined;
}

/** Whether a path part looks made up by a server: letters and digits mixed without a word in it, or `(S(...))`. */
export function isRandomLooking(segment: string): boolean {
  if (/^\([A-Za-z]\(.+\)\)$/.test(segment)) return true;
  if (/^(?:s|sid|sess|session)[-_=:]?\w{4,}$/i.test(segment) && /\d/.test(segment)) return true;
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-/i.test(segment)) return true;
  return /^[A-Za-z0-9]{6,}$/.test(segment) && /\d/.test(segment) && /[A-Za-z]/.test(segment) && changes(segment) >= 2;
}

/** How often letters and digits take turns: `page12` once, `a8f3c1` five times. */
function changes(segment: string): number {
  return (segment.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g) ?? []).length;
}
