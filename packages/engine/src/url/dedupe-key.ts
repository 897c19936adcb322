// The key under which addresses of probably the same page meet. It is only for comparing: a URL is fetched as written.
import { routeIn } from './route.ts';
import { isSessionParameter, isTrackingParameter } from './query-noise.ts';

/** A way in which two addresses of one page can differ. */
export type TwinKind =
  | 'scheme'
  | 'www'
  | 'index'
  | 'slash'
  | 'escapes'
  | 'repeated'
  | 'tracking'
  | 'session'
  | 'empty'
  | 'values'
  | 'order';

/** What counts as part of an address. */
export interface DedupeOptions {
  /** Keep fragments that look like routes (`#/a`, `#!a`), for pages that a browser renders. */
  readonly hashRoutes?: boolean;
}

interface Parts {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly hash: string;
}

const INDEX_FILE = /\/(?:index|default|home)\.(?:html?|xhtml|php\d?|aspx?|jsp|cfm|cgi|do)$/i;
const PATH_SESSION = /;(?:jsessionid|phpsessid|sid)=[^/?#;]*/gi;

/** Each step folds one kind of difference; applied in order, they lead from a URL to its key. */
const FOLDS: readonly (readonly [TwinKind, (parts: Parts) => Parts])[] = [
  ['scheme', (parts) => ({ ...parts, scheme: '' })],
  ['www', (parts) => ({ ...parts, host: parts.host.replace(/^www\d?\.(?=[^.]+\.)/, '') })],
  ['session', (parts) => ({ ...parts, path: parts.path.replace(PATH_SESSION, ''), query: without(parts.query, isSessionParameter) })],
  ['index', (parts) => ({ ...parts, path: parts.path.replace(INDEX_FILE, '/') })],
  ['slash', (parts) => ({ ...parts, path: parts.path.replace(/\/{2,}/g, '/').replace(/\/$/, '') })],
  ['escapes', (parts) => ({ ...parts, path: plain(parts.path), query: parts.query.map(plainPair) })],
  ['repeated', (parts) => ({ ...parts, query: parts.query.filter((pair, i) => parts.query.indexOf(pair) === i || isCounted(pair)) })],
  ['tracking', (parts) => ({ ...parts, query: without(parts.query, isTrackingParameter).filter((pair) => pair !== '') })],
  ['empty', (parts) => ({ ...parts, query: parts.query.filter((pair) => !/^[^=]+=$/.test(pair)) })],
  ['values', (parts) => ({ ...parts, query: withValuesInOrder(parts.query) })],
  ['order', (parts) => ({ ...parts, query: parts.query.toSorted(byName) })],
];

/**
 * A text that is equal for addresses that are likely to show the same page: without scheme, `www.`, default port, fragment, index file,
 * closing slash, tracking, session and empty parameters, with what is said twice said once, and with parameters ordered by name and the
 * values of one name among themselves. Equal keys are a guess: merge two addresses only once their content was compared. A text that is
 * no URL is its own key.
 */
export function dedupeKey(url: string, options: DedupeOptions = {}): string {
  const parts = partsOf(url, options);
  return parts ? join(foldAll(parts)) : url;
}

/** The kinds of difference between two URLs of one key: those without whose folding they would not meet. Empty for one and the same address. */
export function twinKinds(left: string, right: string, options: DedupeOptions = {}): readonly TwinKind[] {
  const a = partsOf(left, options);
  const b = partsOf(right, options);
  if (!a || !b) return [];
  return FOLDS.filter(([kind]) => join(foldAll(a, kind)) !== join(foldAll(b, kind))).map(([kind]) => kind);
}

function foldAll(parts: Parts, except?: TwinKind): Parts {
  return FOLDS.reduce((folded, [kind, fold]) => (kind === except ? folded : fold(folded)), parts);
}

function partsOf(url: string, options: DedupeOptions): Parts | undefined {
  const parsed = URL.parse(url);
  if (!parsed) return undefined;
  const query = parsed.search.length > 1 ? parsed.search.slice(1).split('&') : [];
  const hash = options.hashRoutes ? routeIn(parsed.hash) : '';
  return { scheme: parsed.protocol, host: parsed.host.replace(/\.(?=:|$)/, ''), path: parsed.pathname, query, hash };
}

function join(parts: Parts): string {
  const query = parts.query.length > 0 ? `?${parts.query.join('&')}` : '';
  return `${parts.scheme}//${parts.host}${parts.path}${query}${parts.hash}`;
}

function without(query: readonly string[], isNoise: (name: string) => boolean): readonly string[] {
  return query.filter((pair) => !isNoise(nameOf(pair)));
}

function nameOf(pair: string): string {
  return pair.split('=', 1)[0] ?? '';
}

/** Each value of a list counts, as PHP and Rails write one. */
function isCounted(pair: string): boolean {
  return /^[^=]*(?:\[\]|%5B%5D)=/i.test(pair);
}

/**
 * The values of one name in order, in the places where the name stands. Facets of shops and catalogues are added in the order in which
 * they were chosen, and mean the same; where the order means something, as in a sort by two columns, the first pair that differs says so.
 */
function withValuesInOrder(query: readonly string[]): readonly string[] {
  const byPairName = Map.groupBy(query, nameOf);
  if (byPairName.size === query.length) return query;
  const sorted = new Map([...byPairName].map(([name, pairs]) => [name, pairs.toSorted().values()] as const));
  return query.map((pair) => sorted.get(nameOf(pair))?.next().value ?? pair);
}

function byName(a: string, b: string): number {
  const left = nameOf(a);
  const right = nameOf(b);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Forms escape slashes and colons of a value that links write as they are (RFC 3986, 3.4 allows both). */
function plainPair(pair: string): string {
  return plain(pair).replaceAll('%2F', '/').replaceAll('%3A', ':');
}

/** Escapes of unreserved characters decoded, the rest in upper case (RFC 3986, 6.2.2); `+` and `%20` are one. */
function plain(text: string): string {
  if (!/[%+]/.test(text)) return text;
  return text.replaceAll('+', '%20').replace(/%[0-9a-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : escape.toUpperCase();
  });
}
