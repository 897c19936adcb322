// Which requests are written to the log, and how many of those that any stranger on the machine, or a page in its browser, can cause.
import type { RequestLog } from '../kernel/kernel.ts';
import { createRateLimiter } from '../kernel/rate.ts';
import type { RatePolicy } from '../kernel/rate.ts';
import type { Log } from './log.ts';

/** Enough to see who tries what; 174 bytes a line are 300 MB a year at most. */
const STRANGERS: RatePolicy = { perSecond: 0.05, burst: 100 };

/** Writes what the kernel says of each request. `now` is milliseconds that only grow. */
export function createRequestLog(log: Log, now: () => number): (entry: RequestLog) => void {
  const limiter = createRateLimiter(now);
  let unwritten = 0;
  return ({ error, durationMs, ...rest }) => {
    const entry = { ...rest, durationMs: Math.round(durationMs * 10) / 10 };
    const isStranger = entry.actorId === undefined && error === undefined;
    if (isStranger && !limiter.take('strangers', STRANGERS).allowed) {
      unwritten++;
      return;
    }
    if (unwritten > 0) log.info({ requests: unwritten }, 'requests without a known token, not written one by one');
    unwritten = 0;
    if (error !== undefined) log.error({ ...entry, error }, 'request failed');
    // Reads that went well say nothing: a page that polls would fill the log with them.
    else if (entry.status >= 400 || (entry.method !== 'GET' && entry.method !== 'HEAD')) log.info(entry, 'request');
  };
}
