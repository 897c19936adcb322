// Sends one request: headers, retries, and errors of the right kind. Uses the platform's fetch, so it runs in a browser.
import { ApiError, ConnectionError, apiError } from './errors.ts';

/** Where calls go and how they are sent. */
export interface TransportOptions {
  /** `http://127.0.0.1:8131` or a cloud's address. */
  readonly baseUrl: string;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** How often a safe call is tried again; default 2. */
  readonly retriesMax?: number;
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
  /** Statuses outside 2xx that are answers, such as the 409 of a settled run. */
  readonly answers?: readonly number[];
}

/** Sends calls: with the token, within the time, again where that is safe. */
export interface Transport {
  readonly baseUrl: string;
  /** The response of a 2xx or an expected answer. Throws ApiError and its kinds, ConnectionError. */
  send(request: TransportRequest): Promise<Response>;
}

const RETRIES_MAX = 2;
const RETRIED_STATUSES: readonly number[] = [408, 429, 500, 502, 503, 504];
const BACK_OFF_MS = 250;
/** A server that asks for more patience than this gets an error instead of a sleeping program. */
const RETRY_AFTER_SECONDS_MAX = 60;

export function createTransport(options: TransportOptions): Transport {
  const doFetch = options.fetch ?? fetch;
  const delay = options.delay ?? sleep;
  const retriesMax = options.retriesMax ?? RETRIES_MAX;

  return { baseUrl: options.baseUrl, send };

  async function send(request: TransportRequest): Promise<Response> {
    for (let attempt = 0; ; attempt++) {
      const outcome = await trySend(request);
      if (outcome instanceof Response) return outcome;
      if (attempt >= retriesMax || !isRepeatable(request) || !isPassing(outcome) || request.signal?.aborted) throw outcome;
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

/** The error of an answer outside 2xx; its body may be JSON, text, cut off or empty. */
export async function readError(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '');
  const body = parseLoosely(text);
  const code = typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string' ? body.code : 'unknown';
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  return apiError({
    status: response.status,
    code,
    body,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
  });
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
