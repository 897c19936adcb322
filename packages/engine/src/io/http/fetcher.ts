// The HTTP lane: gate, hop, redirect, again, until there is a page.
import type { Dispatcher } from 'undici';
import type { Clock, CookieStore, Fetcher, FetchRequest, Page, PageTimings, PageWarning, Reach } from '../../ports.ts';
import { findRefreshTarget } from '../../html/refresh.ts';
import type { AddressGate, CheckedTarget } from '../gate/gate.ts';
import { BriefCookies } from './brief-cookies.ts';
import { FreshCookies } from './fresh-cookies.ts';
import type { Connections, ConnectionOptions } from './connections.ts';
import { startDeadline } from './deadline.ts';
import type { Deadline } from './deadline.ts';
import { toPageError } from './failure.ts';
import type { HopPhase } from './failure.ts';
import { discardBody, headerOf, readBody, readExcerpt, sendHop } from './hop.ts';
import type { HopAnswer } from './hop.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import type { HttpLimits } from './limits.ts';
import { decideRedirect, redirectedMethod, redirectLimit, redirectLoop } from './redirects.ts';
import type { Hop } from './redirects.ts';
import { acceptCallerHeaders, outgoingHeaders, withoutCredentials } from './request-headers.ts';

/** What an HTTP fetcher needs from its program. */
export interface HttpFetcherOptions extends Partial<Omit<ConnectionOptions, 'limits'>> {
  readonly gate: AddressGate;
  /** Default: `WeftBot/0.1`. Name the program, and a page or a mail address of who runs it. */
  readonly userAgent?: string;
  readonly limits?: Partial<HttpLimits>;
  readonly clock?: Clock;
}

/** What is sent where the program gives no name of its own. */
const DEFAULT_USER_AGENT = 'WeftBot/0.1';

/** What stays the same over all requests of a fetcher. */
interface HttpLane {
  readonly gate: AddressGate;
  readonly connections: Connections;
  readonly userAgent: string;
  readonly limits: HttpLimits;
  readonly clock: Clock;
}

/** Where a request stands between two hops. */
interface Walk {
  readonly url: string;
  readonly method: Dispatcher.HttpMethod;
  readonly body: Uint8Array | undefined;
  readonly proxy: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly from: 'caller' | 'public';
  /** Where the last hop was reached. */
  readonly reach: Reach;
  readonly chain: readonly Hop[];
  readonly warnings: readonly PageWarning[];
  readonly timings: PageTimings;
}

/** A fetcher over HTTP/1.1. It ignores proxy variables of the environment, and refuses whatever `options.gate` refuses. */
export function createHttpFetcher(options: HttpFetcherOptions): Fetcher {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const clock = options.clock ?? { now: () => Date.now() };
  const lane = { gate: options.gate, limits, clock, userAgent: options.userAgent ?? DEFAULT_USER_AGENT };
  let connections: Promise<Connections> | undefined;
  // undici is a tenth of what a resting program would hold: it comes with the first request.
  const connect = () => (connections ??= import('./connections.ts').then((made) => made.createConnections({ ...options, limits })));
  return {
    fetch: async (request, signal) => await fetchPage({ ...lane, connections: await connect() }, request, signal),
    close: async () => await (await connections)?.close(),
  };
}

async function fetchPage(base: HttpLane, request: FetchRequest, signal: AbortSignal): Promise<Page> {
  const lane = { ...base, limits: limitsFor(base.limits, request) };
  // A signal of its own that follows the caller's: one that AbortSignal.any makes costs more than the request's own bookkeeping.
  const ended = new AbortController();
  const follow = () => ended.abort(signal.reason);
  const deadline = startDeadline(lane.limits.totalMs, () => ended.abort(new DOMException('The deadline has passed.', 'TimeoutError')));
  signal.addEventListener('abort', follow);
  if (signal.aborted) follow();
  try {
    return await walk(lane, request, signal, ended.signal, deadline);
  } finally {
    deadline.clear();
    signal.removeEventListener('abort', follow);
  }
}

