// Evidence out of a person's HTTP archive: what their browser asked a site, and was answered.
import { decodeLoosely } from '../../url/decode-loosely.ts';
import { decideScope } from '../../url/scope.ts';
import { readHar } from '../../run/exchange/har-entries.ts';
import type { HarEntry } from '../../run/exchange/har-entries.ts';
import { ExchangeError } from '../../run/exchange/untrusted.ts';
import { CAPTURED_BODY_MAX, isEvidenceHeader } from '../../run/session.ts';
import type { CapturedRequest } from '../../run/session.ts';

/** What an archive shows of a site. */
export interface HarEvidence {
  /** Requests that were answered with JSON. */
  readonly requests: readonly CapturedRequest[];
  /** Pages that were opened, as they came. */
  readonly pages: readonly { readonly url: string; readonly status: number; readonly contentType: string; readonly body: Uint8Array }[];
  /** What was searched for: values of parameters that are named as such, oldest first. */
  readonly words: readonly string[];
  /** Why it can't be read, or that none of it is of the site. */
  readonly fault?: string;
}

const PAGES_MAX = 20;
const QUERY_NAME = /^(?:q|query|s|search|term|terms|keyword|keywords|text|find|suche|k|word|words)$/i;
const SCOPE = { allowSubdomains: true, allowExternalLinks: false, crawlEntireDomain: true };

/** What `text`, a HAR 1.2 file, shows of the site of `siteUrl`; entries of other sites are left out. */
export function readHarEvidence(text: string, siteUrl: string, nowMs: number): HarEvidence {
  const entries = entriesOf(text);
  if (typeof entries === 'string') return { requests: [], pages: [], words: [], fault: entries };
  const own = entries.filter(({ url, status }) => status >= 200 && status < 300 && decideScope(SCOPE, [siteUrl], url.href).allowed);
  const pages = own.filter(({ method, answer }) => method === 'GET' && /html/i.test(answer.contentType));
  const requests = own.flatMap((entry) => requestOf(entry, pages, siteUrl, nowMs));
  const words = [...new Set(own.flatMap(wordsIn))];
  const encoder = new TextEncoder();
  return {
    requests,
    pages: pages.slice(0, PAGES_MAX).map(({ url, status, answer }) => ({
      url: url.href,
      status,
      contentType: 'text/html; charset=utf-8',
      body: encoder.encode(answer.text),
    })),
    words,
    ...(requests.length + pages.length === 0
      ? { fault: `The archive has no page and no JSON of ${URL.parse(siteUrl)?.host ?? siteUrl}.` }
      : {}),
  };
}

function entriesOf(text: string): readonly HarEntry[] | string {
  try {
    return readHar(text).entries;
  } catch (error) {
    if (error instanceof ExchangeError) return error.message;
    throw error;
  }
}

function requestOf(
  { method, url, headers, body, status, answer }: HarEntry,
  pages: readonly HarEntry[],
  siteUrl: string,
  atMs: number,
): readonly CapturedRequest[] {
  if (!/json/i.test(answer.contentType)) return [];
  try {
    const json: unknown = JSON.parse(answer.text);
    const kept = [...headers].filter(([name]) => isEvidenceHeader(name));
    const referer = headers.get('referer') ?? pages[0]?.url.href ?? siteUrl;
    const sent = body && body.text !== '' && body.text.length <= CAPTURED_BODY_MAX ? { body: body.text } : {};
    return [{ method, url: url.href, status, headers: Object.fromEntries(kept), ...sent, json, pageUrl: referer, atMs }];
  } catch {
    // An archive may hold a part of an answer.
    return [];
  }
}

function wordsIn({ url, body }: HarEntry): readonly string[] {
  const fields = (body?.fields ?? []).map(({ name, value }) => [name, value] as const);
  const inBody =
    body && /^\s*\{/.test(body.text)
      ? [...body.text.matchAll(/"(\w{1,20})"\s*:\s*"([^"\\]{2,60})"/g)].map(([, name = '', value = '']) => [name, value] as const)
      : [];
  return [...url.searchParams, ...fields, ...inBody]
    .filter(([name, value]) => QUERY_NAME.test(name) && /\p{L}{2}/u.test(value) && value.length <= 60)
    .map(([, value]) => decodeLoosely(value));
}
