// Fetches one address and decides what becomes of it.
import { PageError } from '../errors.ts';
import type { Page } from '../ports.ts';
import type { RobotsDecision } from '../robots/decide.ts';
import type { HostAnswer } from './crawl-ports.ts';
import { isRefusal, parseRetryAfter } from './host-pace.ts';
import type { Skip } from './ledger.ts';
import type { CrawlOptions } from './options.ts';
import { settleCopy, settlePage } from './page-settlement.ts';
import type { LeasedUrl, Settlement, Verdict } from './store.ts';
import type { VisitContext } from './visit-context.ts';

/** What a request led to: a decision, or a reason to ask again. */
export type FetchOutcome<Result> =
  | { readonly kind: 'settled'; readonly settlement: Settlement<Result> }
  | { readonly kind: 'retry'; readonly reason: string; readonly rule: string | undefined; readonly status: number | undefined }
  | { readonly kind: 'refused' }
  | { readonly kind: 'stopped' };

/** Statuses that another try may change. */
const RETRIED_STATUS = new Set([408, 425, 500, 502, 504, 520, 521, 522, 523, 524]);

/** How a visit gets on with the hosts that it asks. */
export interface VisitPace {
  /** Called as soon as the host is free again. */
  readonly answered: (answer: HostAnswer) => void;
  /** Called before a redirect is followed. Throws PageError where it may not be. */
  readonly beforeRedirect: (url: string, status: number) => Promise<void>;
}

/** Fetches `leased`; `robots` is what the rules of its host say about the address. */
export async function visitPage<Result>(
  leased: LeasedUrl,
  robots: RobotsDecision | undefined,
  context: VisitContext<Result>,
  { answered, beforeRedirect }: VisitPace,
): Promise<FetchOutcome<Result>> {
  const { options, ports, signal } = context;
  const copy = options.lane === 'browser' ? undefined : await ports.sink.findConfirmable?.(leased.url);
  let page: Page;
  try {
    const request = { url: leased.url, lane: options.lane, privateTargets: reachablePrivately(leased, options), beforeRedirect };
    page = await ports.fetcher.fetch(copy ? { ...request, validators: copy.validators } : request, signal);
  } catch (error) {
    return failedFetch(error, leased, signal, answered);
  }
  const retryAtMs = parseRetryAfter(headerOf(page, 'retry-after'), ports.clock.now());
  const answer = { status: page.status, retryAtMs };
  answered(answer);
  if (isRefusal(answer)) return { kind: 'refused' };
  const rule = `HTTP ${page.status}`;
  if (RETRIED_STATUS.has(page.status)) return { kind: 'retry', reason: 'http_status', rule, status: page.status };
  try {
    const isConfirmed = copy !== undefined && page.status === 304 && page.fromCache;
    return {
      kind: 'settled',
      settlement: isConfirmed ? await settleCopy(copy, leased, context) : await settlePage(page, leased, robots, context),
    };
  } catch (error) {
    return failedPage(error, leased, page.status, signal);
  }
}

/** Private addresses are open to what the caller named and to what is linked there: no public page leads to them. */
function reachablePrivately({ source, parent }: LeasedUrl, { privateTargets }: CrawlOptions): readonly string[] {
  const from = parent === undefined ? undefined : URL.parse(parent);
  if (source === 'seed' || !from) return privateTargets;
  return privateTargets.includes(`${from.hostname}:${from.port || (from.protocol === 'https:' ? 443 : 80)}`) ? privateTargets : [];
}

function failedFetch<Result>(
  error: unknown,
  leased: LeasedUrl,
  signal: AbortSignal,
  answered: (answer: HostAnswer) => void,
): FetchOutcome<Result> {
  const { status, retryAtMs } = error instanceof PageError ? error : { status: undefined, retryAtMs: undefined };
  const isRefused = error instanceof PageError && error.next === 'retry_later';
  answered({ status: isRefused ? 429 : status, retryAtMs });
  if (signal.aborted || !(error instanceof PageError)) return failedPage(error, leased, undefined, signal);
  if (isRefused) return { kind: 'refused' };
  if (error.next === 'retry') return { kind: 'retry', reason: error.code, rule: error.message, status };
  return failedPage(error, leased, status, signal);
}

/** An error that is no PageError is a fault of ours: the address fails, the crawl goes on. */
function failedPage<Result>(error: unknown, leased: LeasedUrl, status: number | undefined, signal: AbortSignal): FetchOutcome<Result> {
  if (signal.aborted || (error instanceof PageError && error.next === 'stop')) return { kind: 'stopped' };
  const code = error instanceof PageError ? error.code : 'internal';
  const rule = error instanceof PageError ? error.message : undefined;
  const skips: Readonly<Record<string, Skip['reason']>> = { address: 'address', robots: 'robots', unsupported_type: 'content_type' };
  const reason = skips[code];
  const verdict: Verdict<Result> = reason
    ? { outcome: 'skipped', skip: { reason, rule }, status, contentHash: undefined, aliasOf: undefined }
    : { outcome: 'failed', reason: code, rule, status };
  return { kind: 'settled', settlement: { id: leased.id, verdict, offers: [] } };
}

function headerOf(page: Page, name: string): string | undefined {
  return page.headers.find(([header]) => header === name)?.[1];
}
