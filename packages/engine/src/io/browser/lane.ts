// The browser lane: gate, tab, wait, read, close. Every step has an end, and nothing of a page outlives it.
import { PageError } from '../../errors.ts';
import type { Clock, Fetcher, FetchRequest, Page } from '../../ports.ts';
import type { CheckedTarget } from '../gate/gate.ts';
import { routeIn } from '../../url/route.ts';
import { shownUrl } from '../gate/refusal.ts';
import { toPageError } from '../http/failure.ts';
import { DEFAULT_LIMITS } from '../http/limits.ts';
import { blockedKinds, blockKinds } from './blocking.ts';
import { captureJson, capturePictures, readDownload, readRaw } from './capture.ts';
import { lendCookies, returnCookies } from './cookies.ts';
import { startBudget, within } from './deadline.ts';
import type { Budget } from './deadline.ts';
import { toBrowserError } from './failure.ts';
import type { OpenTab } from './generation.ts';
import { BrowserPool } from './pool.ts';
import type { BrowserPoolOptions, RunningBrowser } from './pool.ts';
import { readDom } from './read-dom.ts';
import { waitUntilReady } from './wait.ts';
import { watchTab } from './watch.ts';
import type { SeenDocument, TabWatch } from './watch.ts';

/** What a browser fetcher needs from its program. */
export interface BrowserFetcherOptions extends BrowserPoolOptions {
  readonly clock?: Clock;
}

