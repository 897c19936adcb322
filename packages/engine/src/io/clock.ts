// The system's clock.
import type { CrawlClock } from '../crawl/crawl-ports.ts';

/** Timers count 31 bits of milliseconds; a longer wait is taken in parts. */
const TIMER_MS_MAX = 2_000_000_000;

/** The time of the machine. */
export const systemClock: CrawlClock = {
  now: () => Date.now(),
  steadyMs,
  async sleepUntil(untilMs, signal) {
    while (!signal.aborted && steadyMs() < untilMs) await pause(Math.min(TIMER_MS_MAX, untilMs - steadyMs()), signal);
  },
  alarm,
};

function alarm(atMs: number, ring: () => void): () => void {
  const wind = (): NodeJS.Timeout =>
    setTimeout(() => (steadyMs() < atMs ? void (timer = wind()) : ring()), Math.min(TIMER_MS_MAX, Math.max(0, atMs - steadyMs()))).unref();
  let timer = wind();
  return () => clearTimeout(timer);
}

/** Whole milliseconds: what is counted in parts of one is never quite over. */
function steadyMs(): number {
  return Math.floor(performance.timeOrigin + performance.now());
}

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
