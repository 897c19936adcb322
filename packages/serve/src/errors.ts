// From what was thrown to the answer that goes out.
import { AppError } from '@weft/contract';
import { jsonAnswer } from './message.ts';
import type { Outgoing } from './message.ts';

/** Refusals below the API: their bodies are plain text (D4). */
export type TransportStatus = 404 | 405 | 408 | 413 | 414 | 415 | 431;

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

/** The answer to an error. Anything unexpected becomes `internal` without its text, which is for the log. */
export function errorAnswer(error: unknown): Outgoing {
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
  const known =
    error instanceof AppError
      ? error
      : new AppError('internal', 'Something unexpected failed inside the agent; its log has the details under this request id.');
  return jsonAnswer(
    known.status,
    { error: known.message, code: known.code },
    known.retryAfterSeconds === undefined ? {} : { 'retry-after': String(known.retryAfterSeconds) },
  );
}
