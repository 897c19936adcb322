// From what was thrown to the answer that goes out.
import { AppError } from '@weft/contract';
import { jsonAnswer } from './message.ts';
import type { Outgoing } from './message.ts';

/** Refusals below the API: their bodies are plain text (D4). */
export type TransportStatus = 404 | 405 | 408 | 413 | 414 | 415 | 417 | 431;

export class TransportError extends Error {
  readonly status: TransportStatus;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: TransportStatus, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'TransportError';
    this.status = status;
    this.headers = headers;
  }
}

/** The caller went away before it was answered: no fault of the server, and nobody reads what is answered. */
export class CallerLeft extends Error {
  constructor() {
    super('The caller left before it was answered.');
    this.name = 'CallerLeft';
  }
}

/** A body that is no JSON-RPC request: told in its own form, without the id that could not be read. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
  }
}

/** What a parser refuses too: one form for both. */
const PARSER_LEVEL: ReadonlySet<TransportStatus> = new Set([417, 431]);

/** nginx's number for it, which logs are read by. */
const LEFT = 499;

/** What Node's parser refuses before there is a request, by the code of its error; everything else is a 400. */
const UNPARSED: Readonly<Record<string, readonly [status: number, error: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The request line and headers are larger than 16 KB; send less of them.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request was not in in time; send it again.'],
};

/** The answer to bytes that are no HTTP/1.1 request, as text for the socket: there is no request to answer to. */
export function unparsedAnswer(code: string, requestId: string): string {
  const [status, error] = UNPARSED[code] ?? [400, 'These bytes are no request that can be read; nothing of them was taken.'];
  const body = JSON.stringify({ error, code: 'bad_request' });
  return [
    `HTTP/1.1 ${status} Refused`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

/** The answer to an error. Anything unexpected becomes `internal` with that sentence and without its text, which is for the log. */
export function errorAnswer(error: unknown, internal: string): Outgoing {
  if (error instanceof CallerLeft) return { status: LEFT, headers: { connection: 'close' } };
  if (error instanceof RpcError) return jsonAnswer(400, { jsonrpc: '2.0', id: null, error: { code: error.code, message: error.message } });
  if (error instanceof TransportError && PARSER_LEVEL.has(error.status))
    return jsonAnswer(error.status, { error: error.message, code: 'bad_request' });
  if (error instanceof TransportError)
    return {
      status: error.status,
      // The rest of an oversized or late body is not read, so the connection can't be used again.
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        ...(error.status === 413 || error.status === 408 ? { connection: 'close' } : {}),
        ...error.headers,
      },
      body: `${error.message}\n`,
    };
  const known = error instanceof AppError ? error : new AppError('internal', internal);
  return jsonAnswer(
    known.status,
    { error: known.message, code: known.code, ...known.members },
    known.retryAfterSeconds === undefined ? {} : { 'retry-after': String(known.retryAfterSeconds) },
  );
}
