// From a handler's reply to the answer, checked against the table on the way out.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonParts, Operation, ServerEvent } from '@weft/contract';
import type { z } from 'zod';
import { eventLines } from '../wire/events.ts';
import type { AnyReply } from './handlers.ts';
import type { Outgoing } from '../wire/message.ts';
import type { PartSize } from './part-size.ts';

/** What answers that are sent piece by piece share. */
export interface StreamPorts {
  /** Between two signs of life of an idle event stream. */
  readonly keepAliveMs: number;
  /** Of answers with many records. */
  readonly partSize: PartSize;
}

/** Small records go out together. */
const GATHERED_CHARS = 65_536;

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
  if (reply.items) return itemsAnswer(body, reply, reply.items, signalOf(), ports.partSize);
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
function endWith(signal: AbortSignal, parts: AsyncGenerator<unknown>): void {
  signal.addEventListener('abort', () => void parts.return(undefined).catch(() => undefined), { once: true });
}

/** A JSON object whose `data` is sent as it is kept: however long it is, one part of it is in memory. */
async function itemsAnswer(schema: z.ZodType, reply: AnyReply, items: Iterable<JsonParts>, signal: AbortSignal, partSize: PartSize) {
  const { data, ...rest } = schema.parse(reply.body) as Readonly<Record<string, unknown>>;
  if (!Array.isArray(data)) throw new Error('A reply has items, but its schema has no list "data".');
  const parts = inTurns(itemTexts(JSON.stringify(rest), items, partSize.bytes), partSize);
  endWith(signal, parts);
  return {
    status: reply.status,
    headers: { 'content-type': 'application/json', ...reply.headers },
    body: await begun(parts),
    isCutWhenStalled: true,
  };
}

/** `rest` with a member `data` at its end. */
function* itemTexts(rest: string, items: Iterable<JsonParts>, bytesMax: () => number): Generator<string | Uint8Array> {
  let lead = `${rest === '{}' ? '{' : `${rest.slice(0, -1)},`}"data":[`;
  for (const parts of items) {
    yield lead;
    yield* parts(bytesMax);
    lead = ',';
  }
  yield lead === ',' ? ']}' : `${lead}]}`;
}

/** Texts gathered to pieces of some size, bytes as they are; others have their turn between any two. */
async function* inTurns(texts: Iterable<string | Uint8Array>, partSize: PartSize): AsyncGenerator<string | Uint8Array> {
  const end = partSize.begin();
  try {
    let gathered = '';
    for (const text of texts) {
      const isText = typeof text === 'string';
      if (isText) gathered += text;
      if (isText && gathered.length < GATHERED_CHARS) continue;
      if (gathered !== '') yield gathered;
      gathered = '';
      if (!isText) yield text;
      await nextTurn();
    }
    if (gathered !== '') yield gathered;
  } finally {
    end();
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
