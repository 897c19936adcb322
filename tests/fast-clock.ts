// A clock on which time passes many times as fast: what takes hours by schedules is over in minutes, while network and threads are as they are.
import { performance } from 'node:perf_hooks';
import type { AgentClock } from '../packages/daemon/src/clock.ts';

/** Timers count 31 bits of milliseconds. */
const TIMER_MS_MAX = 2_000_000_000;

/** Starts at the time of day that it is. `speed` milliseconds of it pass in one. */
export function fastClock(speed: number): AgentClock {
  const startMs = Date.now();
  const steadyMs = () => Math.floor(startMs + performance.now() * speed);
  const alarm = (atMs: number, ring: () => void) => {
    const wind = (): NodeJS.Timeout =>
      setTimeout(
        () => (steadyMs() < atMs ? void (timer = wind()) : ring()),
        Math.min(TIMER_MS_MAX, Math.max(0, (atMs - steadyMs()) / speed)),
      );
    let timer = wind();
    return () => clearTimeout(timer);
  };
  return {
    now: steadyMs,
    steadyMs,
    alarm,
    appointment: alarm,
    async sleepUntil(atMs, signal) {
      if (signal.aborted) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const unring = alarm(atMs, resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
      await promise;
      unring();
    },
  };
}
