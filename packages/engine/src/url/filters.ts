// Path filters of a crawl: which addresses the caller wants, and which pattern said so.
import { RE2JS } from 're2js';
import { expandGlob, matchesPlain } from './glob.ts';

/** One compiled pattern. */
export interface PathFilter {
  readonly source: string;
  matches(url: URL): boolean;
}

/** The patterns of one crawl, compiled. */
export interface PathFilters {
  readonly include: readonly PathFilter[];
  readonly exclude: readonly PathFilter[];
}

/** Whether the patterns let an address through, and which one decided. */
export interface FilterDecision {
  readonly allowed: boolean;
  readonly reason: 'excluded' | 'not_included' | undefined;
  /** The pattern that decided; for `not_included` all that were tried. */
  readonly rule: string | undefined;
}

const REGEX_PREFIX = 'regex:';
/** The colon and slashes behind a scheme, escaped or not. */
const SCHEME = /https?\??\)?:|:\\?\/\\?\//;
/** What only a query has. */
const QUERY_MARK = /[?=&]/;

/**
 * Compiles patterns. A glob that starts with a scheme is matched against the whole URL, one that has a slash against the path from its
 * start, one without a slash against the path's last part; with `?`, `=` or `&` in it the query takes part, where `*` passes slashes too.
 * `regex:` takes an RE2 expression that is searched for in path and query, or in the whole URL where it has a scheme. Throws SyntaxError
 * with a public sentence for a pattern that can't be compiled.
 */
export function compileFilters(include: readonly string[], exclude: readonly string[]): PathFilters {
  return { include: include.map(compileFilter), exclude: exclude.map(compileFilter) };
}

const UNFILTERED: FilterDecision = { allowed: true, reason: undefined, rule: undefined };

/** Whether the filters let `url` through. Exclusion is stronger; without an include pattern everything else is let through. */
export function decideFilters(filters: PathFilters, url: string): FilterDecision {
  if (filters.include.length === 0 && filters.exclude.length === 0) return UNFILTERED;
  const parsed = URL.parse(url);
  if (!parsed) return { allowed: false, reason: 'not_included', rule: undefined };
  const excluding = filters.exclude.find((filter) => filter.matches(parsed));
  if (excluding) return { allowed: false, reason: 'excluded', rule: excluding.source };
  const including = filters.include.find((filter) => filter.matches(parsed));
  if (including || filters.include.length === 0) return { allowed: true, reason: undefined, rule: including?.source };
  return { allowed: false, reason: 'not_included', rule: filters.include.map((filter) => filter.source).join(' ') };
}

function compileFilter(source: string): PathFilter {
  try {
    return source.startsWith(REGEX_PREFIX) ? regexFilter(source) : globFilter(source);
  } catch (error) {
    throw new SyntaxError(`The pattern "${source}" can't be used: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

function regexFilter(source: string): PathFilter {
  const expression = RE2JS.compile(source.slice(REGEX_PREFIX.length));
  const isWhole = SCHEME.test(source);
  return { source, matches: (url) => expression.matcher(isWhole ? withoutHash(url) : url.pathname + url.search).find() };
}

function globFilter(source: string): PathFilter {
  const globs = expandGlob(source);
  return { source, matches: (url) => globs.some((glob) => matchesUrl(glob, url)) };
}

function matchesUrl(glob: string, url: URL): boolean {
  const isWhole = /^(?:https?|\*+):\/\//.test(glob);
  const place = isWhole ? url.origin + url.pathname : url.pathname;
  if (matchesPlace(glob, place, '', isWhole)) return true;
  return url.search !== '' && QUERY_MARK.test(glob) && matchesPlace(maskQuery(glob), place, maskQuery(url.search), isWhole);
}

function matchesPlace(glob: string, place: string, query: string, isWhole: boolean): boolean {
  if (isWhole) return matchesFolder(glob, place + query);
  if (glob.includes('/')) return matchesFolder(glob.startsWith('/') || glob.startsWith('**') ? glob : `/${glob}`, place + query);
  const path = place.replace(/\/$/, '');
  return matchesPlain(glob, path.slice(path.lastIndexOf('/') + 1) + query);
}

/** Slashes of a query part nothing: they become something that `*` passes. */
function maskQuery(text: string): string {
  const mark = text.indexOf('?');
  return mark < 0 ? text : text.slice(0, mark) + text.slice(mark).replaceAll('/', '\u0000');
}

/** A closing slash makes no difference, and `/docs/**` covers `/docs` itself. */
function matchesFolder(glob: string, text: string): boolean {
  if (matchesPlain(glob, text)) return true;
  if (text.endsWith('/')) return text.length > 1 && matchesPlain(glob, text.slice(0, -1));
  return !text.includes('?') && matchesPlain(glob, `${text}/`);
}

function withoutHash(url: URL): string {
  return url.hash === '' ? url.href : url.href.slice(0, -url.hash.length);
}
