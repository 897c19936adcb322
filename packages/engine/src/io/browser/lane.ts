// The browser lane: gate, tab, wait, read, close. Every step has an end, and nothing of a page outlives it.
import type { CDPSession, Page as Tab } from 'playwright-core';
import { PageError } from '../../errors.ts';
import type { BrowserOptions, Clock, CookieStore, Fetcher, FetchRequest, Page, Reach } from '../../ports.ts';
import type { BrowserRecordings } from '../../run/recording/told.ts';
import type { BrowserSessions } from '../../run/session.ts';
import type { CheckedTarget } from '../gate/gate.ts';
import { routeIn } from '../../url/route.ts';
import { shownUrl } from '../gate/refusal.ts';
import { isBinary } from '../../extract/documents/body-kind.ts';
import { bodyTooLarge } from '../http/decompress.ts';
import { toPageError } from '../http/failure.ts';
import { DEFAULT_LIMITS } from '../http/limits.ts';
import { blockedKinds, blockKinds } from './blocking.ts';
import { capBytes } from './byte-cap.ts';
import { captureJson, captureScreenshot, readDownload, readRaw } from './capture.ts';
import { lendCookies, returnCookies } from './cookies.ts';
import { startBudget, within, withinBudget } from './deadline.ts';
import type { Budget } from './deadline.ts';
import { guardDocuments, originsOf } from './document-gate.ts';
import type { DocumentGate } from './document-gate.ts';
import { toBrowserError } from './failure.ts';
import type { Egress } from './egress-proxy.ts';
import type { OpenTab } from './generation.ts';
import { BrowserPool } from './pool.ts';
import type { BrowserPoolOptions, RunningBrowser } from './pool.ts';
import { takeMarkedPicture } from './marked-picture.ts';
import { capturePdf } from './pdf.ts';
import { readDom } from './read-dom.ts';
import { createSessions } from './session/sessions.ts';
import { countTimers } from './timers.ts';
import { waitUntilReady } from './wait.ts';
import { watchTab } from './watch.ts';
import type { SeenDocument, TabWatch } from './watch.ts';

/** What a browser fetcher needs from its program. */
export interface BrowserFetcherOptions extends BrowserPoolOptions {
  readonly clock?: Clock;
}

/** What the HTTP lane got for a request, and the cookies that it had by then. */
export interface GivenAnswer {
  readonly page: Page;
  readonly cookies: CookieStore;
}

/** A fetcher that renders pages, and tells which browser it runs. */
export interface BrowserFetcher extends Fetcher {
  /** With `answer` the tab opens the address that gave it, and is given it there: the page is asked for once. */
  fetch(request: FetchRequest, signal: AbortSignal, answer?: GivenAnswer): Promise<Page>;
  /** Sessions in the same browser. */
  readonly sessions: BrowserSessions & BrowserRecordings;
  /** Undefined while none runs. */
  running(): RunningBrowser | undefined;
}

