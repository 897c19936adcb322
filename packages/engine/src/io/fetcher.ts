// Both lanes as one fetcher: HTTP first, a browser where the page needs one, and nothing kept that only stands in front of a page.
import { decodeBody } from '../html/decode.ts';
import type { PageError } from '../errors.ts';
import type { SeenPage } from '../html/challenge.ts';
import { isPlainPage } from '../html/plain-page.ts';
import type { Fetcher, FetchRequest, Page } from '../ports.ts';
import { chooseFirstLane, decideLane, refuseObstacle } from '../run/choose-lane.ts';
import { findBrowsers, HOW_TO_GET_A_BROWSER, isNoBrowser } from './browser/find.ts';
import type { BrowserPlaces, BrowserSource } from './browser/find.ts';
import { createBrowserFetcher } from './browser/lane.ts';
import type { BrowserFetcher, BrowserFetcherOptions } from './browser/lane.ts';
import { createHttpFetcher } from './http/fetcher.ts';
import type { HttpFetcherOptions } from './http/fetcher.ts';

/** What a fetcher of both lanes needs from its program. */
export type FetcherOptions = HttpFetcherOptions & BrowserFetcherOptions;

/** A fetcher of both lanes. */
export interface LaneFetcher extends Fetcher {
  /** What is known of the browser now; looks at files only. */
  browserState(): BrowserState;
}

/** Which browser renders pages. */
export interface BrowserState {
  /** `running`, `found` but not started, or `absent`. */
  readonly status: 'running' | 'found' | 'absent';
  readonly source?: BrowserSource;
  /** Its path, or what will be unpacked. */
  readonly name?: string;
  readonly version?: string;
  /** How to get one, where there is none. */
  readonly fix?: string;
}

/**
 * Brings pages by HTTP, or by a browser where asked for or needed. Beside the lanes' own errors it throws PageError `captcha` and
 * `blocked` for what is no page, except in answers that were asked for by HTTP: those are handed over as they are.
 */
export function createFetcher(options: FetcherOptions): LaneFetcher {
  const http = createHttpFetcher(options);
  const browser = createBrowserFetcher(options);
  return {
    fetch: (request, signal) => fetchByLane(http, browser, request, signal),
    browserState: () => browserState(browser, options),
    close: async () => void (await Promise.all([http.close(), browser.close()])),
  };
}

async function fetchByLane(http: Fetcher, browser: Fetcher, request: FetchRequest, signal: AbortSignal): Promise<Page> {
  const first = chooseFirstLane(request);
  if (first.lane === 'browser') {
    try {
      return await render(browser, request, first.reason, signal);
    } catch (error) {
      // Without a browser the page still comes, and names the options that it came without.
      if (first.reason === 'asked' || !isNoBrowser(error)) throw error;
    }
  }
  const page = await http.fetch(request, signal);
  if (request.lane === 'http' || page.fromCache || isPlainPage(page)) return page;
  const decision = decideLane(seen(page));
  if (decision.kind === 'refuse') throw decision.error;
  if (decision.kind === 'keep' || first.lane === 'browser' || (request.method ?? 'GET') !== 'GET') return page;
  try {
    return await render(browser, request, decision.reason, signal);
  } catch (error) {
    if (!isNoBrowser(error)) throw error;
    return { ...page, laneReason: 'no_browser', optionsIgnored: [...page.optionsIgnored, 'lane'] };
  }
}

async function render(browser: Fetcher, request: FetchRequest, reason: string, signal: AbortSignal): Promise<Page> {
  const page = await browser.fetch(request, signal);
  const refusal = refusalOf(page);
  if (refusal) throw refusal;
  return { ...page, laneReason: reason };
}

/** Why `page` must not be kept as data; undefined for a page. For answers of the HTTP lane, which the fetcher does not judge. */
export function refusalOf(page: Page): PageError | undefined {
  return isPlainPage(page) ? undefined : refuseObstacle(seen(page));
}

function seen(page: Page): SeenPage & { readonly url: string } {
  const { status, headers, requestedUrl, url } = page;
  return { status, headers, requestedUrl, url, html: decodeBody(page.body, page.contentType).html };
}

function browserState(browser: BrowserFetcher, places: BrowserPlaces): BrowserState {
  const running = browser.running();
  if (running) return { status: 'running', ...running };
  const [first] = findBrowsers(places);
  if (!first) return { status: 'absent', fix: `${HOW_TO_GET_A_BROWSER}.` };
  return { status: 'found', source: first.source, name: first.name };
}
