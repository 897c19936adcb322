// Sends one request: headers, retries, and errors of the right kind. Uses the platform's fetch, so it runs in a browser.
import { ApiError, CallTimeoutError, ConnectionError, WeftError, apiError } from './errors.ts';

/** Where calls go and how they are sent. */
export interface TransportOptions {
  /** `http://127.0.0.1:8131` or a cloud's address. */
  readonly baseUrl: string;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** How often a safe call is tried again; default 2. */
  readonly retriesMax?: number;
  /** How long a call may take with all of its tries; default 300. A stream and the bytes of a file may come for longer. */
  readonly timeoutSeconds?: number;
  readonly fetch?: typeof fetch;
  /** Waits between tries; for tests. */
  readonly delay?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** One call as it is sent. */
export interface TransportRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON, unless it is a FormData. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Of this call, in the place of the transport's. */
  readonly timeoutSeconds?: number | undefined;
  /** A repeated call that meets 404 is done: the one before it had its effect. */
  readonly isDoneWhenGone?: boolean;
  /** The time holds for the body as well. */
  readonly isWhole?: boolean;
  /** Statuses outside 2xx that are answers, such as the 409 of a settled run. */
  readonly answers?: readonly number[];
}

/** Sends calls: with the token, within the time, again where that is safe. */
export interface Transport {
  readonly baseUrl: string;
  /** The response of a 2xx or an expected answer. Throws ApiError and its kinds, ConnectionError. */
  send(request: TransportRequest): Promise<Response>;
}

/** As long as Node's own server and client wait for each other (`server.requestTimeout`, undici's `headersTimeout`). */
const TIMEOUT_SECONDS = 300;
const RETRIES_MAX = 2;
const RETRIED_STATUSES: readonly number[] = [408, 429, 500, 502, 503, 504];
const BACK_OFF_MS = 250;
/** A server that asks for more patience than this gets an error instead of a sleeping program. */
const RETRY_AFTER_SECONDS_MAX = 60;

export function createTransport(options: TransportOptions): Transport {
  const doFetch = options.fetch ?? fetch;
  const delay = options.delay ?? sleep;
  const retriesMax = options.retriesMax ?? RETRIES_MAX;

  if (typeof AbortSignal.any !== 'function')
    throw new WeftError('The client needs Node 20.3 or later, or a browser of 2024 or later: this one lacks AbortSignal.any.');
  return { baseUrl: options.baseUrl, send };

  async function send(request: TransportRequest): Promise<Response> {
    const seconds = request.timeoutSeconds ?? options.timeoutSeconds ?? TIMEOUT_SECONDS;
    const budget = new AbortController();
    const timer = setTimeout(() => budget.abort(new CallTimeoutError(`${request.method} ${request.path}`, seconds)), seconds * 1000);
    const signal = request.signal ? AbortSignal.any([request.signal, budget.signal]) : budget.signal;
    try {
      const response = await sendWithin({ ...request, signal });
      return request.isWhole && response.body ? await whole(response, signal) : response;
    } finally {
      clearTimeout(timer);
    }
  }

  async function sendWithin(request: TransportRequest & { readonly signal: AbortSignal }): Promise<Response> {
    for (let attempt = 0, hasRun = false; ; attempt++) {
      const outcome = await trySend(request);
      if (outcome instanceof Response) return outcome;
      if (hasRun && request.isDoneWhenGone && outcome instanceof ApiError && outcome.status === 404)
        return new Response(null, { status: 204 });
      if (attempt >= retriesMax || !isRepeatable(request) || !isPassing(outcome) || request.signal.aborted) throw outcome;
      hasRun ||= mayHaveRun(outcome);
      await delay(waitMs(outcome, attempt), request.signal);
    }
  }

  async function trySend(request: TransportRequest): Promise<Response | ApiError | ConnectionError> {
    const url = `${options.baseUrl}${request.path}${queryText(request.query)}`;
    let response: Response;
    try {
      response = await doFetch(url, {
        method: request.method,
        headers: headersOf(request),
        ...bodyOf(request),
        signal: request.signal ?? null,
        redirect: 'error',
      });
    } catch (error) {
      if (request.signal?.aborted) throw request.signal.reason;
      return new ConnectionError(options.baseUrl, error);
    }
    return response.ok || request.answers?.includes(response.status) ? response : await readError(response);
  }

  function headersOf(request: TransportRequest): Record<string, string> {
    return {
      ...options.headers,
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      ...(request.body === undefined || request.body instanceof FormData ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
    };
  }
}

/** The same answer with a body that has come. */
async function whole(response: Response, signal: AbortSignal): Promise<Response> {
  const { status, headers } = response;
  const body = await response.arrayBuffer().catch((error: unknown) => {
    throw signal.aborted ? signal.reason : error;
  });
  return new Response(body, { status, headers });
}

/** The error of an answer outside 2xx; its body may be JSON, text, cut off or empty. */
export async function readError(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '');
  const body = parseLoosely(text);
  const code = typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string' ? body.code : 'unknown';
  return apiError({
    status: response.status,
    code,
    body,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: secondsUntil(response.headers.get('retry-after'), Date.now()),
  });
}

/** What Retry-After says: seconds, or a date (RFC 9110, 10.2.3). */
function secondsUntil(text: string | null, nowMs: number): number | undefined {
  if (text === null) return undefined;
  if (/^\d+$/.test(text.trim())) return Number(text);
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.max(0, Math.ceil((atMs - nowMs) / 1000));
}

function parseLoosely(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function queryText(query: TransportRequest['query']): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) search.set(name, String(value));
  const text = search.toString();
  return text ? `?${text}` : '';
}

function bodyOf(request: TransportRequest): { readonly body?: string | FormData } {
  if (request.body === undefined) return {};
  return { body: request.body instanceof FormData ? request.body : JSON.stringify(request.body) };
}

/** A POST may have had its effect; only a key makes it safe to repeat. */
function isRepeatable(request: TransportRequest): boolean {
  return (
    request.method === 'GET' ||
    request.method === 'DELETE' ||
    Object.keys(request.headers ?? {}).some((name) => name.toLowerCase() === 'idempotency-key')
  );
}

/** A refusal for being too many did nothing. */
function mayHaveRun(error: ApiError | ConnectionError): boolean {
  return error instanceof ConnectionError || error.status !== 429;
}

function isPassing(error: ApiError | ConnectionError): boolean {
  if (error instanceof ConnectionError) return true;
  return RETRIED_STATUSES.includes(error.status) && (error.retryAfterSeconds ?? 0) <= RETRY_AFTER_SECONDS_MAX;
}

function waitMs(error: ApiError | ConnectionError, attempt: number): number {
  const asked = error instanceof ApiError ? error.retryAfterSeconds : undefined;
  return asked === undefined ? BACK_OFF_MS * 2 ** attempt * (0.5 + Math.random()) : asked * 1000;
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
