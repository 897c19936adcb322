// Fetches one address and decides what becomes of it.
import { PageError } from '../errors.ts';
import type { Page } from '../ports.ts';
import type { RobotsDecision } from '../robots/decide.ts';
import type { Admission } from './admission.ts';
import type { CrawlPorts, HostAnswer } from './crawl-ports.ts';
import type { CrawlMemory } from './crawl-memory.ts';
import type { FoundLinks } from './found-links.ts';
import { isRefusal, parseRetryAfter } from './host-pace.ts';
import type { Skip, UrlOffer } from './ledger.ts';
import type { CrawlOptions } from './options.ts';
import type { PageLinks } from './page-links.ts';
import { judgePage } from './page-judge.ts';
import type { Refusal } from './page-judge.ts';
import { pageTurns } from './page-turns.ts';
import { pageWords } from './page-words.ts';
import type { RecentPages } from './recent-pages.ts';
import { isReadableType, scanPage } from './scan-page.ts';
import type { LeasedUrl, Settlement, Verdict } from './store.ts';

/** What a request led to: a decision, or a reason to ask again. */
export type FetchOutcome<Result> =
  | { readonly kind: 'settled'; readonly settlement: Settlement<Result> }
  | { readonly kind: 'retry'; readonly reason: string; readonly rule: string | undefined; readonly status: number | undefined }
  | { readonly kind: 'refused' }
  | { readonly kind: 'stopped' };

/** What visits of one crawl share. */
export interface VisitContext<Result> {
  readonly options: CrawlOptions;
  readonly ports: CrawlPorts<Result>;
  readonly admission: Admission;
  readonly found: FoundLinks;
  readonly memory: CrawlMemory;
  readonly recent: RecentPages;
  /** What the robots rules of an address's host say, where they are known. */
  readonly robotsOf: (url: string) => RobotsDecision | undefined;
  readonly signal: AbortSignal;
}

/** Statuses that another try may change. */
const RETRIED_STATUS = new Set([408, 425, 500, 502, 504, 520, 521, 522, 523, 524]);

/** Fetches `leased`; `answered` is called as soon as the host is free again, `robots` is what its rules say about the address. */
export async function visitPage<Result>(
  leased: LeasedUrl,
  robots: RobotsDecision | undefined,
  context: VisitContext<Result>,
  answered: (answer: HostAnswer) => void,
): Promise<FetchOutcome<Result>> {
  const { options, ports, signal } = context;
  let page: Page;
  try {
    page = await ports.fetcher.fetch({ url: leased.url, lane: options.lane, privateTargets: options.privateTargets }, signal);
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
    return { kind: 'settled', settlement: await settlementFor(page, leased, robots, context) };
  } catch (error) {
    return failedPage(error, leased, page.status, signal);
  }
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

async function settlementFor<Result>(
  page: Page,
  leased: LeasedUrl,
  robots: RobotsDecision | undefined,
  context: VisitContext<Result>,
): Promise<Settlement<Result>> {
  const { admission, memory, recent, ports } = context;
  const { status } = page;
  const skip = status < 300 ? skipFor(page, leased, context) : undefined;
  if (skip) return skipped(leased, skip, status);
  if (status >= 300)
    return { id: leased.id, verdict: { outcome: 'failed', reason: 'http_status', rule: `HTTP ${status}`, status }, offers: [] };
  const links = scanPage(page);
  const nowMs = ports.clock.now();
  const { refusal, sameContent, forget } = await judgePage(
    page,
    links,
    leased,
    { store: ports.store, recent, admission, twins: memory.twins },
    nowMs,
  );
  // What a page calls itself is no proof: only content that was compared speaks for or against a class of addresses.
  if (refusal?.skip.reason !== 'canonical') {
    const targets = links.links.map((link) => link.url);
    const words = () => pageWords(page.body);
    memory.traps.observe({ url: leased.url, duplicateOf: sameContent, canonical: links.canonical, links: targets, words });
  }
  if (refusal) return refused(leased, refusal, status, links, context, nowMs);
  const result = await ports.sink.save(page, links, leased).catch((error: unknown) => {
    forget();
    throw error;
  });
  const rule = robots && !robots.allowed ? robots.rule : undefined;
  return {
    id: leased.id,
    verdict: { outcome: page.fromCache ? 'reused' : 'fetched', status, finalUrl: page.url, contentHash: links.contentHash, result, rule },
    offers: offersOf(page, links, leased, context, nowMs),
  };
}

/** Why an answer is no page of this crawl: where it was redirected to, or what it is. */
function skipFor<Result>(page: Page, leased: LeasedUrl, context: VisitContext<Result>): Skip | undefined {
  const { admission, options, ports } = context;
  if (page.url !== leased.url) {
    if (leased.source === 'seed') admission.addRoot(page.url);
    const finding = { url: page.url, source: leased.source, depth: leased.depth, parent: leased.url };
    const skip = admission.findSkip(finding, ports.clock.now());
    if (skip) return { reason: skip.reason, rule: `redirects to ${page.url}${skip.rule === undefined ? '' : `: ${skip.rule}`}` };
    const robots = options.robots === 'enforce' ? context.robotsOf(page.url) : undefined;
    if (robots && !robots.allowed) return { reason: 'robots', rule: `redirects to ${page.url}: ${robots.rule}` };
  }
  return isReadableType(page.contentType) ? undefined : { reason: 'content_type', rule: page.contentType };
}

function skipped<Result>(leased: LeasedUrl, skip: Skip, status: number): Settlement<Result> {
  return { id: leased.id, verdict: { outcome: 'skipped', skip, status, contentHash: undefined, aliasOf: undefined }, offers: [] };
}

/** The links of a page that the crawl already has lead nowhere new: only its canonical address is offered. */
function refused<Result>(
  leased: LeasedUrl,
  { skip, aliasOf, other }: Refusal,
  status: number,
  links: PageLinks,
  context: VisitContext<Result>,
  nowMs: number,
): Settlement<Result> {
  const finding = { url: other, source: 'canonical', depth: leased.depth, parent: leased.url } as const;
  const offer = aliasOf === undefined ? undefined : context.admission.offerFor(finding, nowMs);
  const verdict = { outcome: 'skipped', skip, status, contentHash: links.contentHash, aliasOf } as const;
  return { id: leased.id, verdict, offers: offer ? [offer] : [] };
}

function offersOf<Result>(
  page: Page,
  links: PageLinks,
  leased: LeasedUrl,
  context: VisitContext<Result>,
  nowMs: number,
): readonly UrlOffer[] {
  const { found, options, ports, admission } = context;
  const offers: UrlOffer[] = [];
  if (page.url !== leased.url) {
    const moved = admission.offerFor({ url: page.url, source: 'redirect', depth: leased.depth, parent: leased.url }, nowMs);
    if (moved) offers.push({ ...moved, skip: { reason: 'duplicate', rule: `answered for ${leased.url}` } });
  }
  if (options.sitemap === 'only') return offers;
  const turns = ports.paginationLinks?.(page, links) ?? pageTurns(page.url, links);
  return [...offers, ...found.offersFor(links, turns, page.url, leased.depth, nowMs)];
}

function headerOf(page: Page, name: string): string | undefined {
  return page.headers.find(([header]) => header === name)?.[1];
}
