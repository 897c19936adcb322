// The work of a crawl run: one page, or a site through the engine's loop. Every write of a page is one transaction.
import type { RunFailure } from '@weft/contract';
import { FAILURE_CODES, isSettled } from '@weft/contract';
import type { CrawlCounts } from '@weft/engine';
import { runCrawl } from '@weft/engine';
import { explainFault } from '../db/fault.ts';
import type { RunWork } from '../runs/executor.ts';
import type { RunRow } from '../runs/run.ts';
import type { StoredCrawlOptions } from './engine-options.ts';
import { toEngineOptions } from './engine-options.ts';
import { openFrontier } from './frontier.ts';
import { jobFetcher, restingGate } from './job-fetcher.ts';
import { createPageSink } from './page-sink.ts';
import type { KeptPage } from './page-record.ts';
import { patientStore } from './patient-store.ts';
import type { CrawlWorkPorts, PortsOfRun } from './ports.ts';
import { scrapePage } from './scrape.ts';
import type { LedgerRow } from './store.ts';

const PROGRESS_MS = 1000;

/** Executes crawl runs; one that a dead process left behind goes on where it was. */
export function crawlWork(ports: CrawlWorkPorts): RunWork {
  return async (run, signal, turn) => {
    const row = ports.store.find(run.id);
    if (!row) throw new Error(`Run ${run.id} has no crawl.`);
    const options = JSON.parse(row.options) as StoredCrawlOptions;
    const frontier = openFrontier<KeptPage>(ports.database, run.id, (pages) => keep(run, pages, ports));
    const sink = createPageSink(run, options, ports, signal);
    const fetcher = jobFetcher(ports.fetcher, options, turn);
    try {
      return options.limit === 1
        ? await scrapePage(run, options, { ...ports, frontier, sink, fetcher, gate: restingGate(ports.gate, turn) }, signal)
        : await crawlSite(run, options, { ...ports, frontier, sink, fetcher }, signal);
    } finally {
      // A crawl that its user cancelled, or whose time was over, ends here; one that was stopped with the agent goes on at the next start.
      const { status, failure } = ports.runs.require(run.id);
      if (signal.aborted && isSettled(status))
        await frontier.closePending(
          failure?.code === 'timeout' ? { reason: 'timeout', rule: failure.message } : { reason: 'cancelled', rule: undefined },
        );
    }
  };
}

async function crawlSite(
  run: RunRow,
  options: StoredCrawlOptions,
  ports: PortsOfRun,
  signal: AbortSignal,
): Promise<RunFailure | undefined> {
  const { frontier, sink, fetcher, clock, gate } = ports;
  const robots = ports.robotsFor(options.private_targets ?? []);
  const progress = progressReporter(run.id, ports);
  const onHeld = (error: unknown) => ports.logError(`crawl ${run.id} waits: it can't be written`, error);
  const store = patientStore(frontier, { clock, onHeld }, signal);
  const step = { type: 'step', index: 0, step_type: 'crawl', url: options.url } as const;
  ports.runs.append(run.id, { ...step, status: 'started' });
  const { end, counts } = await runCrawl(
    toEngineOptions(options, ports.agent),
    { store, fetcher, clock, sink, gate, robots, onProgress: progress.report },
    signal,
  );
  if (end === 'cancelled') return undefined;
  progress.flush();
  const kept = counts.fetched + counts.reused;
  ports.runs.append(run.id, { ...step, status: kept > 0 ? 'succeeded' : 'failed' });
  ports.runs.append(run.id, { type: 'data', rows: kept });
  return kept > 0 ? undefined : failureOfSeed(ports.store.ledger(run.id, {}, 0, SEEDS_MAX), options.url);
}

/** Part of the frontier's own transaction. */
function keep(run: RunRow, pages: readonly KeptPage[], { datasets, copies, runs, clock }: CrawlWorkPorts): void {
  const nowMs = clock.now();
  const records = pages.map(({ record }) => ({ run_id: run.id, key: record.url, created_at: nowMs, body: record }));
  const ids = datasets.addRecords(run.dataset_id ?? 0, records);
  pages.forEach(({ copy }, i) => copy && copies.write(copy, ids[i] ?? 0));
  runs.addRows(run.id, pages.length);
}

/** Tells the numbers of the ledger at most once a second, and once more at the end. */
function progressReporter(runId: number, { runs, clock }: CrawlWorkPorts) {
  let last: CrawlCounts | undefined;
  let toldMs = Number.NEGATIVE_INFINITY;
  const tell = () => {
    toldMs = clock.steadyMs();
    try {
      if (last) runs.append(runId, { type: 'progress', counts: { ...last } });
      last = undefined;
    } catch (error) {
      // What is told is in the ledger already: it can be told later as well.
      if (!explainFault(error)) throw error;
    }
  };
  return {
    report: (counts: CrawlCounts) => {
      last = counts;
      if (clock.steadyMs() - toldMs >= PROGRESS_MS) tell();
    },
    flush: () => {
      if (last) tell();
    },
  };
}

/** The first address and what it was moved to are among so many lines. */
const SEEDS_MAX = 20;
/** Reasons of the ledger that go by another name in a failure; the rest are rules that the caller gave. */
const CODES: Readonly<Record<string, RunFailure['code']>> = {
  content_type: 'unsupported_type',
  cancelled: 'interrupted',
  no_answer: 'internal',
};

/** A crawl that kept nothing failed for the reason that its first address ended with, or the one that this was moved to. */
function failureOfSeed(first: readonly LedgerRow[], url: string): RunFailure {
  const seed = first.find(({ source, reason }) => source === 'seed' && reason !== 'redirect') ?? first[0];
  const reason = seed?.reason ?? 'no_answer';
  const code = CODES[reason] ?? FAILURE_CODES.find((known) => known === reason) ?? 'input';
  return { code, message: `${url} could not be crawled: ${seed?.rule ?? reason}.`.replace(/\.\.$/, '.') };
}
