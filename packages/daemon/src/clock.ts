// The system's clock.
import type { CrawlClock } from '@weft/engine';

/** Timers count 31 bits of milliseconds; a longer wait is taken in parts. */
const TIMER_MS_MAX = 2_000_000_000;

export const systemClock: CrawlClock = {
  now: () => Date.now(),
  async sleepUntil(epochMs, signal) {
    while (!signal.aborted && Date.now() < epochMs) await pause(Math.min(TIMER_MS_MAX, epochMs - Date.now()), signal);
  },
};

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}