/** A fetcher that renders pages, and tells which browser it runs. */
export interface BrowserFetcher extends Fetcher {
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

/** One request on its way through a tab. */
interface Visit extends OpenTab {
  readonly request: FetchRequest;
  readonly watch: TabWatch;
  readonly budget: Budget;
  readonly bytesMax: number;
}

const PREPARE_MS = 10_000;

/** A fetcher that opens every page in a browser. All traffic of the browser passes `options.gate`. */
export function createBrowserFetcher(options: BrowserFetcherOptions): BrowserFetcher {
  const pool = new BrowserPool(options);
  const clock = options.clock ?? { now: () => Date.now() };
  return {
    running: () => pool.running(),
    close: () => pool.close(),
    async fetch(request, signal) {
      try {
        signal.throwIfAborted();
        const target = await checkTarget(options, request, signal);
        const job = { owner: request.cookies, privateTargets: request.privateTargets ?? [], mayReachPrivate: target.reach === 'private' };
        return await pool.withTab(job, signal, (open) => visit(open, target, request, clock));
      } catch (error) {
        throw toBrowserError(error, request.url, request.timeoutMs ?? DEFAULT_LIMITS.totalMs, signal);
      }
    },
  };
}

async function checkTarget({ gate }: BrowserFetcherOptions, request: FetchRequest, signal: AbortSignal): Promise<CheckedTarget> {
  try {
    return await gate.check(request.url, { privateTargets: request.privateTargets ?? [], from: 'caller' }, signal);
  } catch (error) {
    throw toPageError(error, request.url, 'resolve', DEFAULT_LIMITS, signal);
  }
}

async function visit(open: OpenTab, target: CheckedTarget, request: FetchRequest, clock: Clock): Promise<Page> {
  const startedMs = performance.now();
  const { tab, egress } = open;
  const budget = startBudget(request.timeoutMs ?? DEFAULT_LIMITS.totalMs);
  const ownHosts = new Set([target.url.origin, ...(request.privateTargets ?? []).flatMap(originsOf)]);
  const watch = watchTab(tab, {
    navigationsMax: request.redirectsMax ?? DEFAULT_LIMITS.redirectsMax,
    // The proxy sees no documents inside of tunnels; the browser tells of them before it asks for them.
    onNavigation: (url) => {
      const parsed = URL.parse(url);
      if (parsed && /^https?:$/.test(parsed.protocol) && !ownHosts.has(parsed.origin)) egress.closePrivate();
    },
  });
  const visiting: Visit = { ...open, request, watch, budget, bytesMax: request.bodyBytesMax ?? DEFAULT_LIMITS.bodyBytesMax };
  const session = await within(tab.context().newCDPSession(tab), PREPARE_MS, 'preparing the page');
  await within(prepare(visiting, session), PREPARE_MS, 'preparing the page');
  await openAddress(visiting);
  const openedMs = performance.now();
  const isFile = watch.download() !== undefined;
  const options = request.browser ?? {};
  const missed = isFile ? [] : await Promise.race([waitUntilReady(tab, watch, options, budget), watch.broken]);
  const pictures = isFile ? {} : await capturePictures(tab, options, budget);
  const xhr = await captureJson(watch.jsonResponses, budget);
  const rendered = watch.download() ? await readFile(visiting) : await readTab(visiting, session);
  if (request.cookies) await within(returnCookies(tab.context(), request.cookies), PREPARE_MS, 'reading cookies');
  return toPage(visiting, rendered, clock, {
    ...pictures,
    ...(xhr.length > 0 ? { xhr } : {}),
    optionsIgnored: [...missed, ...ignoredOptions(request)],
    timings: { renderMs: performance.now() - openedMs, totalMs: performance.now() - startedMs },
  });
}

async function prepare(
  { tab, request }: Visit,
  session: Awaited<ReturnType<ReturnType<OpenTab['tab']['context']>['newCDPSession']>>,
): Promise<void> {
  const callerCookie = headersOf(request).find(([name]) => name === 'cookie')?.[1];
  await Promise.all([
    blockKinds(session, blockedKinds(request.browser ?? {})),
    lendCookies(tab.context(), request.cookies, request.url, callerCookie),
  ]);
}

/** Sends the tab to the address. An answer without a body, and one that is a file, end Playwright's navigation but not ours. */
async function openAddress({ tab, egress, request, watch, budget }: Visit): Promise<void> {
  const referer = headersOf(request).find(([name]) => name === 'referer')?.[1];
  const ms = budget.leftMs();
  try {
    await within(
      tab.goto(request.url, { waitUntil: 'commit', timeout: ms, ...(referer === undefined ? {} : { referer }) }),
      ms,
      'opening the address',
    );
  } catch (error) {
    const asked = watch.lastAsked() ?? request.url;
    const failure = egress.failureOf(asked);
    if (failure && !watch.download() && !hasAnswer(watch, asked)) throw failure;
    const isBodyless = error instanceof Error && /ERR_HTTP_RESPONSE_CODE_FAILURE|ERR_ABORTED|Download is starting/.test(error.message);
    if (!isBodyless || watch.documents.length === 0) throw error;
  }
  const last = watch.documents.at(-1);
  if (last && egress.isOwnAnswer(last.response.headers()))
    throw egress.failureOf(last.url) ?? new PageError('connect', `${shownUrl(last.url)}: no connection.`, { url: shownUrl(last.url) });
}

function hasAnswer({ documents }: TabWatch, url: string): boolean {
  return documents.at(-1)?.url === url;
}

async function readFile({ watch, bytesMax, budget, request }: Visit): Promise<Rendered> {
  const download = watch.download();
  const document = watch.documents.at(-1);
  if (!download || !document)
    throw new PageError('browser', 'The page began a download that did not answer.', { url: shownUrl(request.url) });
  const body = await readDownload(download, bytesMax, budget);
  return { document, url: document.url, body, contentType: document.response.headers()['content-type'] ?? 'application/octet-stream' };
}

async function readTab(visiting: Visit, session: Parameters<typeof readDom>[0]): Promise<Rendered> {
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
  if (body.length > bytesMax)
    throw new PageError('body_too_large', `The rendered page has more than ${bytesMax.toLocaleString('en')} bytes. Raise the limit.`);
  // A fragment is part of the address only where a route was asked for: applications add one to their first page by themselves.
  const route = routeIn(visiting.request.url) && routeIn(tab.url());
  return { document, url: tab.url().replace(/#.*$/s, '') + route, body, contentType: `${dom.contentType}; charset=utf-8` };
}

async function toPage(
  { request, watch }: Visit,
  { document, url, contentType, body }: Rendered,
  clock: Clock,
  more: Pick<Page, 'optionsIgnored' | 'timings'> & Partial<Page>,
): Promise<Page> {
  const headers = await within(document.response.headersArray(), PREPARE_MS, 'reading headers');
  return {
    requestedUrl: request.url,
    url,
    status: document.status,
    headers: headers.map(({ name, value }) => [name.toLowerCase(), value] as const),
    body,
    contentType,
    lane: 'browser',
    laneReason: 'asked',
    redirects: watch.documents.slice(0, -1).map(({ url: from, status }) => ({ url: from, status })),
    fetchedAtMs: clock.now(),
    fromCache: false,
    ...more,
  };
}

/** A header on every request of a page would reach other origins too, so only those with a place of their own are sent. */
function ignoredOptions(request: FetchRequest): readonly string[] {
  const sent: ReadonlySet<string> = new Set(['cookie', 'referer']);
  return [
    ...headersOf(request)
      .filter(([name]) => !sent.has(name))
      .map(([name]) => `headers.${name.replace(/[^\x21-\x7e]/g, '?')}`),
    ...(request.validators ? ['validators'] : []),
    ...(request.maxAgeMs === undefined ? [] : ['maxAgeMs']),
    ...(request.followRedirects === false ? ['followRedirects'] : []),
  ];
}

function headersOf(request: FetchRequest): readonly (readonly [name: string, value: string])[] {
  return Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
}

function originsOf(hostAndPort: string): readonly string[] {
  return ['http', 'https'].flatMap((scheme) => URL.parse(`${scheme}://${hostAndPort}`)?.origin ?? []);
}
