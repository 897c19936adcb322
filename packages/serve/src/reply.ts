// From a handler's reply to the response, checked against the table on the way out.
import type { Operation, ServerEvent } from '@weft/contract';
import type { AnyReply } from './handlers.ts';
import { eventStream } from './events.ts';

const encoder = new TextEncoder();

export interface ReplyContext {
  /** Ends a stream: the caller left, its token died, or the server stops. */
  readonly signal: AbortSignal;
  readonly keepAliveMs: number;
}

/** The response of `reply`. Throws when the table does not allow it: the handler is wrong, and the caller sees `internal`. */
export function replyResponse(operation: Operation, reply: AnyReply, context: ReplyContext): Response {
  const declared = operation.replies[reply.status];
  if (!declared) throw new Error(`${operation.id} answered the undeclared status ${reply.status}.`);
  const types = Object.keys(declared.content);
  if (types.length === 0) return new Response(null, { status: reply.status, headers: { ...reply.headers } });
  const type = reply.type ?? 'application/json';
  const body = declared.content[type];
  if (body === undefined) throw new Error(`${operation.id} answered the undeclared type ${type}.`);
  if (typeof body === 'string') return rawResponse(body, type, reply, context);
  return new Response(JSON.stringify(body.parse(reply.body)), {
    status: reply.status,
    headers: { 'content-type': 'application/json', ...reply.headers },
  });
}

function rawResponse(kind: 'text' | 'bytes' | 'events', type: string, reply: AnyReply, context: ReplyContext): Response {
  if (kind === 'events') {
    const stream = eventStream(reply.body as AsyncIterable<ServerEvent>, context.signal, context.keepAliveMs);
    return new Response(stream, { status: reply.status, headers: { 'content-type': type, 'x-accel-buffering': 'no', ...reply.headers } });
  }
  // Never rendered on our origin (D10).
  const headers = {
    'content-type': kind === 'text' ? `${type}; charset=utf-8` : type,
    'content-disposition': 'attachment',
    ...reply.headers,
  };
  const body = kind === 'text' && typeof reply.body !== 'string' ? textStream(reply.body as AsyncIterable<string>) : reply.body;
  return new Response(body as string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>, { status: reply.status, headers });
}

function textStream(parts: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const iterator = parts[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const step = await iterator.next();
        if (step.done) controller.close();
        else controller.enqueue(encoder.encode(step.value));
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
