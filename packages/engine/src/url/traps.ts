// Recognises, from an address alone, spaces of pages that have no end.
import { decodeLoosely } from './decode-loosely.ts';
import { queryPairs } from './query-pairs.ts';
import { routeAsPath } from './route.ts';

/** Names of the traps that an address can show by itself. */
export type UrlTrap = 'long_url' | 'deep_path' | 'repeating_path' | 'repeating_query' | 'nested_url' | 'statement' | 'far_date';

/** Folder names that calendars go by, in several languages. */
export const CALENDAR_WORD = /(?:^|[/_-])(?:calend[ae]r\w*|kalender\w*|calendrier|calendario)(?:[/._-]|$)/i;

/** That an address lies in an endless space, and by what it shows. */
export interface TrapDecision<Kind extends string = string> {
  readonly trap: Kind;
  /** What was seen, in words. */
  readonly rule: string;
}

const URL_CHARS_MAX = 2_000;
const SEGMENTS_MAX = 24;
const PARAMETERS_MAX = 30;
/** A part that stands this often in a row, or a run of parts that does, is a loop; twice happens on honest sites. */
const REPEATS_MAX = 3;
/** How far from today the pages of an honest calendar lie, in years. */
const YEARS_AHEAD = 10;
const YEAR_FIRST = 1800;

/** The trap that `url` is part of by its form, or undefined. `nowMs` (epoch milliseconds) is what far dates are measured from. */
export function findUrlTrap(url: string, nowMs: number): TrapDecision<UrlTrap> | undefined {
  if (url.length > URL_CHARS_MAX) return { trap: 'long_url', rule: `longer than ${URL_CHARS_MAX} characters` };
  const parsed = URL.parse(routeAsPath(url));
  if (!parsed) return undefined;
  const segments = parsed.pathname.split('/').filter((segment) => segment !== '');
  if (segments.length > SEGMENTS_MAX) return { trap: 'deep_path', rule: `more than ${SEGMENTS_MAX} path parts` };
  const repeated = findRepeat(segments);
  if (repeated) return { trap: 'repeating_path', rule: `/${repeated} repeats` };
  return findQueryTrap(parsed) ?? findFarDate(parsed, nowMs);
}

/** The run of parts that stands three times in a row, joined by slashes. Single numbers may repeat: `/1/1/1` is an honest address. */
function findRepeat(segments: readonly string[]): string | undefined {
  for (let length = 1; length * REPEATS_MAX <= segments.length; length++) {
    for (let start = 0; start + length * REPEATS_MAX <= segments.length; start++) {
      const run = segments.slice(start, start + length);
      const isRepeated = segments.slice(start, start + length * REPEATS_MAX).every((segment, i) => segment === run[i % length]);
      if (isRepeated && !run.every((segment) => /^\d{1,3}$/.test(segment))) return run.join('/');
    }
  }
  return undefined;
}

function findQueryTrap(url: URL): TrapDecision<UrlTrap> | undefined {
  if (url.search.length < 2) return undefined;
  const pairs = queryPairs(url);
  if (pairs.length > PARAMETERS_MAX) return { trap: 'repeating_query', rule: `more than ${PARAMETERS_MAX} parameters` };
  const counts = new Map<string, number>();
  for (const { text } of pairs) counts.set(text, (counts.get(text) ?? 0) + 1);
  const stated = pairs.find(({ value }) => isStatement(decodeLoosely(value.replaceAll('+', ' '))));
  if (stated) return { trap: 'statement', rule: `?${stated.name}= carries a statement, which can ask for anything` };
  const repeated = [...counts].find(([, count]) => count >= REPEATS_MAX);
  if (repeated) return { trap: 'repeating_query', rule: `${repeated[0]} repeats` };
  // An address that carries itself, which carries itself: each level escapes the percent signs of the one inside.
  if (/%25(?:25)+3[AaFf]|%25(?:25)+2[Ff6]/.test(url.search))
    return { trap: 'nested_url', rule: 'the query carries an address that carries an address' };
  const own = url.pathname.length > 1 ? `${url.pathname}?` : undefined;
  const inside = own ? decodeLoosely(url.search).split(own).length - 1 : 0;
  return inside >= 2 ? { trap: 'nested_url', rule: `the query carries ${own} ${inside} times` } : undefined;
}

/** A statement of a database's language, as programs that show tables write it into the links of their columns and cells: `SELECT * FROM a ORDER BY b`. */
function isStatement(value: string): boolean {
  return /^\s*(?:SELECT\b[^]*\sFROM\s|SHOW\s+[A-Z]|INSERT\s+INTO\s|UPDATE\b[^]*\sSET\s|DELETE\s+FROM\s|(?:DROP|ALTER|CREATE|TRUNCATE)\s+[A-Z`"]|EXPLAIN\s+SELECT\s)/.test(
    value,
  );
}

function findFarDate(url: URL, nowMs: number): TrapDecision<UrlTrap> | undefined {
  const year = dateYearOf(url);
  if (year === undefined) return undefined;
  const last = new Date(nowMs).getUTCFullYear() + YEARS_AHEAD;
  return year > last || year < YEAR_FIRST ? { trap: 'far_date', rule: `a calendar page of the year ${year}` } : undefined;
}

/** The year of an address that ends in a date and says that it is a calendar: `/part/3051/11` alone is only numbers. */
function dateYearOf(url: URL): number | undefined {
  const path = /\/(\d{4})[/-](?:0?[1-9]|1[0-2])(?:[/-]\d{1,2})?\/?$/.exec(url.pathname);
  if (path) return CALENDAR_WORD.test(url.pathname) ? Number(path[1]) : undefined;
  const query = /[?&;](?:date|day|week|month|from|start)\w*=(\d{4})-(?:0[1-9]|1[0-2])(?:-\d\d)?(?:[&;]|$)/i.exec(url.search);
  return query ? Number(query[1]) : undefined;
}
