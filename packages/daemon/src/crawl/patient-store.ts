// Holds a crawl up while its database can't be written, instead of failing it: nothing is lost, and it goes on once the cause is gone.
import type { CrawlClock, FrontierStore } from '@weft/engine';
import { explainFault } from '../db/fault.ts';

const RETRY_MS = 2000;

export interface PatiencePorts {
  readonly clock: CrawlClock;
  /** Called once for each time that the crawl is held up, with what held it. */
  readonly onHeld: (error: unknown) => void;
}

/**
 * `store`, whose calls wait for as long as the fault lies outside the agent: a full disk, a database that another program holds. One call is
 * tried at a time and the others wait behind it, so a crawl that can't be written takes no more addresses. Once `signal` aborts, it throws
 * what `store` throws.
 */
export function patientStore<Result>(
  store: FrontierStore<Result>,
  { clock, onHeld }: PatiencePorts,
  signal: AbortSignal,
): FrontierStore<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return {
    open: () => inTurn(() => store.open()),
    offer: (offers) => inTurn(() => store.offer(offers)),
    lease: (wants, nowMs, untilMs) => inTurn(() => store.lease(wants, nowMs, untilMs)),
    settle: (settlements, memory) => inTurn(() => store.settle(settlements, memory)),
    release: (ids) => inTurn(() => store.release(ids)),
    closePending: (skip) => inTurn(() => store.closePending(skip)),
    find: (lookup) => store.find(lookup),
    counts: () => store.counts(),
    firstLines: (count) => store.firstLines(count),
  };

  function inTurn<T>(call: () => Promise<T>): Promise<T> {
    const done = last.then(() => patiently(call));
    last = done.catch(() => undefined);
    return done;
  }

  /** A call is one transaction, so one that failed has changed nothing. */
  async function patiently<T>(call: () => Promise<T>): Promise<T> {
    for (let isHeld = false; ; isHeld = true) {
      try {
        return await call();
      } catch (error) {
        if (signal.aborted || !explainFault(error)) throw error;
        if (!isHeld) onHeld(error);
      }
      await clock.sleepUntil(clock.steadyMs() + RETRY_MS, signal);
    }
  }
}
