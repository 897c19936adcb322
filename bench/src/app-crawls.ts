// Holds what a crawl asked a server for, and what it kept, against the pages that the server's own side names.
import type { App, Page } from '../apps/app.ts';
import type { SeenRequest } from './counting-proxy.ts';
import type { EndedRequest, RequestEnd, WasteKind } from './waste.ts';
import { wasteKinds } from './waste.ts';

/** What a crawl did, in the terms of the application. */
export interface CrawlScore {
  /** Pages of the truth that were not kept (by log: not answered), as paths. */
  readonly missed: readonly string[];
  /** Requests for pages and for what turned out to be none; robots.txt, sitemaps and what a rendered page loads are not among them. */
  readonly requests: number;
  /** Those that brought no page of the truth, or one that had been brought. */
  readonly wasted: readonly string[];
  /** Requests for readable addresses that the application counts neither as pages nor as waste. */
  readonly asides: number;
  /** The requests with what each brought, in their order. */
  readonly asked: readonly EndedRequest[];
  /** What the wasted ones were. */
  readonly kinds: Readonly<Record<WasteKind, number>>;
  /** Addresses asked for more than once. */
  readonly repeated: readonly string[];
}

/** What each crawler asks for besides pages: rules, maps and the picture that browsers want. */
const OVERHEAD = /^\/(robots\.txt|[^?]*sitemap[^/?]*\.xml(\.gz)?|favicon\.ico)(\?|$)/;

/**
 * Scores the requests that a server saw. `kept` are the addresses that the crawler says it kept; without them a page counts
 * when it was answered with 200.
 */
export function scoreCrawl(
  app: App,
  origin: string,
  truth: readonly Page[],
  seen: readonly SeenRequest[],
  kept?: readonly string[],
): CrawlScore {
  const { wanted, pageAt } = truthKeys(app, origin, truth);
  const asked = seen.filter(({ target, purpose }) => !OVERHEAD.test(target) && (purpose === undefined || purpose === 'document'));
  const brought = new Set<string>();
  const wasted: string[] = [];
  const ended: EndedRequest[] = [];
  let hashed = 0;
  for (const { target, status, contentType } of asked) {
    const url = new URL(target, origin);
    const page = pageAt(url);
    const ends = (end: RequestEnd) => ended.push({ target, status, contentType, end });
    // A browser that has the page still is told so.
    const isAnswered = status === 200 || status === 304;
    // Each page of a hash router is one more request for the same document.
    if (app.isHashRouted && isAnswered && hashed++ < (kept?.length ?? 1)) continue;
    if (isAnswered && wanted.has(page) && !brought.has(page)) {
      brought.add(page);
      ends('page');
    } else if (isAnswered && !wanted.has(page) && app.isAside?.(url)) ends('aside');
    else {
      wasted.push(`${status} ${target}`);
      ends('waste');
    }
  }
  const had = kept ? new Set(kept.map((url) => pageAt(new URL(url)))) : brought;
  return {
    missed: [...wanted].filter((page) => !had.has(page)),
    requests: asked.length,
    wasted,
    asides: ended.filter(({ end }) => end === 'aside').length,
    asked: ended,
    kinds: wasteKinds(ended, (target) => wanted.has(pageAt(new URL(target, origin)))),
    repeated: app.isHashRouted ? [] : repeatsOf(asked.map(({ method, target }) => `${method} ${target}`)),
  };
}

/** Says which page of the truth an address shows; undefined where it shows none. */
export function pagesOf(app: App, origin: string, truth: readonly Page[]): (url: URL) => string | undefined {
  const { wanted, pageAt } = truthKeys(app, origin, truth);
  return (url) => (wanted.has(pageAt(url)) ? pageAt(url) : undefined);
}

function truthKeys(app: App, origin: string, truth: readonly Page[]) {
  const pageOf = (url: URL) => (app.pageOf ? app.pageOf(url) : url.pathname + url.search);
  const pathKey = (path: string) => keyOf(new URL(path, origin), pageOf);
  const wanted = new Set(truth.map(({ path }) => pathKey(path)));
  const shown = new Map(truth.flatMap(({ path, also = [] }) => also.map((other) => [pathKey(other), pathKey(path)] as const)));
  const pageAt = (url: URL) => shown.get(keyOf(url, pageOf)) ?? keyOf(url, pageOf);
  return { wanted, pageAt };
}

function keyOf(url: URL, pageOf: (url: URL) => string | undefined): string {
  return pageOf(url) ?? `not a page: ${url.href}`;
}

function repeatsOf(values: readonly string[]): string[] {
  return [...Map.groupBy(values, (value) => value)]
    .filter(([, times]) => times.length > 1)
    .map(([value, times]) => `${times.length}x ${value}`);
}
