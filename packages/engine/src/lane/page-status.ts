// Tells by its status whether an answer is a page, and names why it is none.
import { parseRetryAfter } from '../crawl/hosts/host-pace.ts';
import { PageError } from '../errors.ts';
import type { Page } from '../ports.ts';

/** Why an answer that is not refused by a number alone is no page (RFC 9110, 15.3.7, 15.4). */
const NO_PAGE: Readonly<Record<number, string>> = {
  206: 'a part, though the whole was asked for',
  304: 'that nothing has changed, though that was not the question',
};

/** Whether an answer of this status can be a page: a part that nobody asked for is none, nor is a redirect that leads nowhere. */
export function isPageStatus(status: number): boolean {
  return status >= 200 && status < 300 && status !== 206;
}

/** What an answer of this status that is no page is called in ledgers and failures: a fault of the host itself (RFC 9110, 15.6) is no fault of the address. */
export function statusCode(status: number): 'http_status' | 'server_error' {
  return status >= 500 ? 'server_error' : 'http_status';
}

/** The error of an answer that is no page: `rate_limited` for 429 and 503, with `retryAtMs` where the host says when, else `http_status` or `server_error`. */
export function refuseStatus(page: Pick<Page, 'status' | 'headers' | 'url'>, nowMs: number): PageError | undefined {
  const { status, url } = page;
  if (isPageStatus(status)) return undefined;
  if (status === 429 || status === 503) return rateLimited(page, nowMs);
  const what = NO_PAGE[status] ?? (status < 400 ? 'a redirect that leads nowhere' : undefined);
  const advice = status >= 500 ? 'Its server has a fault of its own; ask again later.' : 'Check the address in a browser.';
  const sentence = `${url} answered ${status}${what === undefined ? '' : `: ${what}`}; nothing was kept. ${advice}`;
  return new PageError(statusCode(status), sentence, { url, status });
}

function rateLimited({ status, url, headers }: Pick<Page, 'status' | 'headers' | 'url'>, nowMs: number): PageError {
  const retryAtMs = parseRetryAfter(headers.find(([name]) => name === 'retry-after')?.[1], nowMs);
  const wish = retryAtMs === undefined ? 'Ask again later' : `Ask again after ${new Date(retryAtMs).toISOString()}`;
  const sentence = `${url} answered ${status}: its host asks to be left alone; nothing was kept. ${wish}.`;
  return new PageError('rate_limited', sentence, { url, status, ...(retryAtMs === undefined ? {} : { retryAtMs }) });
}
