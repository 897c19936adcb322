// The run of a crawl of more than one page: the loop, its progress in the log, and why a crawl that kept nothing failed.
import type { RunFailure } from '@weft/contract';
import type { PageSink } from '../crawl-ports.ts';
import type { KeptPage } from '../keep/page-copies.ts';
import type { CrawlCounts } from '../ledger.ts';
import { runCrawl } from '../loop/run-crawl.ts';
import type { CrawlEnd } from '../loop/run-crawl.ts';
import type { CrawlOptions } from '../options.ts';
import type { FirstLine } from '../frontier-store.ts';
import { failureCode } from './run-failure.ts';
import type { CrawlWorkPorts } from './work-ports.ts';

const PROGRESS_MS = 1000;
/** The first address and what it was moved to are among so many lines. */
const SEEDS_MAX = 20;

/** How the work on a site ended, and why it failed where it did. */
export interface SiteEnd {
  readonly end: CrawlEnd;
  readonly failure: RunFailure | undefined;
}

/** Crawls from `url`. Its failure is a result; what the store throws is thrown. */
export async function workSite(
  url: string,
  options: CrawlOptions,
  ports: CrawlWorkPorts & { readonly sink: PageSink<KeptPage> },
  signal: AbortSignal,
): Promise<SiteEnd> {
  const { store } = ports;
  const progress = new Progress(ports);
  const step = { type: 'step', index: 0, step_type: 'crawl', url } as const;
  await ports.tell({ ...step, status: 'started' });
  const robots = ports.robotsFor(options.privateTargets);
  const { end, counts } = await runCrawl(options, { ...ports, robots, onProgress: (changed) => progress.report(changed) }, signal);
  if (end === 'cancelled' || end === 'turn' || end === 'share') return { end, failure: undefined };
  await progress.flush();
  const kept = counts.fetched + counts.reused;
  await ports.tell({ ...step, status: kept > 0 ? 'succeeded' : 'failed' });
  await ports.tell({ type: 'data', rows: kept });
  return { end, failure: kept > 0 ? undefined : failureOfSeed(await store.firstLines(SEEDS_MAX), url) };
}

/** Tells the numbers of the ledger at most once a second, and once more at the end. */
class Progress {
  private last: CrawlCounts | undefined;
  private toldMs = Number.NEGATIVE_INFINITY;
  private telling: Promise<void> | undefined;
  private readonly ports: Pick<CrawlWorkPorts, 'clock' | 'tell'>;

  constructor(ports: Pick<CrawlWorkPorts, 'clock' | 'tell'>) {
    this.ports = ports;
  }

  report(counts: CrawlCounts): void {
    this.last = counts;
    if (this.telling || this.ports.clock.steadyMs() - this.toldMs < PROGRESS_MS) return;
    // What could not be told is in the ledger already: it is told later.
    this.telling = this.tellLast()
      .catch(() => undefined)
      .finally(() => (this.telling = undefined));
  }

  /** Throws what the log throws. */
  async flush(): Promise<void> {
    await this.telling;
    await this.tellLast();
  }

  private async tellLast(): Promise<void> {
    const { last } = this;
    if (!last) return;
    this.last = undefined;
    this.toldMs = this.ports.clock.steadyMs();
    try {
      await this.ports.tell({ type: 'progress', counts: { ...last } });
    } catch (error) {
      this.last ??= last;
      throw error;
    }
  }
}

/** A crawl that kept nothing failed for the reason that its first address ended with, or the one that this was moved to. */
function failureOfSeed(first: readonly FirstLine[], url: string): RunFailure {
  const seed = first.find(({ source, reason }) => source === 'seed' && reason !== 'redirect') ?? first[0];
  const reason = seed?.reason ?? 'no_answer';
  return { code: failureCode(reason), message: `${url} could not be crawled: ${seed?.rule ?? reason}.`.replace(/\.\.$/, '.') };
}
