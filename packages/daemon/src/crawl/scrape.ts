// A crawl of one page: no sitemap, no links to follow, robots rules reported and not enforced; the same ledger, the same record (D26, D30).
import type { RunFailure } from '@weft/contract';
import type { Clock, CrawlStore, FetchRequest, Fetcher, KeptVerdict, LeasedUrl, Page, PageCopy, Verdict } from '@weft/engine';
import { HOST_PATIENCE_MS, PageError, ReachMemory, refuseStatus, rememberReach, scanPage } from '@weft/engine';
import { pacedFetcher } from '../paced-fetcher.ts';
import { failureOf } from '../runs/executor.ts';
import type { RunRow } from '../runs/run.ts';
import type { StoredCrawlOptions } from './engine-options.ts';
import type { KeptPage } from './page-record.ts';
import type { CrawlWorkPorts, PortsOfRun } from './ports.ts';
import { decideForReport, saysNoindex } from './robots-report.ts';

const LEASE_MS = 600_000;

/** Fetches, reads and keeps one page. Its failure is a result; only what nobody expected is thrown. */
export async function scrapePage(
  run: RunRow,
  options: StoredCrawlOptions,
  ports: PortsOfRun,
  signal: AbortSignal,
): Promise<RunFailure | undefined> {
  const { runs, clock, frontier } = ports;
  const leased = await leaseOnly(frontier, options.url, clock.steadyMs());
  if (leased === undefined) return undefined;
  const { id } = leased;
  const startedMs = clock.steadyMs();
  runs.append(run.id, { type: 'step', index: 0, step_type: 'fetch', status: 'started', url: options.url });
  const finish = (verdict: Verdict<KeptPage>) => frontier.settle([{ id, verdict, offers: [] }]);
  try {
    const verdict = await readPage(leased, options, ports, signal);
    await finish(verdict);
    runs.append(run.id, {
      type: 'step',
      index: 0,
      step_type: 'fetch',
      status: 'succeeded',
      lane: verdict.result.record.lane,
      url: verdict.finalUrl,
      duration_ms: elapsed(),
    });
    runs.append(run.id, { type: 'data', rows: 1 });
    return undefined;
  } catch (error) {
    if (signal.aborted) throw error;
    const failure = failureOf(error);
    await finish({
      outcome: 'failed',
      reason: error instanceof PageError ? error.code : 'internal',
      rule: failure.message,
      status: error instanceof PageError ? error.status : undefined,
    });
    runs.append(run.id, { type: 'step', index: 0, step_type: 'fetch', status: 'failed', message: failure.message, duration_ms: elapsed() });
    if (!(error instanceof PageError)) throw error;
    return failure;
  }

  function elapsed(): number {
    return Math.max(0, clock.steadyMs() - startedMs);
  }
}

/** The page as it is kept: a copy that is fresh enough or that its host confirms, else what comes now. Throws PageError. */
async function readPage(
  leased: LeasedUrl,
  options: StoredCrawlOptions,
  ports: PortsOfRun,
  signal: AbortSignal,
): Promise<KeptVerdict<KeptPage>> {
  const { sink } = ports;
  const fresh = options.page_max_age ? await sink.findFresh?.(options.url, options.page_max_age * 1000) : undefined;
  if (fresh) return reused(fresh);
  const copy = options.lane === 'browser' ? undefined : await sink.findConfirmable?.(options.url);
  const { fetcher, robots } = portsOfOne(options.private_targets ?? [], ports);
  const report = decideForReport(robots, ports.agent, options.url, signal);
  const page = await fetchPaced(options, copy?.validators, fetcher, ports.clock, signal);
  if (copy && page.status === 304) return reused(copy);
  const links = scanPage(page);
  const [kept, decided] = await Promise.all([sink.save(page, links, leased), report]);
  const noindex = saysNoindex(page, kept.record.metadata);
  const result = decided ? { ...kept, record: { ...kept.record, robots: { ...decided, noindex } } } : kept;
  const rule = decided && !decided.allowed ? decided.rule : undefined;
  return { outcome: 'fetched', status: page.status, finalUrl: page.url, contentHash: links.contentHash, result, rule };
}

function reused({ status, finalUrl, links, result }: PageCopy<KeptPage>): KeptVerdict<KeptPage> {
  return { outcome: 'reused', status, finalUrl, contentHash: links.contentHash, result, rule: undefined };
}

/** What the page and its host's robots.txt are asked with, side by side. */
function portsOfOne(privateTargets: readonly string[], ports: CrawlWorkPorts) {
  const fetcher = pacedFetcher(ports, ports.clock.steadyMs() + HOST_PATIENCE_MS);
  return rememberReach({ fetcher, robots: ports.robotsFor(privateTargets) }, privateTargets, new ReachMemory());
}

/** The one address; undefined when an earlier process had settled it already. */
async function leaseOnly(frontier: CrawlStore<KeptPage>, url: string, nowMs: number): Promise<LeasedUrl | undefined> {
  await frontier.open();
  const { origin } = new URL(url);
  await frontier.offer([{ url, identity: url, key: url, host: origin, depth: 0, source: 'seed', parent: undefined, skip: undefined }]);
  const [leased] = await frontier.lease([{ host: origin, count: 1 }], nowMs, nowMs + LEASE_MS);
  return leased;
}

/** The page, asked for when its host may be asked (D32). Throws PageError, for a status that no page has as well. */
async function fetchPaced(
  options: StoredCrawlOptions,
  validators: FetchRequest['validators'],
  fetcher: Fetcher,
  clock: Clock,
  signal: AbortSignal,
): Promise<Page> {
  const request = {
    url: options.url,
    lane: options.lane ?? 'auto',
    ...(options.private_targets ? { privateTargets: options.private_targets } : {}),
    ...(validators ? { validators } : {}),
  };
  const page = await fetcher.fetch(request, signal);
  const isConfirmed = validators !== undefined && page.status === 304 && page.fromCache;
  const refusal = isConfirmed ? undefined : refuseStatus(page, clock.now());
  if (refusal) throw refusal;
  return page;
}
