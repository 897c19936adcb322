// Server-sent events: an async iterable becomes a response that a slow reader can't blow up.
import type { ServerEvent } from '@weft/contract';

const encoder = new TextEncoder();

/**
 * A `text/event-stream` body with `id:` and `data:` lines only. It is pulled: no event is asked for before the reader took the last
 * one, so an idle reader holds one event in memory. `signal` ends it; a comment keeps idle connections open every `keepAliveMs`.
 */
export function eventStream(source: AsyncIterable<ServerEvent>, signal: AbortSignal, keepAliveMs: number): ReadableStream<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  const ended = new Promise<'ended'>((resolve) => signal.addEventListener('abort', () => resolve('ended'), { once: true }));
  let next: Promise<IteratorResult<ServerEvent>> | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        next ??= iterator.next();
        const step = signal.aborted ? 'ended' : await raceWithTimer([next, ended], keepAliveMs);
        if (step === 'idle') {
          controller.enqueue(encoder.encode(':\n\n'));
          return;
        }
        next = undefined;
        if (step === 'ended' || step.done) {
          controller.close();
          await iterator.return?.();
          return;
        }
        controller.enqueue(encoder.encode(formatEvent(step.value)));
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

/** One event as lines; JSON never holds a raw line break, so one `data:` line is enough. */
export function formatEvent(event: ServerEvent): string {
  return `${event.id === undefined ? '' : `id: ${event.id}\n`}data: ${JSON.stringify(event.data)}\n\n`;
}

async function raceWithTimer<T>(promises: readonly Promise<T | 'ended'>[], ms: number): Promise<T | 'ended' | 'idle'> {
  let timer: NodeJS.Timeout | undefined;
  const idle = new Promise<'idle'>((resolve) => {
    timer = setTimeout(() => resolve('idle'), ms);
    timer.unref();
  });
  try {
    return await Promise.race([...promises, idle]);
  } finally {
    clearTimeout(timer);
  }
}
