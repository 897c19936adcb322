// Decides when a kept page may answer instead of the network, and when the network is asked with its validators.
import type { FetchRequest, Page } from '../../ports.ts';
import { BriefCookies } from './brief-cookies.ts';

/** Where pages are kept; the key is the requested URL without its fragment. */
export interface PageCache {
  find(url: string): Promise<Page | undefined>;
  keep(url: string, page: Page): Promise<void>;
}

/** True when the answer can't depend on who asks: a plain GET without headers, cookies, validators or a private target, which wants its body whatever it is. */
export function isCacheable(request: FetchRequest): boolean {
  return (
    (request.method ?? 'GET') === 'GET' &&
    !request.headers &&
    // Cookies that begin with the request say nothing about who asks.
    (!request.cookies || request.cookies instanceof BriefCookies) &&
    !request.validators &&
    !request.wantsBody &&
    (request.privateTargets ?? []).length === 0
  );
}

/** True when `page` is young enough for a caller who accepts copies of `maxAgeMs`. */
export function isFresh(page: Page, maxAgeMs: number, nowMs: number): boolean {
  return maxAgeMs > 0 && nowMs - page.fetchedAtMs <= maxAgeMs;
}

/** The validators that `page` came with; undefined when it can't be asked for conditionally. */
export function validatorsOf(page: Page): FetchRequest['validators'] {
  const etag = page.headers.find(([name]) => name === 'etag')?.[1];
  const lastModified = page.headers.find(([name]) => name === 'last-modified')?.[1];
  if (etag === undefined && lastModified === undefined) return undefined;
  return { ...(etag === undefined ? {} : { etag }), ...(lastModified === undefined ? {} : { lastModified }) };
}

/** True for a page worth keeping: a 200 that its server lets others store (RFC 9111 section 3). */
export function isKeepable(page: Page): boolean {
  const valuesOf = (wanted: string) => page.headers.filter(([name]) => name === wanted).map(([, value]) => value.toLowerCase());
  return (
    page.status === 200 &&
    !valuesOf('cache-control').some((value) => /\bno-store\b|\bprivate\b/.test(value)) &&
    !valuesOf('vary').some((value) => value.includes('*'))
  );
}
