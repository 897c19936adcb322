// Works on crawls: each until it ends, fails, is taken away, or its turn is over.
import { setTimeout as pause } from 'node:timers/promises';
import type { RunFailure } from '@weft/contract';
import { StaleOwnerError } from '@weft/engine';
import { asList, startJobWorker } from '../jobs/worker.ts';
import type { JobWorker } from '../jobs/worker.ts';
import type { CrawlRow } from './crawl-row.ts';
import type { Claim, CrawlJobs } from './jobs.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Tracer } from '../observe/tracer.ts';
import { divideCrawl } from './parts.ts';
import { workOn } from './work.ts';
import type { CrawlWorkerPorts } from './work.ts';

export interface CrawlWorkerOptions extends CrawlWorkerPorts {
  /** Crawls at once. */
  readonly places: number;
  /** How long a crawl is worked on before others that wait have its place. */
  readonly turnMs: number;
  readonly tracer: Tracer;
  readonly metrics: Pick<Metrics, 'working'>;
  logError(message: string, error: unknown): void;
}

/** For so long a part that has nothing left waits for what the others find. */
const ARRIVAL_MS = 2000;
const ARRIVAL_LOOK_MS = 200;
/** A job that ended so many workers, one after another, ends with them. */
const LOSSES_MAX = 3;

/** Begins to work. */
export function startCrawlWorker(options: CrawlWorkerOptions): JobWorker {
  const { jobs, places, turnMs, metrics, logError } = options;
  return startJobWorker<Claim>({
    name: 'crawls',
    places,
    turnMs,
    claim: async () => asList(await jobs.claim()),
    keepAlive: (claims) => jobs.keepAlive(claims.map(({ claim }) => claim)),
    run: (claim, over, stop) => run(claim, options, over, stop),
    onWorking: (count) => metrics.working(count),
    // A part also hears then what others found for it.
    drainsAlways: ({ whole }) => whole !== undefined,
    logError,
  });
}

/** Whether others find something for a part that has nothing left, before its place is wanted for another one. */
async function hasArrived(jobs: CrawlJobs, part: CrawlRow, signal: AbortSignal): Promise<boolean> {
  const untilMs = performance.now() + ARRIVAL_MS;
  while (!signal.aborted && performance.now() < untilMs) {
    const { hasArrived: arrived, isPlace } = await jobs.wanted(part);
    if (arrived || isPlace) return arrived;
    await pause(ARRIVAL_LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
  return false;
}

/** Works on a crawl until it ends, fails, is taken away or is given back. */
async function run(claim: Claim, options: CrawlWorkerOptions, over: AbortSignal, signal: AbortSignal): Promise<void> {
  const { jobs, database, logError } = options;
  const { discovered, pending, parts } = claim.crawl;
  // No page of what has nothing left to ask for ended them: it is to be ended itself.
  const isDone = parts > 0 || (discovered > 0 && pending === 0);
  if (claim.losses >= LOSSES_MAX && !isDone) {
    const message = `It ended ${claim.losses} workers, one after another, without a page more: it is not tried again.`;
    return await jobs.finish(claim, { code: 'internal', message });
  }
  const { trace, id } = claim.whole ?? claim.crawl;
  const span = { kind: 'consumer', parent: trace ?? undefined, attributes: { 'weft.crawl': id } } as const;
  const turn = () => options.tracer.trace('crawl turn', span, () => workOn(claim, options, over, signal));
  const finish = (why: RunFailure | undefined) => options.tracer.trace('crawl end', span, () => jobs.finish(claim, why));
  // What was divided has nothing of its own to do: its parts are done.
  if (parts > 0) return await finish(undefined);
  try {
    let { end, failure } = await turn();
    while (end === 'complete' && claim.whole && (await hasArrived(jobs, claim.crawl, AbortSignal.any([over, signal]))))
      ({ end, failure } = await turn());
    if (signal.aborted || end === 'turn' || end === 'cancelled') await jobs.giveBack(claim);
    else if (end === 'wide') await divideCrawl(database, claim);
    else if (end === 'share') await jobs.giveBack(claim, true);
    else await finish(claim.whole ? undefined : failure);
  } catch (error) {
    if (signal.aborted || error instanceof StaleOwnerError) return await jobs.giveBack(claim);
    // What is taken away may be gone in the middle of something.
    if (!(await jobs.holds(claim))) return;
    logError(`crawl ${claim.crawl.id} ended its worker`, error);
    await jobs.lose(claim);
  }
}
