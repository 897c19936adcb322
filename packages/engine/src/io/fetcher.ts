// Both lanes as one fetcher: HTTP first, a browser where the page needs one, and nothing kept that only stands in front of a page.
import { PageError } from '../errors.ts';
import type { PageErrorCode } from '../errors.ts';
import { isPlainPage } from '../html/signs/plain-page.ts';
import { findEnding } from '../url/file-type.ts';
import type { Fetcher, FetchRequest, Page } from '../ports.ts';
import { chooseFirstLane, decideLane, refusalOf, seenPage } from '../lane/choose-lane.ts';
import type { BrowserRecordings } from '../run/recording/told.ts';
import type { BrowserSessions } from '../run/session.ts';
import { findBrowsers, HOW_TO_GET_A_BROWSER, isNoBrowser } from './browser/program/find.ts';
import type { BrowserPlaces, BrowserSource } from './browser/program/find.ts';
import type { BrowserFetcher, BrowserFetcherOptions, GivenAnswer } from './browser/lane.ts';
import { BriefCookies } from './http/brief-cookies.ts';
import { noteGate } from './http/fresh-cookies.ts';
import { createHttpFetcher } from './http/fetcher.ts';
import type { HttpFetcherOptions } from './http/fetcher.ts';

/** What a fetcher of both lanes needs from its program. */
export type FetcherOptions = HttpFetcherOptions &
  BrowserFetcherOptions & {
    /** The proxy of requests and sessions that name none, by its name. */
    readonly proxy?: string | undefined;
  };

/** A fetcher of both lanes. */
export interface LaneFetcher extends Fetcher {
  /** Pages that are acted on, in the browser that renders pages. */
  readonly sessions: BrowserSessions & BrowserRecordings;
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
  const browser = lateBrowser(options);
  const usual = options.proxy === undefined ? {} : { proxy: options.proxy };
  return {
    fetch: (request, signal) => fetchByLane(http, browser, { ...usual, ...request }, signal),
    sessions: {
      open: (session, signal) => browser.sessions.open({ ...usual, ...session }, signal),
      record: (session, signal) => browser.sessions.record({ ...usual, ...session }, signal),
    },
    browserState: () => browserState(browser, options),
    close: async () => void (await Promise.all([http.close(), browser.close()])),
  };
}

/** The browser lane, loaded with the first page that needs it. */
function lateBrowser(options: BrowserFetcherOptions): BrowserFetcher {
  let loaded: BrowserFetcher | undefined;
  let loading: Promise<BrowserFetcher> | undefined;
  const load = () => (loading ??= import('./browser/lane.ts').then((lane) => (loaded = lane.createBrowserFetcher(options))));
  return {
    fetch: async (request, signal, given) => await (await load()).fetch(request, signal, given),
    sessions: {
      open: async (session, signal) => await (await load()).sessions.open(session, signal),
      record: async (session, signal) => await (await load()).sessions.record(session, signal),
    },
    running: () => loaded?.running(),
    close: async () => await (await loading)?.close(),
  };
}

async function fetchByLane(http: Fetcher, browser: BrowserFetcher, request: FetchRequest, signal: AbortSignal): Promise<Page> {
  const first = chooseFirstLane(request);
  const cookies = request.cookies ?? new BriefCookies();
  if (first.lane === 'browser') {
    const answer = await answerOfFile(http, { ...request, cookies }, signal);
    if (answer && isUnwanted(answer, request)) return answer;
    try {
      if (first.reason === 'asked' || (await mayRender(request)))
        return await render(browser, request, first.reason, signal, answer && { page: answer, cookies });
    } catch (error) {
      // Without a browser the page still comes, and names the options that it came without.
      if (first.reason === 'asked' || !isNoBrowser(error)) throw error;
    }
  }
  const page = await http.fetch({ ...request, cookies }, signal);
  if (request.lane === 'http' || page.fromCache || isPlainPage(page)) return page;
  const decision = decideLane(seenPage(page));
  if (decision.kind === 'refuse') throw decision.error;
  if (decision.kind === 'keep' || first.lane === 'browser' || (request.method ?? 'GET') !== 'GET') return page;
  if (!(await mayRender(request))) return unrendered(page, 'browser_refused');
  // A page that says nothing may be a gate whose script sets a cookie.
  if (!decision.hasContent) noteGate(cookies, page.url);
  try {
    // Its host may be pointed elsewhere meanwhile.
    const again = page.reach === 'private' ? request : { ...request, privateTargets: [] };
    return await render(browser, again, decision.reason, signal, { page, cookies });
  } catch (error) {
    if (isNoBrowser(error)) return unrendered(page, 'no_browser');
    if (decision.hasContent && error instanceof PageError && BROKEN.has(error.code)) return unrendered(page, 'render_failed');
    throw error;
  }
}

/** Failures of the browser or of what a page does in it; others are answers about the page. */
const BROKEN: ReadonlySet<PageErrorCode> = new Set([
  'browser',
  'timeout',
  'connect',
  'tls',
  'truncated',
  'bad_response',
  'body_too_large',
  'redirect_limit',
  'page_unreadable',
]);

async function mayRender({ beforeBrowser }: FetchRequest): Promise<boolean> {
  return beforeBrowser === undefined || (await beforeBrowser());
}

function unrendered(page: Page, reason: 'no_browser' | 'render_failed' | 'browser_refused'): Page {
  return { ...page, laneReason: reason, optionsIgnored: [...page.optionsIgnored, 'lane'] };
}

/** A browser would load a file to its end: an address that may be one is asked for by HTTP, and a page among them is handed to the browser. */
async function answerOfFile(http: Fetcher, request: FetchRequest, signal: AbortSignal): Promise<Page | undefined> {
  if (!request.wantsBody || findEnding(request.url) === undefined) return undefined;
  return await http.fetch({ ...request, lane: 'http' }, signal);
}

function isUnwanted({ status, contentType }: Page, { wantsBody }: FetchRequest): boolean {
  return status < 300 && wantsBody?.(contentType) === false;
}

async function render(
  browser: BrowserFetcher,
  request: FetchRequest,
  reason: string,
  signal: AbortSignal,
  answer: GivenAnswer | undefined,
): Promise<Page> {
  const page = await browser.fetch(request, signal, answer);
  const refusal = refusalOf(page);
  if (refusal) throw refusal;
  return { ...page, laneReason: reason };
}

function browserState(browser: BrowserFetcher, places: BrowserPlaces): BrowserState {
  const running = browser.running();
  if (running) return { status: 'running', ...running };
  const [first] = findBrowsers(places);
  if (!first && places.chromePath !== undefined)
    return {
      status: 'absent',
      fix: `SERVICE_CHROME names ${places.chromePath}, where nothing is: set it to a browser, or unset it and start the agent again.`,
    };
  if (!first) return { status: 'absent', fix: `${HOW_TO_GET_A_BROWSER}.` };
  return { status: 'found', source: first.source, name: first.name };
}
