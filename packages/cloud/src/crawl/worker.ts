// A process that works on crawls: it claims as many as it has places for, says that it lives, and gives each on when its turn is over.
import { setTimeout as pause } from 'node:timers/promises';
import { StaleOwnerError } from '@weft/engine';
import type { Database } from '../db/queries.ts';
import type { CrawlRow } from './crawl-row.ts';
import type { Claim } from './jobs.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Tracer } from '../observe/tracer.ts';
import { divideCrawl } from './parts.ts';
import { workOn } from './work.ts';
import type { CrawlWorkerPorts } from './work.ts';

export interface CrawlWorker {
  /** Looks for work now: some was just made here. */
  wake(): void;
  /** Whether it has looked for work of late: where the database takes long to answer, it has not. */
  isLooking(): boolean;
  /** Lets what is under way end, for seconds, and gives back what it worked on; others go on with it at once. */
  stop(): Promise<void>;
}

/** Of a process that only answers calls. */
export const IDLE_WORKER: CrawlWorker = { wake: () => undefined, isLooking: () => true, stop: async () => undefined };

export interface CrawlWorkerOptions extends CrawlWorkerPorts {
  /** Crawls at once. */
  readonly places: number;
  /** How long a crawl is worked on before others that wait have its place. */
  readonly turnMs: number;
  readonly tracer: Tracer;
  readonly metrics: Pick<Metrics, 'working'>;
  logError(message: string, error: unknown): void;
}

const HEARTBEAT_MS = 2000;
/** Between two looks for work, longer the longer there was none: a thousand idle processes ask the database 330 times a second. */
const LOOK_MS = 1000;
const LOOK_MS_MAX = 3000;
/** Who has not looked for so long hangs. */
const STALLED_MS = 30_000;
/** For so long a part that has nothing left waits for what the others find. */
const ARRIVAL_MS = 2000;
const ARRIVAL_LOOK_MS = 200;
/** Of a process that stops. */
const DRAIN_MS = 8000;
/** A job that ended so many workers, one after another, ends with them. */
const LOSSES_MAX = 3;

/** What a process works on. */
interface Working {
  readonly claim: Claim;
  readonly sinceMs: number;
  /** Lets it drain. */
  readonly over: AbortController;
  /** Stops it. */
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

/** Begins to work. */
export function startCrawlWorker(options: CrawlWorkerOptions): CrawlWorker {
  const worker = new Worker(options);
  return { wake: () => worker.wake(), isLooking: () => worker.isLooking(), stop: () => worker.stop() };
}

class Worker {
  private readonly options: CrawlWorkerOptions;
  private readonly working = new Map<string, Working>();
  private readonly stopping = new AbortController();
  private woken = new AbortController();
  private lookedMs = performance.now();
  private readonly looking: Promise<void>;
  private readonly heart: NodeJS.Timeout;
  private beating: Promise<void> | undefined;

  constructor(options: CrawlWorkerOptions) {
    this.options = options;
    this.looking = this.look();
    const beatMs = Math.min(HEARTBEAT_MS, options.turnMs);
    this.heart = setInterval(() => {
      this.beating ??= this.beat()
        .catch((error: unknown) => options.logError('the crawls that are worked on could not be kept', error))
        .finally(() => (this.beating = undefined));
    }, beatMs).unref();
  }

  wake(): void {
    this.woken.abort();
  }

  isLooking(): boolean {
    return performance.now() - this.lookedMs < STALLED_MS;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.woken.abort();
    await this.looking;
    const working = [...this.working.values()];
    for (const { over } of working) over.abort();
    const ended = Promise.all(working.map(({ done }) => done));
    const patience = new AbortController();
    await Promise.race([ended, pause(DRAIN_MS, undefined, { signal: patience.signal }).catch(() => undefined)]);
    patience.abort();
    for (const { stop } of working) stop.abort();
    await ended;
    clearInterval(this.heart);
    await this.beating;
  }

  private async look(): Promise<void> {
    let waitMs = LOOK_MS;
    while (!this.stopping.signal.aborted) {
      this.woken = new AbortController();
      this.lookedMs = performance.now();
      const hasTaken = await this.take().catch((error: unknown) => {
        this.options.logError('no crawl could be claimed', error);
        return false;
      });
      if (hasTaken || this.working.size > 0) waitMs = LOOK_MS;
      // Not all at the same moment.
      const spreadMs = waitMs * (0.75 + Math.random() / 2);
      if (!hasTaken) await pause(spreadMs, undefined, { signal: this.woken.signal }).catch(() => (waitMs = LOOK_MS));
      waitMs = Math.min(LOOK_MS_MAX, waitMs * 2);
    }
  }

