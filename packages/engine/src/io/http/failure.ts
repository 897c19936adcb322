// Names what went wrong on the wire: undici's, Node's and OpenSSL's errors become PageErrors.
import { PageError } from '../../errors.ts';
import type { PageErrorCode, PageErrorDetails } from '../../errors.ts';
import { shownUrl } from '../gate/refusal.ts';
import { bodyTooLarge } from './decompress.ts';
import type { HttpLimits } from './limits.ts';

/** How far a hop had come when it failed. */
export type HopPhase = 'resolve' | 'headers' | 'body';

interface Naming {
  readonly code: PageErrorCode;
  readonly sentence: string;
  readonly next?: PageErrorDetails['next'];
}

/** The PageError for `error`, thrown while fetching `url`; a PageError passes through. `signal` is the caller's. */
export function toPageError(error: unknown, url: string, phase: HopPhase, limits: HttpLimits, signal: AbortSignal): PageError {
  if (error instanceof PageError) return error;
  const shown = shownUrl(url);
  if (signal.aborted) return new PageError('aborted', `The request for ${shown} was cancelled.`, { url: shown, cause: error });
  if (codeOf(error) === 'UND_ERR_DESTROYED')
    return new PageError('aborted', `${shown}: the fetcher was closed.`, { url: shown, cause: error });
  const naming = nameFailure(error, phase, limits);
  if (naming.code === 'body_too_large') return bodyTooLarge(limits.bodyBytesMax, shown);
  return new PageError(naming.code, `${shown}: ${naming.sentence}`, {
    url: shown,
    cause: error,
    ...(naming.next ? { next: naming.next } : {}),
  });
}

function nameFailure(error: unknown, phase: HopPhase, limits: HttpLimits): Naming {
  const code = codeOf(error);
  const known = timeoutNaming(code, error, limits) ?? tlsNaming(code, error) ?? parserNaming(code, error, limits);
  if (known) return known;
  if (phase === 'resolve') return dnsNaming(code);
  if (phase === 'body') return { code: 'truncated', sentence: 'the connection ended in the middle of the body. Nothing of it was kept.' };
  return { code: 'connect', sentence: `no connection, or it was closed without an answer (${code || 'unknown reason'}).` };
}

function timeoutNaming(code: string, error: unknown, limits: HttpLimits): Naming | undefined {
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return timeout(`connecting took longer than ${limits.connectMs} ms`);
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return timeout(`no response headers within ${limits.headersMs} ms`);
  if (code === 'UND_ERR_BODY_TIMEOUT') return timeout(`the body stood still for ${limits.idleMs} ms`);
  if (error instanceof Error && error.name === 'TimeoutError') return timeout(`not finished within ${limits.totalMs} ms`);
  return undefined;
}

function timeout(what: string): Naming {
  return { code: 'timeout', sentence: `${what}. Try again later.` };
}

const TLS_CODE =
  /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|CRL_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH)|^EPROTO$|^ERROR_IN_CERT/;

function tlsNaming(code: string, error: unknown): Naming | undefined {
  if (!TLS_CODE.test(code)) return undefined;
  const detail =
    error instanceof Error
      ? (OPENSSL_REASON.exec(error.message)?.[1] ?? /reason: ([^\n]+)|^([^\n]{1,200})/.exec(error.message)?.slice(1).find(Boolean) ?? code)
      : code;
  if (detail === 'wrong version number')
    return { code: 'tls', sentence: 'the server speaks no TLS on this port. Ask for the address with http:// instead of https://.' };
  return { code: 'tls', sentence: `the server's certificate or encryption is not acceptable (${detail}).` };
}

/** OpenSSL's own lines are `error:code:library:function:reason:file:line:` (ERR_error_string(3)); only the reason is for people. */
const OPENSSL_REASON = /SSL routines:[^:\n]*:([^:\n]+):/;

function parserNaming(code: string, error: unknown, limits: HttpLimits): Naming | undefined {
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW') {
    return {
      code: 'bad_response',
      next: 'drop',
      sentence: `the response headers are larger than ${limits.headerBytesMax.toLocaleString('en')} bytes.`,
    };
  }
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return { code: 'body_too_large', sentence: '' };
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return { code: 'truncated', sentence: 'the body is not as long as announced.' };
  if (code.startsWith('HPE_') || isParserError(error)) {
    return { code: 'bad_response', sentence: `the answer is not valid HTTP/1.1 (${code || 'it begins like no status line'}).` };
  }
  return undefined;
}

/** undici's parser also complains without a code: in an error class of its own, as an assertion, or as "bad response". */
function isParserError(error: unknown): boolean {
  return error instanceof Error && (/^(?:HTTPParserError|AssertionError)$/.test(error.name) || error.message === 'bad response');
}

function dnsNaming(code: string): Naming {
  // Only a definite "no such name" is final; the rest may be the resolver's bad minute.
  if (code === 'ENOTFOUND' || code === 'ENODATA') return { code: 'dns', next: 'drop', sentence: 'the host name does not exist.' };
  return { code: 'dns', sentence: `the host name could not be looked up (${code || 'no reason given'}).` };
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error instanceof AggregateError ? codeOf(error.errors[0]) : '';
}
