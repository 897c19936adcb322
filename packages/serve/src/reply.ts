// From a handler's reply to the answer, checked against the table on the way out.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Operation, ServerEvent } from '@weft/contract';
import { z } from 'zod';
import { eventLines } from './events.ts';
import type { AnyReply } from './handlers.ts';
import type { HeldBytes } from './held-bytes.ts';
import type { Outgoing } from './message.ts';

/** What answers that are sent piece by piece share. */
export interface StreamPorts {
  /** Between two signs of life of an idle event stream. */
  readonly keepAliveMs: number;
  /** What all readers together may keep waiting in memory. */
  readonly heldBytes: HeldBytes;
}

/**
 * The answer of `reply`; `signalOf` gives what ends a stream: the caller left, its token died, or the server stops.
 * Throws when the table does not allow it: the handler is wrong, and the caller sees `internal`.
 */
export function replyAnswer(
  operation: Operation,
  reply: AnyReply,
  signalOf: () => AbortSignal,
  ports: StreamPorts,
): Outgoing | Promise<Outgoing> {
  const declared = operation.replies[reply.status];
  if (!declared) throw new Error(`${operation.id} answered the undeclared status ${reply.status}.`);
  const type = reply.type ?? 'application/json';
  const body = declared.content[type];
  if (body === undefined) {
    if (Object.keys(declared.content).length > 0) throw new Error(`${operation.id} answered the undeclared type ${type}.`);
    return { status: reply.status, headers: reply.headers ?? {} };
  }
  if (body === 'events') return eventAnswer(type, reply, signalOf(), ports.keepAliveMs);
  if (typeof body === 'string') return rawAnswer(body, type, reply);
  if (reply.items) return itemsAnswer(body, reply, reply.items, signalOf(), ports.heldBytes);
  return {
    status: reply.status,
    headers: { 'content-type': 'application/json', ...reply.headers },
    body: JSON.stringify(body.parse(reply.body)),
  };
}

async function eventAnswer(type: string, reply: AnyReply, signal: AbortSignal, keepAliveMs: number): Promise<Outgoing> {
  const lines = eventLines(reply.body as AsyncIterable<ServerEvent>, signal, keepAliveMs);
  endWith(signal, lines);
  return {
    status: reply.status,
    headers: { 'content-type': type, 'x-accel-buffering': 'no', ...reply.headers },
    body: await begun(lines),
    isCutWhenStalled: true,
  };
}

/** An answer may never be read, and then nothing else closes its source. */
function endWith(signal: AbortSignal, parts: AsyncGenerator<string>): void {
  signal.addEventListener('abort', () => void parts.return(undefined).catch(() => undefined), { once: true });
}

/** A JSON object whose `data` is sent element by element: however long it is, one element of it is in memory. */
async function itemsAnswer(schema: z.ZodType, reply: AnyReply, items: Iterable<unknown>, signal: AbortSignal, held: HeldBytes) {
  const element = schema instanceof z.ZodObject ? schema.shape['data'] : undefined;
  if (!(element instanceof z.ZodArray)) throw new Error('A reply has items, but its schema has no list "data".');
  const { data: _empty, ...rest } = schema.parse(reply.body) as Readonly<Record<string, unknown>>;
  const texts = itemTexts(JSON.stringify(rest), items, (item) => JSON.stringify((element.element as z.ZodType).parse(item)));
  const parts = heldParts(texts, signal, held);
  endWith(signal, parts);
  return {
    status: reply.status,
    headers: { 'content-type': 'application/json', ...reply.headers },
    body: await begun(parts),
    isCutWhenStalled: true,
  };
}

/** `rest` with a member `data` at its end. */
function* itemTexts(rest: string, items: Iterable<unknown>, textOf: (item: unknown) => string): Generator<string> {
  let lead = `${rest === '{}' ? '{' : `${rest.slice(0, -1)},`}"data":[`;
  for (const item of items) {
    yield lead + textOf(item);
    lead = ',';
  }
  yield lead === ',' ? ']}' : `${lead}]}`;
}

/** Each text is made when there is room for it, and counts until the next one is asked for. */
async function* heldParts(texts: Iterator<string>, signal: AbortSignal, held: HeldBytes): AsyncGenerator<string> {
  const make = () => {
    const { value, done } = texts.next();
    return done ? undefined : value;
  };
  for (let text = await held.next(make, signal); text !== undefined; text = await held.next(make, signal)) {
    try {
      yield text;
    } finally {
      held.letGo(text);
    }
  }
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
