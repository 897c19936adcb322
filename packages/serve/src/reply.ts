// From a handler's reply to the answer, checked against the table on the way out.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Operation, ServerEvent } from '@weft/contract';
import { eventLines } from './events.ts';
import type { AnyReply } from './handlers.ts';
import type { Outgoing } from './message.ts';

/**
 * The answer of `reply`; `signalOf` gives what ends a stream: the caller left, its token died, or the server stops.
 * Throws when the table does not allow it: the handler is wrong, and the caller sees `internal`.
 */
export function replyAnswer(
  operation: Operation,
  reply: AnyReply,
  signalOf: () => AbortSignal,
  keepAliveMs: number,
): Outgoing | Promise<Outgoing> {
  const declared = operation.replies[reply.status];
  if (!declared) throw new Error(`${operation.id} answered the undeclared status ${reply.status}.`);
  const type = reply.type ?? 'application/json';
  const body = declared.content[type];
  if (body === undefined) {
    if (Object.keys(declared.content).length > 0) throw new Error(`${operation.id} answered the undeclared type ${type}.`);
    return { status: reply.status, headers: reply.headers ?? {} };
  }
  if (body === 'events') return eventAnswer(type, reply, signalOf(), keepAliveMs);
  if (typeof body === 'string') return rawAnswer(body, type, reply);
  return {
    status: reply.status,
    headers: { 'content-type': 'application/json', ...reply.headers },
    body: JSON.stringify(body.parse(reply.body)),
  };
}

async function eventAnswer(type: string, reply: AnyReply, signal: AbortSignal, keepAliveMs: number): Promise<Outgoing> {
  const lines = eventLines(reply.body as AsyncIterable<ServerEvent>, signal, keepAliveMs);
  // An answer may never be read, and then nothing else closes its source.
  signal.addEventListener('abort', () => void lines.return(undefined).catch(() => undefined), { once: true });
  return {
    status: reply.status,
    headers: { 'content-type': type, 'x-accel-buffering': 'no', ...reply.headers },
    body: await begun(lines),
  };
}

/** `parts` whose first one has been asked for. Rejects when it fails before the next turn, while the status can still say so. */
async function begun<T>(parts: AsyncGenerator<T>): Promise<AsyncGenerator<T>> {
  const first = parts.next();
  await Promise.race([first, nextTurn()]);
  return restOf(first, parts);
}

async function* restOf<T>(first: Promise<IteratorResult<T>>, parts: AsyncGenerator<T>): AsyncGenerator<T> {
  const { value, done } = await first;
  if (done) return;
  yield value;
  yield* parts;
}

function rawAnswer(kind: 'text' | 'bytes', type: string, reply: AnyReply): Outgoing {
  // Never rendered on our origin (D10).
  const headers = {
    'content-type': kind === 'text' ? `${type}; charset=utf-8` : type,
    'content-disposition': 'attachment',
    ...reply.headers,
  };
  return { status: reply.status, headers, body: reply.body as string | Uint8Array | AsyncIterable<string | Uint8Array> };
}