/** A caller who gives a request more time means every phase of it. */
function limitsFor(limits: HttpLimits, request: FetchRequest): HttpLimits {
  const askedMs = request.timeoutMs ?? 0;
  return {
    ...limits,
    totalMs: request.timeoutMs ?? limits.totalMs,
    headersMs: Math.max(limits.headersMs, askedMs),
    idleMs: Math.max(limits.idleMs, askedMs),
    bodyBytesMax: request.bodyBytesMax ?? limits.bodyBytesMax,
    redirectsMax: request.redirectsMax ?? limits.redirectsMax,
  };
}

async function walk(
  lane: HttpLane,
  request: FetchRequest,
  callerSignal: AbortSignal,
  signal: AbortSignal,
  deadline: Deadline,
): Promise<Page> {
  const startedMs = performance.now();
  const cookies = cookiesFor(request);
  const caller = acceptCallerHeaders(request.headers);
  let step = firstStep(request, caller.headers);
  let phase: HopPhase = 'resolve';
  // The same request twice is a loop; the same URL with another cookie is not.
  const sent = new Set<string>();
  try {
    for (;;) {
      phase = 'resolve';
      const resolvedMs = performance.now();
      const { privateTargets = [], names } = request;
      const target = await lane.gate.check(step.url, { privateTargets, names, from: step.from }, signal);
      const dnsMs = target.addresses[0] === target.host ? undefined : performance.now() - resolvedMs;
      const from = step.chain.at(-1);
      if (from) await deadline.pauseFor(async () => request.beforeRedirect?.(target.url.href, from.status, step.reach));
      phase = 'headers';
      const cookie = cookies.headerFor(target.url.href);
      const sentKey = `${step.method} ${target.url.href} ${cookie}`;
      if (sent.has(sentKey)) throw redirectLoop(step.chain, step.url);
      sent.add(sentKey);
      const answer = await sendStep(lane, step, target, cookie, signal);
      cookies.keep(target.url.href, valuesOf(answer, 'set-cookie'));
      const next = request.followRedirects === false ? undefined : findNext(target, answer);
      step = { ...step, url: target.url.href, reach: target.reach, timings: addTimings(step.timings, dnsMs, answer) };
      if (next !== undefined) {
        step = nextStep(lane, step, answer.status, next, target);
        continue;
      }
      phase = 'body';
      const page = await toPage(lane, request, step, answer, caller.ignored, startedMs + deadline.pausedMs());
      const refresh = step.method === 'GET' && request.followRedirects !== false ? findRefreshTarget(page.url, page) : undefined;
      if (refresh === undefined) return page;
      step = nextStep(lane, step, answer.status, refresh, target);
    }
  } catch (error) {
    throw toPageError(error, step.url, phase, lane.limits, callerSignal);
  }
}

function cookiesFor({ cookies, isFresh }: FetchRequest): CookieStore {
  if (!cookies) return new BriefCookies();
  return isFresh ? new FreshCookies(cookies) : cookies;
}

function firstStep(request: FetchRequest, headers: Readonly<Record<string, string>>): Walk {
  return {
    url: request.url,
    method: request.method ?? 'GET',
    body: request.body,
    proxy: request.proxy,
    headers: { ...languageHeaders(request.locale), ...headers, ...conditionalHeaders(request.validators) },
    from: 'caller',
    reach: 'public',
    chain: [],
    warnings: [],
    timings: { totalMs: 0 },
  };
}

function languageHeaders(locale: string | undefined): Record<string, string> {
  return locale === undefined ? {} : { 'accept-language': locale };
}

function conditionalHeaders(validators: FetchRequest['validators']): Record<string, string> {
  return {
    ...(validators?.etag === undefined ? {} : { 'if-none-match': validators.etag }),
    ...(validators?.lastModified === undefined ? {} : { 'if-modified-since': validators.lastModified }),
  };
}

function sendStep(lane: HttpLane, step: Walk, target: CheckedTarget, cookie: string, signal: AbortSignal): Promise<HopAnswer> {
  const { headersMs, idleMs } = lane.limits;
  const headers = outgoingHeaders(lane.userAgent, step.headers, cookie);
  const hop = { url: target.url, method: step.method, headers, body: step.body, headersMs, idleMs };
  return sendHop(lane.connections.to(target, step.proxy), hop, signal);
}

