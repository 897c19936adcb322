// Sorts addresses into classes of the same make, so that what was learnt on a few pages can be said of the rest.
import { CALENDAR_WORD } from './traps.ts';

/** What kind of endless space a class could be. */
export type TrapClassKind = 'calendar' | 'echo' | 'query' | 'parameters' | 'session';

/** A set of addresses that were made by one rule. */
export interface TrapClass {
  readonly kind: TrapClassKind;
  /** Unique within a crawl, readable: it is the rule that a skipped URL names. */
  readonly key: string;
}

const DATE_NAME = /^(?:date|datum|day|week|kw|month|monat|mois|mes|year|jahr|annee|ano|ym|yyyymm|cal\w*)$/i;
const DATE_VALUE = /^\d{4}(?:-(?:0?[1-9]|1[0-2]|w\d\d)(?:-\d{1,2})?)?$|^(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:[0-3]\d)?$/i;
const DATE_PATH = /\/(?:19|20|21)\d{2}(?:[/-](?:0?[1-9]|1[0-2]|w\d\d))?(?:[/-](?:0?[1-9]|[12]\d|3[01]))?\/?$/i;

/**
 * The classes of `url`, at most one of each kind: `calendar` for addresses that are a date, `echo` for all queries of one path, `query`
 * for one path with one set of parameter names, `parameters` for one set of names anywhere on the host, `session` for everything below
 * one changing path part.
 */
export function trapClassesOf(url: URL): readonly TrapClass[] {
  const classes: TrapClass[] = [];
  const names = namesOf(url);
  const calendar = calendarPrefix(url, names);
  if (calendar !== undefined) classes.push({ kind: 'calendar', key: `${url.host}${calendar} by date` });
  if (names.length > 0) {
    classes.push({ kind: 'echo', key: `${url.host}${url.pathname}?*` });
    classes.push({ kind: 'query', key: `${url.host}${url.pathname}?${names.join('&')}` });
    classes.push({ kind: 'parameters', key: `${url.host}/**?${names.join('&')}` });
  }
  const session = sessionPrefix(url.pathname);
  if (session !== undefined) classes.push({ kind: 'session', key: `${url.host}${session}` });
  return classes;
}

/**
 * Whether `child` is `parent` with its own query taken up into it once more: a value that grew around the old one, a name said again,
 * or an address of the same path inside a value.
 */
export function isEcho(parent: URL, child: URL): boolean {
  if (parent.host !== child.host || parent.pathname !== child.pathname) return false;
  if (parent.search.length < 2 || child.search.length <= parent.search.length) return false;
  const before = parent.searchParams;
  for (const [name, value] of child.searchParams) {
    if (child.searchParams.getAll(name).length > Math.max(1, before.getAll(name).length)) return true;
    if (before.getAll(name).some((old) => old !== '' && value.length > old.length && value.includes(old) && !/^\d+$/.test(value)))
      return true;
    if (value.includes(`${parent.pathname}?`)) return true;
  }
  return false;
}

function namesOf(url: URL): readonly string[] {
  if (url.search.length < 2) return [];
  const names = url.search
    .slice(1)
    .split('&')
    .map((pair) => pair.split('=', 1)[0] ?? '');
  return [...new Set(names)].toSorted();
}

/** The path before the date, for an address that is nothing but a date: a month, a day, a number under a calendar's name. */
function calendarPrefix(url: URL, names: readonly string[]): string | undefined {
  const dated = DATE_PATH.exec(url.pathname);
  if (dated) return `${url.pathname.slice(0, dated.index)}/`;
  const hasDate =
    names.some((name) => DATE_NAME.test(name)) ||
    url.search
      .slice(1)
      .split('&')
      .some((pair) => DATE_VALUE.test(pair.slice(pair.indexOf('=') + 1)));
  if (url.search.length > 1 && hasDate && /\d/.test(url.search)) return url.pathname;
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
