// Names what went wrong in the browser: Chromium's and Playwright's errors become PageErrors.
import { PageError } from '../../errors.ts';
import type { PageErrorCode } from '../../errors.ts';
import { shownUrl } from '../gate/refusal.ts';
import { isNoBrowser } from './program/find.ts';
import { isStepTimeout, StepTimeout } from './deadline.ts';

/** Chromium's names, by what they begin with: https://source.chromium.org/chromium/chromium/src/+/main:net/base/net_error_list.h */
const BY_NET_ERROR: readonly (readonly [RegExp, PageErrorCode, string])[] = [
  [/ERR_(?:NAME_|DNS_|ICANN)/, 'dns', 'the host name could not be looked up'],
  [/ERR_(?:CERT_|SSL_|BAD_SSL|TLS)/, 'tls', "the server's certificate or encryption is not acceptable"],
  [/ERR_UNSAFE_PORT/, 'address', 'its port is kept for services that are no web servers'],
  [/ERR_TOO_MANY_REDIRECTS/, 'redirect_loop', 'the redirects go in a circle'],
  [/ERR_TIMED_OUT|ERR_CONNECTION_TIMED_OUT/, 'timeout', 'the server did not answer in time'],
  [/ERR_(?:CONTENT_LENGTH_MISMATCH|INCOMPLETE_CHUNKED|CONTENT_DECODING)/, 'truncated', 'the connection ended in the middle of the body'],
  [/ERR_(?:INVALID_|RESPONSE_HEADERS|HTTP2_|UNEXPECTED)/, 'bad_response', 'the answer is not valid HTTP'],
  [
    /ERR_(?:CONNECTION_|EMPTY_|ADDRESS_|INTERNET_|NETWORK_|SOCKET_|PROXY_|TUNNEL_)/,
    'connect',
    'no connection, or it was closed without an answer',
  ],
];

/** The PageError for `error`, thrown while `url` was open in a browser; a PageError gets the address that it lacks. */
export function toBrowserError(error: unknown, url: string, totalMs: number, signal: AbortSignal): PageError {
  const shown = shownUrl(url);
  if (signal.aborted) return new PageError('aborted', `The request for ${shown} was cancelled.`, { url: shown, cause: error });
  if (error instanceof PageError) return error.url === undefined && !isNoBrowser(error) ? withUrl(error, shown) : error;
  if (isStepTimeout(error)) {
    const sentence = `${shown}: not finished within ${totalMs} ms (${stepOf(error)}). Try again later.`;
    return new PageError('timeout', sentence, { url: shown, cause: error });
  }
  const message = error instanceof Error ? error.message : String(error);
  const known = BY_NET_ERROR.find(([pattern]) => pattern.test(message));
  if (known) return new PageError(known[1], `${shown}: ${known[2]} (${/ERR_\w+/.exec(message)?.[0]}).`, { url: shown, cause: error });
  return new PageError('browser', `${shown}: the browser could not open the page (${firstLine(message)}).`, { url: shown, cause: error });
}

function withUrl(error: PageError, url: string): PageError {
  const { code, message, next, status, retryAtMs, cause } = error;
  return new PageError(code, `${url}: ${message}`, {
    url,
    next,
    cause,
    ...(status === undefined ? {} : { status }),
    ...(retryAtMs === undefined ? {} : { retryAtMs }),
  });
}

function stepOf(error: unknown): string {
  return error instanceof StepTimeout ? error.message : 'the browser did not answer in time';
}

function firstLine(message: string): string {
  return (message.split('\n', 1)[0] ?? '').slice(0, 200);
}
