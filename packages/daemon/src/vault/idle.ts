// Locks a vault that nobody uses. A machine that slept was not used, although its steady clock may not have counted that time.
import type { CrawlClock } from '@weft/engine';

export interface IdleLock {
  /** From now on it is watched, as used just now. */
  start(): void;
  used(): void;
  stop(): void;
}

/** Between two looks. */
const LOOK_MS = 30_000;
/** Clocks that part by more were set, or the machine slept. */
const JUMP_MS = 120_000;

/** Calls `lock` after `idleMinutes` without use, or once the time of day has jumped; never with 0. */
export function createIdleLock(clock: CrawlClock, idleMinutes: number, lock: () => void): IdleLock {
  const idleMs = idleMinutes * 60_000;
  const ahead = () => clock.now() - clock.steadyMs();
  let usedMs = 0;
  let aheadMs = 0;
  let cancel = () => {};
  const look = () => {
    const isIdle = clock.steadyMs() - usedMs >= idleMs;
    if (isIdle || Math.abs(ahead() - aheadMs) > JUMP_MS) return lock();
    aheadMs = ahead();
    cancel = clock.alarm(Math.min(clock.steadyMs() + LOOK_MS, usedMs + idleMs), look);
  };
  return {
    start() {
      cancel();
      usedMs = clock.steadyMs();
      aheadMs = ahead();
      if (idleMs > 0) look();
    },
    used: () => void (usedMs = clock.steadyMs()),
    stop: () => cancel(),
  };
}