/** Where the answer leads; its body is then of no use, nor is it beside a broken Location. */
function findNext(target: CheckedTarget, answer: HopAnswer): string | undefined {
  let isPage = false;
  try {
    const next = decideRedirect(target.url.href, answer.status, valuesOf(answer, 'location'));
    isPage = next === undefined;
    return next;
  } finally {
    if (!isPage) discardBody(answer);
  }
}

function nextStep(lane: HttpLane, step: Walk, status: number, next: string, target: CheckedTarget): Walk {
  const chain = [...step.chain, { url: step.url, status }];
  if (chain.length > lane.limits.redirectsMax) throw redirectLimit(chain, next, lane.limits.redirectsMax);
  const isSameOrigin = URL.parse(next)?.origin === target.url.origin;
  const headers = isSameOrigin ? step.headers : withoutCredentials(step.headers);
  const method = redirectedMethod(step.method, status);
  return {
    ...step,
    url: next,
    chain,
    headers,
    method,
    body: method === step.method ? step.body : undefined,
    // What a public page leads to is never private, even where the caller's own URL may be.
    from: target.reach === 'public' ? 'public' : step.from,
    warnings: [...new Set([...step.warnings, ...warningsOf(step, next, headers)])],
  };
}

function warningsOf(step: Walk, next: string, headers: Readonly<Record<string, string>>): readonly PageWarning[] {
  const isInsecure = step.url.startsWith('https:') && next.startsWith('http:');
  const isDropped = Object.keys(headers).length < Object.keys(step.headers).length;
  return [...(isInsecure ? ['insecure_redirect' as const] : []), ...(isDropped ? ['credentials_dropped' as const] : [])];
}

async function toPage(
  lane: HttpLane,
  request: FetchRequest,
  step: Walk,
  answer: HopAnswer,
  ignoredHeaders: readonly string[],
  startedMs: number,
): Promise<Page> {
  const isNotModified = answer.status === 304 && request.validators !== undefined;
  const bodyMs = performance.now();
  const contentType = headerOf(answer, 'content-type');
  const body = await bodyOf(answer, request, contentType, step, lane.limits.bodyBytesMax);
  const endedMs = performance.now();
  return {
    requestedUrl: request.url,
    url: step.url,
    status: answer.status,
    headers: answer.headers,
    body,
    contentType,
    reach: step.reach,
    lane: 'http',
    laneReason: request.lane === 'http' ? 'asked' : 'static',
    redirects: step.chain,
    timings: { ...step.timings, downloadMs: endedMs - bodyMs, totalMs: endedMs - startedMs },
    fetchedAtMs: lane.clock.now(),
    optionsIgnored: [
      ...(request.lane === 'browser' ? ['lane'] : []),
      ...ignoredHeaders,
      ...Object.keys(request.browser ?? {}).map((name) => `browser.${name}`),
    ],
    fromCache: isNotModified,
    ...(step.warnings.length > 0 ? { warnings: step.warnings } : {}),
  };
}

async function bodyOf(
  answer: HopAnswer,
  { wantsBody, excerptBytes, checkBody }: FetchRequest,
  contentType: string | undefined,
  { method, url }: Walk,
  bytesMax: number,
): Promise<Uint8Array> {
  if (method === 'HEAD') return new Uint8Array();
  if (excerptBytes !== undefined) return await readExcerpt(answer, excerptBytes, url);
  if (answer.status >= 300 || (wantsBody?.(contentType) ?? true)) return await readBody(answer, bytesMax, url, checkBody);
  discardBody(answer);
  return new Uint8Array();
}

/** Adds up the phases of all hops. */
function addTimings(sum: PageTimings, dnsMs: number | undefined, answer: HopAnswer): PageTimings {
  return {
    ...sum,
    ...(dnsMs === undefined ? {} : { dnsMs: (sum.dnsMs ?? 0) + dnsMs }),
    ...(answer.connectMs === undefined ? {} : { connectMs: (sum.connectMs ?? 0) + answer.connectMs }),
    firstByteMs: (sum.firstByteMs ?? 0) + answer.firstByteMs,
  };
}

function valuesOf(answer: HopAnswer, wanted: string): readonly string[] {
  return answer.headers.filter(([name]) => name === wanted).map(([, value]) => value);
}
