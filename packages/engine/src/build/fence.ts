// What a page may send while a build acts on it in a browser: reading, on its site, and searches. Whoever acts, and whatever the page's scripts make of it.
import { FORM_WORDS } from '../extract/forms/vocabulary.ts';
import { parseJson } from '../html/loose-json.ts';
import { graphqlKind } from '../run/candidate/graphql.ts';
import type { AskedByPage } from '../run/session.ts';
import { findAct } from '../url/acts.ts';
import { decodeLoosely } from '../url/decode-loosely.ts';
import { siteOf } from '../url/scope.ts';
import type { SeenForm } from './ai/sight.ts';

/** RFC 9110, 9.2.1. */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Where a build acts, and which searches it may send. */
export interface Fence {
  /** Where it began: the site is that of this address. */
  readonly siteUrl: string;
  /** Searches that were seen. */
  readonly searches: readonly SeenForm[];
}

/** Whether both are of one site: one registrable domain on one port. */
export function isOnSite(url: string, siteUrl: string): boolean {
  const [a, b] = [URL.parse(url), URL.parse(siteUrl)];
  return a !== null && b !== null && /^https?:$/.test(a.protocol) && a.port === b.port && siteOf(a.hostname) === siteOf(b.hostname);
}

/** Whether a form only asks: a search, or one that is sent as an address and asks for nothing personal. */
export function isSearch({ type, method, action, isPersonal }: SeenForm): boolean {
  if (isPersonal || method === 'dialog' || findAct(action) !== undefined) return false;
  return type === 'search' || (type === 'other' && method === 'get');
}

/** Why a request of the page is not sent; undefined where it is. */
export function refusalOfRequest({ method, url, kind, body }: AskedByPage, { siteUrl, searches }: Fence): string | undefined {
  if (!/^(?:https?|wss?):/.test(url)) return undefined;
  if (kind === 'socket') return 'a line for both ways';
  if (kind === 'ping') return 'a message that nobody waits for';
  if (kind === 'document' && !isOnSite(url, siteUrl)) return 'it leads to another site';
  const act = kind === 'document' || kind === 'script' ? findAct(url) : undefined;
  if (act !== undefined) return `it would change something (${act})`;
  if (SAFE_METHODS.has(method)) return undefined;
  if (kind === 'document')
    return searches.some((form) => form.method === 'post' && isSameAddress(form.action, url))
      ? undefined
      : 'it sends a form that is no search';
  return kind === 'script' && method === 'POST' && isReading(url, body) ? undefined : `${method} may change something`;
}

function isSameAddress(one: string, other: string): boolean {
  const [a, b] = [URL.parse(one), URL.parse(other)];
  return a !== null && b !== null && a.origin === b.origin && a.pathname === b.pathname && a.search === b.search;
}

/** A query of GraphQL, or a body that is sent to an address which is called after searching. */
function isReading(url: string, body: string | undefined): boolean {
  const kind = graphqlKind(parseJson(body ?? ''));
  if (kind) return kind === 'query';
  const path = decodeLoosely(URL.parse(url)?.pathname ?? '').toLowerCase();
  const last = path.split('/').findLast((part) => part !== '') ?? '';
  return (
    !/graphql|gql/.test(path) &&
    (/^(?:queries|query|_search|_msearch|suggest(?:ions)?|autocomplete)$/.test(last) || FORM_WORDS.search.test(last))
  );
}
