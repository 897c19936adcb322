// The work of a crawl: fetch, read, keep, count. Every write of a page is one transaction.
import { createHash } from 'node:crypto';
import type { CrawlCounts, PageFormat, PageRecord, RunFailure } from '@weft/contract';
import type { Clock, Fetcher, Page, Views } from '@weft/engine';
import { PageError } from '@weft/engine';
import type { ViewPool } from '@weft/engine/io';
import type { Database } from '../db/open.ts';
import { transaction } from '../db/open.ts';
import type { DatasetStore } from '../datasets/store.ts';
import type { RunWork } from '../runs/executor.ts';
import { failureOf } from '../runs/executor.ts';
import type { Runs } from '../runs/run.ts';
import type { RunRow } from '../runs/run.ts';
import { toInstant } from '../time.ts';
import type { StoredCrawlOptions } from './crawl.ts';
import type { CrawlStore } from './store.ts';

export interface ScrapePorts {
  readonly database: Database;
  readonly store: CrawlStore;
  readonly datasets: DatasetStore;
  readonly runs: Runs;
  readonly fetcher: Fetcher;
  readonly views: ViewPool;
  readonly clock: Clock;
}

const DEFAULT_FORMATS: readonly PageFormat[] = ['markdown', 'metadata'];
const HTTP_ERROR_MIN = 400;

/** Executes crawl runs. */
export function crawlWork(ports: ScrapePorts): RunWork {
  return async (run, signal) => {
    const row = ports.store.find(run.id);
    if (!row) throw new Error(`Run ${run.id} has no crawl.`);
    const options = JSON.parse(row.options) as StoredCrawlOptions;
    const startedMs = ports.clock.now();
    ports.runs.append(run.id, { type: 'step', index: 0, step_type: 'fetch', status: 'started', url: options.url });
    try {
      const record = await scrapePage(options, ports, signal);
      keep(run, record, ports);
      ports.runs.append(run.id, {
        type: 'step',
        index: 0,
        step_type: 'fetch',
        status: 'succeeded',
        lane: record.lane,
        url: record.url,
        duration_ms: Math.max(0, ports.clock.now() - startedMs),
      });
      ports.runs.append(run.id, { type: 'data', rows: 1 });
      return undefined;
    } catch (error) {
      if (signal.aborted) throw error;
      return fail(run, error, ports, Math.max(0, ports.clock.now() - startedMs));
    }
  };
}

/** One page as its record. Throws PageError, for a status of 400 or more as well. */
async function scrapePage(options: StoredCrawlOptions, ports: ScrapePorts, signal: AbortSignal): Promise<PageRecord> {
  const page = await ports.fetcher.fetch(
    { url: options.url, lane: options.lane ?? 'auto', ...(options.private_targets ? { privateTargets: options.private_targets } : {}) },
    signal,
  );
  if (page.status >= HTTP_ERROR_MIN)
    throw new PageError('http_status', `${page.url} answered ${page.status}; nothing was kept. Check the address in a browser.`, {
      url: page.url,
      status: page.status,
    });
  const formats = options.formats ?? DEFAULT_FORMATS;
  const { result } = await ports.views.run('views', { source: page, formats, onlyMainContent: options.only_main_content ?? true }, signal);
  return toRecord(page, result);
}

function keep(run: RunRow, record: PageRecord, ports: ScrapePorts): void {
  transaction(ports.database.fast, () => {
    ports.datasets.addRecord({
      dataset_id: run.dataset_id ?? 0,
      run_id: run.id,
      key: record.url,
      created_at: ports.clock.now(),
      body: JSON.stringify(record),
    });
    ports.runs.addRows(run.id, 1);
    ports.store.setCounts(run.id, onePage('fetched'));
  });
}

function fail(run: RunRow, error: unknown, ports: ScrapePorts, durationMs: number): RunFailure {
  const failure = failureOf(error);
  ports.store.setCounts(run.id, onePage('failed'));
  ports.runs.append(run.id, {
    type: 'step',
    index: 0,
    step_type: 'fetch',
    status: 'failed',
    message: failure.message,
    duration_ms: durationMs,
  });
  if (!(error instanceof PageError)) throw error;
  return failure;
}

function onePage(outcome: 'fetched' | 'failed'): CrawlCounts {
  return { discovered: 1, fetched: 0, reused: 0, failed: 0, skipped: 0, pending: 0, [outcome]: 1 };
}

function toRecord(page: Page, views: Views): PageRecord {
  const { totalMs, ...phases } = page.timings;
  return {
    url: page.url,
    requested_url: page.requestedUrl,
    status: page.status,
    ...(page.contentType === undefined ? {} : { content_type: page.contentType }),
    lane: page.lane,
    lane_reason: page.laneReason,
    ...views,
    ...(page.optionsIgnored.length > 0 ? { options_ignored: [...page.optionsIgnored] } : {}),
    ...(page.redirects.length > 0 ? { redirects: page.redirects.map((hop) => ({ ...hop })) } : {}),
    timings_ms: {
      total: totalMs,
      ...Object.fromEntries(Object.entries(phases).map(([name, ms]) => [name.replace(/Ms$/, ''), ms as number])),
    },
    content_hash: createHash('sha256').update(page.body).digest('hex'),
    fetched_at: toInstant(page.fetchedAtMs),
  };
}
