// The error kinds of the specification, as callers catch them. A failed run is none of them: it is a result.

/** Root of everything that this package throws. */
export class WeftError extends Error {
  override name = 'WeftError';
}

/** What a refused call carries. */
export interface ApiErrorFields {
  readonly status: number;
  /** Stable code; `unknown` where the answer was not JSON of ours. */
  readonly code: string;
  /** The parsed body, or its text. */
  readonly body: unknown;
  readonly requestId: string | undefined;
  /** Seconds from Retry-After. */
  readonly retryAfterSeconds: number | undefined;
}

/** Any answer outside 2xx. `message` is the server's sentence. */
export class ApiError extends WeftError {
  override name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly body: unknown;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, fields: ApiErrorFields) {
    super(message);
    this.status = fields.status;
    this.code = fields.code;
    this.body = fields.body;
    this.requestId = fields.requestId;
    this.retryAfterSeconds = fields.retryAfterSeconds;
  }
}

/** The keyless allowance is spent (429 `keyless_rate_limited`). */
export class RateLimitedError extends ApiError {
  override name = 'RateLimitedError';
  /** When the allowance is whole again, as the server wrote it. */
  readonly resetAt: string | undefined;
  readonly limit: number | undefined;
  readonly remaining: number | undefined;

  constructor(message: string, fields: ApiErrorFields) {
    super(message, fields);
    const body = asObject(fields.body);
    this.resetAt = typeof body['reset_at'] === 'string' ? body['reset_at'] : undefined;
    this.limit = typeof body['limit'] === 'number' ? body['limit'] : undefined;
    this.remaining = typeof body['remaining'] === 'number' ? body['remaining'] : undefined;
  }
}

/** The credit pool is empty (402 `insufficient_credits`). */
export class InsufficientCreditsError extends ApiError {
  override name = 'InsufficientCreditsError';
}

/** A metered cloud call was made without a `wt_` key. */
export class ApiKeyRequiredError extends WeftError {
  override name = 'ApiKeyRequiredError';

  /** `what` was called; `needed` is what it takes, such as an API key. */
  constructor(what: string, needed = 'an API key (wt_...): "apiKey", or SERVICE_API_KEY') {
    super(`${what} needs ${needed}.`);
  }
}

/** A waiting budget is used up; the run goes on. */
export class RunWaitTimeoutError extends WeftError {
  override name = 'RunWaitTimeoutError';
  /** A number on the agent, `crl_...` on a cloud. */
  readonly runId: number | string;

  constructor(runId: number | string, timeoutSeconds: number) {
    const read = typeof runId === 'number' ? `runs.read({ id: ${runId} })` : `crawls.read({ id: '${runId}' })`;
    super(`Run ${runId} was not settled after ${timeoutSeconds} seconds; it goes on. Wait again, or read it with ${read}.`);
    this.runId = runId;
  }
}

/** A call was not answered within its time; whether it had its effect is not known. */
export class CallTimeoutError extends WeftError {
  override name = 'CallTimeoutError';

  constructor(what: string, seconds: number) {
    super(`${what} was not answered within ${seconds} seconds. Ask again, or give it longer with "timeoutSeconds".`);
  }
}

/** A page that was asked for did not come; `code` says why, as in the ledger of a crawl. */
export class ScrapeError extends WeftError {
  override name = 'ScrapeError';
  readonly code: string;
  readonly url: string;

  constructor(url: string, code: string, message: string) {
    super(`${url} could not be read: ${message}`);
    this.code = code;
    this.url = url;
  }
}

/** No connection to a known address. */
export class ConnectionError extends WeftError {
  override name = 'ConnectionError';
  readonly url: string;

  constructor(url: string, cause: unknown) {
    super(`No connection to ${url}: ${reasonOf(cause)}.`, { cause });
    this.url = url;
  }
}

/** No live agent was found. */
export class DiscoveryError extends WeftError {
  override name = 'DiscoveryError';
  /** Each place that was looked at and why it did not serve, in order. */
  readonly tried: readonly string[];

  constructor(tried: readonly string[], what = 'live agent was found') {
    super(`No ${what}. Tried:\n${tried.map((line) => `  - ${line}`).join('\n')}`);
    this.tried = tried;
  }
}

/** No cloud is named, or one that no key may be sent to. */
export class CloudAddressError extends DiscoveryError {
  override name = 'CloudAddressError';

  constructor(why: string) {
    super([why], 'cloud can be called');
  }
}

/** The error for an answer, by its code. */
export function apiError(fields: ApiErrorFields): ApiError {
  const sentence = asObject(fields.body)['error'];
  const message =
    typeof sentence === 'string'
      ? sentence
      : `The server answered ${fields.status}${typeof fields.body === 'string' && fields.body ? `: ${fields.body.trim().slice(0, 200)}` : ''}.`;
  if (fields.code === 'keyless_rate_limited') return new RateLimitedError(message, fields);
  if (fields.code === 'insufficient_credits') return new InsufficientCreditsError(message, fields);
  return new ApiError(message, fields);
}

/** `value` as an object to look into; empty for anything else. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function reasonOf(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  return inner instanceof Error ? inner.message || inner.name : String(inner);
}
