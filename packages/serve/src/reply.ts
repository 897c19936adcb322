// From a handler's reply to the response, checked against the table on the way out.
import type { Operation, ServerEvent } from '@weft/contract';
import type { AnyReply } from './handlers.ts';
import type { EventStreamOptions } from './events.ts';
import { eventStream } from './events.ts';

const encoder = new TextEncoder();

/**
 * The response of `reply`; `context` is for bodies that are sent as they come, and its `onEnd` is called at once for all others. Throws
 * when the table does not allow the reply: the handler is wrong, and the caller sees `internal`.
 */
export function replyResponse(operation: Operation, reply: AnyReply, context: EventStreamOptions): Response {
  const declared = operation.replies[reply.status];
  if (!declared) throw new Error(`${operation.id} answered the undeclared status ${reply.status}.`);
  const types = Object.keys(declared.content);
  if (types.length === 0) {
    context.onEnd();
    return new Response(null, { status: reply.status, headers: { ...reply.headers } });
  }
  const type = reply.type ?? 'application/json';
  const body = declared.content[type];
  if (body === undefined) throw new Error(`${operation.id} answered the undeclared type ${type}.`);
  if (typeof body === 'string') return rawResponse(body, type, reply, context);
  const text = JSON.stringify(body.parse(reply.body));
  context.onEnd();
  return new Response(text, {
    status: reply.status,
    headers: { 'content-type': 'application/json', ...reply.headers },
  });
}

function rawResponse(kind: 'text' | 'bytes' | 'events', type: string, reply: AnyReply, context: EventStreamOptions): Response {
  if (kind === 'events') {
    const stream = eventStream(reply.body as AsyncIterable<ServerEvent>, context);
    return new Response(stream, { status: reply.status, headers: { 'content-type': type, 'x-accel-buffering': 'no', ...reply.headers } });
  }
  // Never rendered on our origin (D10).
  const headers = {
    'content-type': kind === 'text' ? `${type}; charset=utf-8` : type,
    'content-disposition': 'attachment',
    ...reply.headers,
  };
  const isStreamedText = kind === 'text' && typeof reply.body !== 'string';
  if (!isStreamedText) context.onEnd();
  const body = isStreamedText ? textStream(reply.body as AsyncIterable<string>, context) : reply.body;
  return new Response(body as string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>, { status: reply.status, headers });
}

/** Ends with the token that asked for it; the reader then sees a broken answer, never a short one that looks whole. */
function textStream(parts: AsyncIterable<string>, { signal, onEnd }: EventStreamOptions): ReadableStream<Uint8Array> {
  const iterator = parts[Symbol.asyncIterator]();
  const finish = async () => {
    onEnd();
    await iterator.return?.();
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          signal.throwIfAborted();
          const step = await iterator.next();
          if (!step.done) return controller.enqueue(encoder.encode(step.value));
          onEnd();
          controller.close();
        } catch (error) {
          await finish();
          throw error;
        }
      },
      cancel: finish,
    },
    { highWaterMark: 0 },
  );
}
