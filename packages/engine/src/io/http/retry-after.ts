// Reads how long a busy server wants to be left alone.
import { parseRetryAfter } from '../../crawl/host-pace.ts';
import { PageError } from '../../errors.ts';
import type { Page } from '../../ports.ts';

/**
 * Milliseconds from `nowMs` that a 429 or 503 asks to wait (Retry-After, seconds or a date; RFC 9110 section 10.2.3),
 * at most a day; undefined for other answers and when the header is absent or unreadable.
 */
export function retryAfterMs(page: Pick<Page, 'status' | 'headers'>, nowMs: number): number | undefined {
  if (page.status !== 429 && page.status !== 503) return undefined;
  const value = page.headers.find(([name]) => name === 'retry-after')?.[1];
  const untilMs = parseRetryAfter(value, nowMs);
  return untilMs === undefined ? undefined : untilMs - nowMs;
}

/** The error for a page that answered 429 or 503, with `retryAtMs` set where the server said when; undefined for other pages. */
export function rateLimitedError(page: Pick<Page, 'status' | 'headers' | 'url'>, nowMs: number): PageError | undefined {
  if (page.status !== 429 && page.status !== 503) return undefined;
  const waitMs = retryAfterMs(page, nowMs);
  const wish = waitMs === undefined ? 'without saying for how long' : `for ${Math.ceil(waitMs / 1000)} seconds`;
  return new PageError('rate_limited', `The server asks to wait (status ${page.status}), ${wish}. Ask again later.`, {
    url: page.url,
    status: page.status,
    ...(waitMs === undefined ? {} : { retryAtMs: nowMs + waitMs }),
  });
}
