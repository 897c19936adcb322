// A process that works on crawls: it claims as many as it has places for, says that it lives, and gives them back when it stops.
import { setTimeout as pause } from 'node:timers/promises';
import { StaleOwnerError } from '@weft/engine';
import type { Claim } from './jobs.ts';
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
  logError(message: string, error: unknown): void;
}

const HEARTBEAT_MS = 2000;
const LOOK_MS = 1000;
/** A job that ended so many workers, one after another, ends with them. */
const LOSSES_MAX = 3;

/** Begins to work. */
export function startCrawlWorker(options: CrawlWorkerOptions): CrawlWorker {
  const { jobs, logError } = options;
  const working = new Map<string, { readonly claim: Claim; readonly stop: AbortController; readonly done: Promise<void> }>();
  const stopping = new AbortController();
  let woken = new AbortController();

  const take = async (): Promise<boolean> => {
    if (working.size >= options.places || stopping.signal.aborted) return false;
    const claim = await jobs.claim();
    if (!claim) return false;
    const stop = new AbortController();
    const done = run(claim, options, stop.signal)
      .catch((error: unknown) => logError(`crawl ${claim.crawl.id} could not be given back`, error))
      .finally(() => {
        working.delete(claim.claim);
        woken.abort();
      });
    working.set(claim.claim, { claim, stop, done });
    return true;
  };

  const look = async () => {
    while (!stopping.signal.aborted) {
      woken = new AbortController();
      const hasTaken = await take().catch((error: unknown) => {
        logError('no crawl could be claimed', error);
        return false;
      });
      if (!hasTaken) await pause(LOOK_MS, undefined, { signal: woken.signal }).catch(() => undefined);
    }
  };

  const beat = async () => {
    // Others may be claimed meanwhile, of which this answer says nothing.
    const asked = [...working];
    if (asked.length === 0) return;
    const held = await jobs.keepAlive(asked.map(([claim]) => claim));
    // Cancelled, or taken over: nothing that it does would count.
    for (const [claim, { stop }] of asked) if (!held.has(claim)) stop.abort();
  };

  const looking = look();
  let beating: Promise<void> | undefined;
  const heart = setInterval(() => {
    beating ??= beat()
      .catch((error: unknown) => logError('the crawls that are worked on could not be kept', error))
      .finally(() => (beating = undefined));
  }, HEARTBEAT_MS).unref();

  return {
    wake: () => woken.abort(),
    async stop() {
      stopping.abort();
      woken.abort();
      await looking;
      for (const { stop } of working.values()) stop.abort();
      await Promise.all([...working.values()].map(({ done }) => done));
      clearInterval(heart);
      await beating;
    },
  };
}

/** Works on a crawl until it ends, fails, is taken away or is given back. */
async function run(claim: Claim, options: CrawlWorkerOptions, signal: AbortSignal): Promise<void> {
  const { jobs, logError } = options;
  if (claim.losses >= LOSSES_MAX) {
    const message = `It ended ${claim.losses} workers, one after another, without a page more: it is not tried again.`;
    return await jobs.finish(claim, { code: 'internal', message });
  }
  try {
    const failure = await workOn(claim, options, signal);
    if (signal.aborted) await jobs.giveBack(claim);
    else await jobs.finish(claim, failure);
  } catch (error) {
    if (signal.aborted || error instanceof StaleOwnerError) return await jobs.giveBack(claim);
    logError(`crawl ${claim.crawl.id} ended its worker`, error);
    await jobs.lose(claim);
  }
}
