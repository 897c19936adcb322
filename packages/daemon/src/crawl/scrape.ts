// A crawl of one page: no robots.txt, no sitemap, no links to follow; the same ledger, the same record (D26, D30).
import type { PageRecord, RunFailure } from '@weft/contract';
import type { CrawlStore, Page, Verdict } from '@weft/engine';
import { PageError } from '@weft/engine';
import { failureOf } from '../runs/executor.ts';
import type { RunRow } from '../runs/run.ts';
import type { StoredCrawlOptions } from './engine-options.ts';
import { readRecord } from './page-record.ts';
import type { CrawlWorkPorts } from './ports.ts';

const HTTP_ERROR_MIN = 400;
const LEASE_MS = 600_000;
const PACE = { inFlightMax: 2, gapMs: 0 };
/** How soon a place that somebody else holds is asked for again. */
const RETRY_MS = 50;

/** Fetches, reads and keeps one page. Its failure is a result; only what nobody expected is thrown. */
export async function scrapePage(
  run: RunRow,
  options: StoredCrawlOptions,
  frontier: CrawlStore<PageRecord>,
  ports: CrawlWorkPorts,
  signal: AbortSignal,
): Promise<RunFailure | undefined> {
  const { runs, clock } = ports;
  const id = await leaseOnly(frontier, options.url, clock.now());
  if (id === undefined) return undefined;
  const startedMs = clock.now();
  runs.append(run.id, { type: 'step', index: 0, step_type: 'fetch', status: 'started', url: options.url });
  const finish = (verdict: Verdict<PageRecord>) => frontier.settle([{ id, verdict, offers: [] }]);
  try {
    const page = await fetchPaced(options, ports, signal);
    const record = await readRecord(page, options, ports.views, signal);
    await finish({
      outcome: 'fetched',
      status: page.status,
      finalUrl: page.url,
      contentHash: record.content_hash,
      result: record,
      rule: undefined,
    });
    runs.append(run.id, {
      type: 'step',
      index: 0,
      step_type: 'fetch',
      status: 'succeeded',
      lane: page.lane,
      url: page.url,
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
    return Math.max(0, clock.now() - startedMs);
  }
}

/** The ledger's number of the one address; undefined when an earlier process had settled it already. */
async function leaseOnly(frontier: CrawlStore<PageRecord>, url: string, nowMs: number): Promise<number | undefined> {
  await frontier.open();
  const { origin } = new URL(url);
  await frontier.offer([{ url, identity: url, key: url, host: origin, depth: 0, source: 'seed', parent: undefined, skip: undefined }]);
  const [leased] = await frontier.lease([{ host: origin, count: 1 }], nowMs, nowMs + LEASE_MS);
  return leased?.id;
}

/** The page, asked for when its host may be asked (D32). Throws PageError, for a status of 400 or more as well. */
async function fetchPaced(options: StoredCrawlOptions, { fetcher, gate, clock }: CrawlWorkPorts, signal: AbortSignal): Promise<Page> {
  const host = new URL(options.url).origin;
  for (let atMs = gate.tryStart(host, PACE, clock.now()); atMs > 0; atMs = gate.tryStart(host, PACE, clock.now())) {
    await clock.sleepUntil(Number.isFinite(atMs) ? atMs : clock.now() + RETRY_MS, signal);
    signal.throwIfAborted();
  }
  let status: number | undefined;
  try {
    const page = await fetcher.fetch(
      { url: options.url, lane: options.lane ?? 'auto', ...(options.private_targets ? { privateTargets: options.private_targets } : {}) },
      signal,
    );
    status = page.status;
    if (page.status < HTTP_ERROR_MIN) return page;
    throw new PageError('http_status', `${page.url} answered ${page.status}; nothing was kept. Check the address in a browser.`, {
      url: page.url,
      status: page.status,
    });
  } finally {
    gate.finish(host, { status, retryAtMs: undefined }, clock.now());
  }
}
