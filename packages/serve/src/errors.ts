// From what was thrown to the answer that goes out.
import { AppError } from '@weft/contract';

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

/** The response of an error. Anything unexpected becomes `internal` without its text, which is for the log. */
export function errorResponse(error: unknown): Response {
  if (error instanceof TransportError)
    return new Response(`${error.message}\n`, {
      status: error.status,
      // The rest of an oversized body is not read, so the connection can't be used again.
      headers: { 'content-type': 'text/plain; charset=utf-8', ...(error.status === 413 ? { connection: 'close' } : {}), ...error.headers },
    });
  const known =
    error instanceof AppError
      ? error
      : new AppError('internal', 'Something unexpected failed inside the agent; its log has the details under this request id.');
  return Response.json(
    { error: known.message, code: known.code },
    { status: known.status, headers: known.retryAfterSeconds === undefined ? {} : { 'retry-after': String(known.retryAfterSeconds) } },
  );
}