/** What a page was before it became a Page. */
interface Rendered {
  readonly document: SeenDocument;
  readonly url: string;
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** A tab, and what is to be opened in it. */
interface Opening extends OpenTab {
  readonly request: FetchRequest;
  readonly given: GivenAnswer | undefined;
  /** What the tab is sent to. */
  readonly address: string;
}

/** One request on its way through a tab. */
interface Visit extends Opening {
  readonly watch: TabWatch;
  readonly budget: Budget;
  readonly bytesMax: number;
}

const PREPARE_MS = 10_000;
/** What a browser makes of bytes that are no text; its document alone does not say what came. */
const SIGNS_OF_BINARY = /[\u0001-\u0008\u000e-\u001f\u007f-\u009f\ufffd]/;
const SIGNS_WITHIN = 4096;

/** A fetcher that opens every page in a browser. All traffic of the browser passes `options.gate`. */
export function createBrowserFetcher(options: BrowserFetcherOptions): BrowserFetcher {
  const pool = new BrowserPool(options);
  const clock = options.clock ?? { now: () => Date.now() };
  return {
    sessions: createSessions(pool, clock),
    running: () => pool.running(),
    close: () => pool.close(),
    async fetch(request, signal, given) {
      try {
        signal.throwIfAborted();
        const address = addressOf(request, given?.page);
        const target = await checkTarget(options, request, address, signal);
        const { cookies: owner, privateTargets = [], names, proxy, locale, tenant, isUrgent } = request;
        const job = { owner, privateTargets, names, proxy, locale, tenant, isUrgent, mayReachPrivate: target.reach === 'private' };
        return await pool.withTab(job, signal, (open) => visit({ ...open, request, given, address }, target, clock));
      } catch (error) {
        throw toBrowserError(error, request.url, request.timeoutMs ?? DEFAULT_LIMITS.totalMs, signal);
      }
    },
  };
}

/** Behind the redirects of an answer; a fragment stays with the address, as in a browser. */
function addressOf({ url }: FetchRequest, answer: Page | undefined): string {
  if (!answer) return url;
  return answer.url.includes('#') ? answer.url : answer.url + (/#.*$/s.exec(url)?.[0] ?? '');
}

async function checkTarget(
  { gate }: BrowserFetcherOptions,
  request: FetchRequest,
  address: string,
  signal: AbortSignal,
): Promise<CheckedTarget> {
  try {
    const { privateTargets = [], names } = request;
    return await gate.check(address, { privateTargets, names, from: 'caller' }, signal);
  } catch (error) {
    throw toPageError(error, request.url, 'resolve', DEFAULT_LIMITS, signal);
  }
}

async function visit(opening: Opening, target: CheckedTarget, clock: Clock): Promise<Page> {
  const startedMs = performance.now();
  const { tab, request } = opening;
  const budget = startBudget(request.timeoutMs ?? DEFAULT_LIMITS.totalMs);
  const watch = watchTab(tab, request.redirectsMax ?? DEFAULT_LIMITS.redirectsMax);
  const visiting: Visit = { ...opening, watch, budget, bytesMax: request.bodyBytesMax ?? DEFAULT_LIMITS.bodyBytesMax };
  const session = await within(tab.context().newCDPSession(tab), PREPARE_MS, 'preparing the page');
  const gate = await within(prepare(visiting, session, target), PREPARE_MS, 'preparing the page');
  const read = open(visiting, session, gate, clock, startedMs);
  return await (gate ? Promise.race([read, gate.refused]) : read);
}

async function open(visiting: Visit, session: CDPSession, gate: DocumentGate | undefined, clock: Clock, startedMs: number): Promise<Page> {
  const { tab, request, watch, budget } = visiting;
  // What the reader needs to know of the styles is computed while the page is waited for; nothing is painted here, so it would be later.
  tab.on('load', () => void session.send('Page.getLayoutMetrics').catch(() => undefined));
  await openAddress(visiting);
  const openedMs = performance.now();
  const isFile = watch.download() !== undefined;
  const options = request.browser ?? {};
  const ready = isFile ? [] : waitUntilReady(tab, watch, options, budget, gate?.decided);
  const missed = await unlessRefused(visiting, Promise.race([ready, watch.broken]));
  const picture = isFile ? {} : await takePicture(tab, options, budget);
  const xhr = await captureJson(watch.jsonResponses, budget);
  const rendered = watch.download() ? await readFile(visiting) : await readTab(visiting, session);
  // Printing comes last: what is hidden is hidden on the page itself.
  const printed = isFile ? {} : await capturePdf(tab, options, budget);
  if (request.cookies) await within(returnCookies(tab.context(), request.cookies), PREPARE_MS, 'reading cookies');
  return toPage(visiting, rendered, gate?.isAnswered() === true, clock, {
    ...picture,
    ...printed,
    ...(xhr.length > 0 ? { xhr } : {}),
    optionsIgnored: [...missed, ...ignoredOptions(request)],
    timings: { renderMs: performance.now() - openedMs, totalMs: performance.now() - startedMs },
  });
}

async function takePicture(tab: Tab, options: BrowserOptions, budget: Budget): Promise<Pick<Page, 'screenshot' | 'boxes'>> {
  const isMarked = options.screenshot !== undefined && (options.hide ?? options.boxesOf) !== undefined;
  return isMarked ? await takeMarkedPicture(tab, options, budget) : await captureScreenshot(tab, options, budget);
}

async function prepare(visiting: Visit, session: CDPSession, target: CheckedTarget) {
  const { tab, egress, request, given, address, budget, watch, bytesMax } = visiting;
  const callerCookie = headersOf(request).find(([name]) => name === 'cookie')?.[1];
  const ownOrigins = new Set([target.url.origin, ...(request.privateTargets ?? []).flatMap(originsOf)]);
  const { beforeRedirect } = request;
  const home = target.reach === 'private' ? { egress, ownOrigins } : undefined;
  const rules = {
    home,
    answer: isAskedAlike(request) ? given?.page : undefined,
    beforeRedirect:
      beforeRedirect && ((url: string, status: number) => budget.pauseFor(() => beforeRedirect(url, status, reachOf(egress)))),
  };
  const [gate] = await Promise.all([
    home || rules.answer || beforeRedirect ? guardDocuments(session, rules) : undefined,
    blockKinds(session, blockedKinds(request.browser ?? {})),
    capBytes(session, bytesMax, shownUrl(request.url), watch.breakOff),
    lendCookies(tab.context(), request.cookies ?? given?.cookies, address, callerCookie),
    request.browser?.waitFor === undefined ? countTimers(tab) : undefined,
  ]);
  return gate;
}

/** Where the page of this way out is: private until something of it was not. */
function reachOf(egress: Egress): Reach {
  return egress.isPrivateClosed() ? 'public' : 'private';
}

/** Whether a browser would have sent the same request: headers that only the HTTP lane sends may have changed the answer. */
function isAskedAlike(request: FetchRequest): boolean {
  return ignoredHeaders(request).length === 0;
}

/** Sends the tab to the address. An answer without a body, and one that is a file, end Playwright's navigation but not ours. */
async function openAddress(visiting: Visit): Promise<void> {
  const { tab, egress, request, address, watch, budget } = visiting;
  const referer = headersOf(request).find(([name]) => name === 'referer')?.[1];
  try {
    // Its time stands still while somebody decides about a redirect, which Playwright does not know.
    const opened = tab.goto(address, { waitUntil: 'commit', timeout: 0, ...(referer === undefined ? {} : { referer }) });
    await unlessRefused(visiting, withinBudget(opened, budget, 'opening the address'));
  } catch (error) {
    const isBodyless = error instanceof Error && /ERR_HTTP_RESPONSE_CODE_FAILURE|ERR_ABORTED|Download is starting/.test(error.message);
    if (!isBodyless || watch.documents.length === 0) throw error;
  }
  const last = watch.documents.at(-1);
  if (last && egress.isOwnAnswer(last.response.headers()))
    throw egress.failureOf(last.url) ?? new PageError('connect', `${shownUrl(last.url)}: no connection.`, { url: shownUrl(last.url) });
}

/** `step`, whose failure is told by the proxy where the proxy has refused what the tab asked for last. */
async function unlessRefused<T>({ request, watch, egress }: Visit, step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    const asked = watch.lastAsked() ?? request.url;
    const isToldAlready = error instanceof PageError || watch.download() !== undefined || watch.documents.at(-1)?.url === asked;
    throw (isToldAlready ? undefined : egress.failureOf(asked)) ?? error;
  }
}

async function readFile({ watch, bytesMax, budget, request }: Visit): Promise<Rendered> {
  const download = watch.download();
  const document = watch.documents.at(-1);
  if (!download || !document)
    throw new PageError('browser', 'The page began a download that did not answer.', { url: shownUrl(request.url) });
  const body = await readDownload(download, bytesMax, budget);
  return { document, url: document.url, body, contentType: document.response.headers()['content-type'] ?? 'application/octet-stream' };
}

async function readTab(visiting: Visit, session: CDPSession): Promise<Rendered> {
  const { tab, watch, bytesMax, budget, egress } = visiting;
  const document = watch.documents.at(-1);
  if (!document) throw new PageError('browser', 'The page has no answer.', { url: shownUrl(visiting.request.url) });
  if (egress.isOwnAnswer(document.response.headers())) throw egress.failureOf(document.url) ?? new PageError('connect', 'No connection.');
  const headerType = document.response.headers()['content-type'];
  // Nothing came, so the browser shows a page of its own.
  if (tab.url().startsWith('chrome-error:') || document.status === 204)
    return { document, url: document.url, body: new Uint8Array(), contentType: headerType ?? 'text/html' };
  await within(Promise.race([watch.completed(), watch.broken]), budget.leftMs(), 'loading the document');
  const dom = await readDom(session, bytesMax, budget);
  if (!/^(?:text\/html|application\/xhtml\+xml)$/.test(dom.contentType))
    return {
      document,
      url: document.url,
      body: await readRaw(document.response, bytesMax, budget),
      contentType: headerType ?? dom.contentType,
    };
  const body = new TextEncoder().encode(dom.html);
  if (body.length > bytesMax) throw bodyTooLarge(bytesMax, shownUrl(document.url));
  if (SIGNS_OF_BINARY.test(dom.html.slice(0, SIGNS_WITHIN)) && isBinary(await readRaw(document.response, Infinity, budget)))
    throw new PageError('unsupported_type', `It is sent as ${dom.contentType}, and is no text.`);
  // A fragment is part of the address only where a route was asked for: applications add one to their first page by themselves.
  const route = routeIn(visiting.request.url) && routeIn(tab.url());
  return { document, url: tab.url().replace(/#.*$/s, '') + route, body, contentType: `${dom.contentType}; charset=utf-8` };
}

async function toPage(
  { request, given, watch, egress }: Visit,
  { document, url, contentType, body }: Rendered,
  isAnswered: boolean,
  clock: Clock,
  more: Pick<Page, 'optionsIgnored' | 'timings'> & Partial<Page>,
): Promise<Page> {
  const first = isAnswered && watch.documents[0] === document ? given?.page : undefined;
  const headers = first?.headers ?? (await headersFrom(document));
  return {
    requestedUrl: request.url,
    url,
    status: document.status,
    headers,
    body,
    contentType,
    reach: reachOf(egress),
    lane: 'browser',
    laneReason: 'asked',
    redirects: [...(given?.page.redirects ?? []), ...watch.documents.slice(0, -1).map(({ url: from, status }) => ({ url: from, status }))],
    fetchedAtMs: clock.now(),
    fromCache: false,
    ...more,
  };
}

async function headersFrom({ response }: SeenDocument): Promise<Page['headers']> {
  const headers = await within(response.headersArray(), PREPARE_MS, 'reading headers');
  return headers.map(({ name, value }) => [name.toLowerCase(), value] as const);
}

/** A header on every request of a page would reach other origins too, so only those with a place of their own are sent. */
function ignoredHeaders(request: FetchRequest): readonly string[] {
  const sent: ReadonlySet<string> = new Set(['cookie', 'referer']);
  return headersOf(request).flatMap(([name]) => (sent.has(name) ? [] : [`headers.${name.replace(/[^\x21-\x7e]/g, '?')}`]));
}

function ignoredOptions(request: FetchRequest): readonly string[] {
  return [
    ...ignoredHeaders(request),
    ...(request.validators ? ['validators'] : []),
    ...(request.followRedirects === false ? ['followRedirects'] : []),
  ];
}

function headersOf(request: FetchRequest): readonly (readonly [name: string, value: string])[] {
  return Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
}
