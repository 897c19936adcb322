// A process that works on crawls: it claims as many as it has places for, says that it lives, and gives each on when its turn is over.
import { setTimeout as pause } from 'node:timers/promises';
import { StaleOwnerError } from '@weft/engine';
import type { Claim } from './jobs.ts';
import { divideCrawl } from './parts.ts';
import { workOn } from './work.ts';
import type { CrawlWorkerPorts } from './work.ts';

export interface CrawlWorker {
  /** Looks for work now: some was just made here. */
  wake(): void;
  /** Stops asking hosts and gives back what it worked on; others go on with it at once. */
  stop(): Promise<void>;
}

export interface CrawlWorkerOptions extends CrawlWorkerPorts {
  /** Crawls at once. */
  readonly places: number;
  /** How long a crawl is worked on before others that wait have its place. */
  readonly turnMs: number;
  logError(message: string, error: unknown): void;
}

const HEARTBEAT_MS = 2000;
const LOOK_MS = 1000;
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
  return { wake: () => worker.wake(), stop: () => worker.stop() };
}

class Worker {
  private readonly options: CrawlWorkerOptions;
  private readonly working = new Map<string, Working>();
  private readonly stopping = new AbortController();
  private woken = new AbortController();
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

  async stop(): Promise<void> {
    this.stopping.abort();
    this.woken.abort();
    await this.looking;
    for (const { stop } of this.working.values()) stop.abort();
    await Promise.all([...this.working.values()].map(({ done }) => done));
    clearInterval(this.heart);
    await this.beating;
  }

  private async look(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      this.woken = new AbortController();
      const hasTaken = await this.take().catch((error: unknown) => {
        this.options.logError('no crawl could be claimed', error);
        return false;
      });
      if (!hasTaken) await pause(LOOK_MS, undefined, { signal: this.woken.signal }).catch(() => undefined);
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
        this.woken.abort();
      });
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
    const { end, failure } = await workOn(claim, options, over, signal);
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