  private async take(): Promise<boolean> {
    const { jobs, places, logError } = this.options;
    if (this.working.size >= places || this.stopping.signal.aborted) return false;
    const claim = await jobs.claim();
    if (!claim) return false;
    const [over, stop] = [new AbortController(), new AbortController()];
    const done = run(claim, this.options, over.signal, stop.signal)
      .catch((error: unknown) => logError(`crawl ${claim.crawl.id} could not be given back`, error))
      .finally(() => {
        this.working.delete(claim.claim);
        this.options.metrics.working(this.working.size);
        this.woken.abort();
      });
    this.options.metrics.working(this.working.size + 1);
    this.working.set(claim.claim, { claim, sinceMs: performance.now(), over, stop, done });
    return true;
  }

  private async beat(): Promise<void> {
    // Others may be claimed meanwhile, of which this answer says nothing.
    const asked = [...this.working];
    if (asked.length === 0) return;
    const { held, waiting } = await this.options.jobs.keepAlive(asked.map(([claim]) => claim));
    // Cancelled, or taken over: nothing that it does would count.
    for (const [claim, { stop }] of asked) if (!held.has(claim)) stop.abort();
    this.endTurns(waiting);
  }

  /** As many places as are waited for are given on by those that have had theirs for long; a part also hears then what others found for it. */
  private endTurns(waiting: number): void {
    const sinceMs = performance.now() - this.options.turnMs;
    const draining = [...this.working.values()].filter(({ over }) => over.signal.aborted).length;
    let wanted = waiting - draining - (this.options.places - this.working.size);
    for (const { claim, over, sinceMs: begunMs } of this.working.values()) {
      if (over.signal.aborted || begunMs > sinceMs) continue;
      if (claim.whole === undefined && wanted-- <= 0) continue;
      over.abort();
    }
  }
}

/** Whether others find something for a part that has nothing left, before its place goes to somebody else. */
async function hasArrived({ find }: Database, { number }: CrawlRow, signal: AbortSignal): Promise<boolean> {
  const untilMs = performance.now() + ARRIVAL_MS;
  while (!signal.aborted && performance.now() < untilMs) {
    if (await find('SELECT 1 FROM crawl_offer WHERE crawl = $1 LIMIT 1', [number])) return true;
    await pause(ARRIVAL_LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
  return false;
}

/** Works on a crawl until it ends, fails, is taken away or is given back. */
async function run(claim: Claim, options: CrawlWorkerOptions, over: AbortSignal, signal: AbortSignal): Promise<void> {
  const { jobs, database, logError } = options;
  if (claim.losses >= LOSSES_MAX) {
    const message = `It ended ${claim.losses} workers, one after another, without a page more: it is not tried again.`;
    return await jobs.finish(claim, { code: 'internal', message });
  }
  // What was divided has nothing of its own to do: its parts are done.
  if (claim.crawl.parts > 0) return await jobs.finish(claim, undefined);
  try {
    const { trace, id } = claim.whole ?? claim.crawl;
    const span = { kind: 'consumer', parent: trace ?? undefined, attributes: { 'weft.crawl': id } } as const;
    const turn = () => options.tracer.trace('crawl turn', span, () => workOn(claim, options, over, signal));
    let { end, failure } = await turn();
    while (end === 'complete' && claim.whole && (await hasArrived(database, claim.crawl, AbortSignal.any([over, signal]))))
      ({ end, failure } = await turn());
    if (signal.aborted || end === 'turn' || end === 'cancelled') await jobs.giveBack(claim);
    else if (end === 'wide') await divideCrawl(database, claim);
    else if (end === 'share') await jobs.giveBack(claim, true);
    else await jobs.finish(claim, claim.whole ? undefined : failure);
  } catch (error) {
    if (signal.aborted || error instanceof StaleOwnerError) return await jobs.giveBack(claim);
    logError(`crawl ${claim.crawl.id} ended its worker`, error);
    await jobs.lose(claim);
  }
}
