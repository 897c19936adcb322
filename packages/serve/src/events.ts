// Server-sent events: an async iterable becomes a response that a slow reader can't blow up.
import type { ServerEvent } from '@weft/contract';

const encoder = new TextEncoder();

/** How an event stream lives and ends. */
export interface EventStreamOptions {
  /** Ends the stream: the caller left, its token died, or the server stops. */
  readonly signal: AbortSignal;
  /** A comment keeps an idle connection open this often. */
  readonly keepAliveMs: number;
  /** Called once, however the stream ends: read to its end, left by its reader, ended by `signal`, or broken by its source. */
  onEnd(): void;
}

/**
 * A `text/event-stream` body with `id:` and `data:` lines only. It is pulled: no event is asked for before the reader took the last
 * one, so an idle reader holds one event in memory. A source that throws breaks the stream.
 */
export function eventStream(source: AsyncIterable<ServerEvent>, options: EventStreamOptions): ReadableStream<Uint8Array> {
  const { signal, keepAliveMs, onEnd } = options;
  const iterator = source[Symbol.asyncIterator]();
  const ended = new Promise<'ended'>((resolve) => signal.addEventListener('abort', () => resolve('ended'), { once: true }));
  let next: Promise<IteratorResult<ServerEvent>> | undefined;

  async function pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    next ??= iterator.next();
    const step = signal.aborted ? 'ended' : await raceWithTimer([next, ended], keepAliveMs);
    if (step === 'idle') {
      controller.enqueue(encoder.encode(':\n\n'));
      return;
    }
    next = undefined;
    if (step !== 'ended' && !step.done) {
      controller.enqueue(encoder.encode(formatEvent(step.value)));
      return;
    }
    onEnd();
    controller.close();
    await iterator.return?.();
  }

  return new ReadableStream<Uint8Array>(
    {
      pull: (controller) =>
        pull(controller).catch((error: unknown) => {
          onEnd();
          throw error;
        }),
      async cancel() {
        onEnd();
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
