// From a handler's reply to the answer, checked against the table on the way out.
import type { Operation, ServerEvent } from '@weft/contract';
import { eventLines } from './events.ts';
import type { AnyReply } from './handlers.ts';
import type { Outgoing } from './message.ts';

export interface ReplyContext {
  /** Ends a stream: the caller left, its token died, or the server stops. */
  readonly signal: AbortSignal;
  readonly keepAliveMs: number;
}

/** The answer of `reply`. Throws when the table does not allow it: the handler is wrong, and the caller sees `internal`. */
export function replyAnswer(operation: Operation, reply: AnyReply, context: () => ReplyContext): Outgoing {
  const declared = operation.replies[reply.status];
  if (!declared) throw new Error(`${operation.id} answered the undeclared status ${reply.status}.`);
  const type = reply.type ?? 'application/json';
  const body = declared.content[type];
  if (body === undefined) {
    if (Object.keys(declared.content).length > 0) throw new Error(`${operation.id} answered the undeclared type ${type}.`);
    return { status: reply.status, headers: reply.headers ?? {} };
  }
  if (typeof body === 'string') return rawAnswer(body, type, reply, context);
  return {
    status: reply.status,
    headers: { 'content-type': 'application/json', ...reply.headers },
    body: JSON.stringify(body.parse(reply.body)),
  };
}

function rawAnswer(kind: 'text' | 'bytes' | 'events', type: string, reply: AnyReply, context: () => ReplyContext): Outgoing {
  if (kind === 'events') {
    const { signal, keepAliveMs } = context();
    return {
      status: reply.status,
      headers: { 'content-type': type, 'x-accel-buffering': 'no', ...reply.headers },
      body: eventLines(reply.body as AsyncIterable<ServerEvent>, signal, keepAliveMs),
    };
  }
  // Never rendered on our origin (D10).
  const headers = {
    'content-type': kind === 'text' ? `${type}; charset=utf-8` : type,
    'content-disposition': 'attachment',
    ...reply.headers,
  };
  return { status: reply.status, headers, body: reply.body as string | Uint8Array | AsyncIterable<string | Uint8Array> };
}
