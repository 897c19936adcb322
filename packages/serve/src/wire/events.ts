// Server-sent events: the lines of a stream, with a comment now and then that keeps an idle connection open.
import type { ServerEvent } from '@weft/contract';

const KEEP_ALIVE = ':\n\n';

/**
 * The text of a `text/event-stream`, `id:` and `data:` lines only. It is pulled: no event is asked for before the last one was taken,
 * so an idle reader holds one event in memory. `signal` ends it.
 */
export async function* eventLines(source: AsyncIterable<ServerEvent>, signal: AbortSignal, keepAliveMs: number): AsyncGenerator<string> {
  const iterator = source[Symbol.asyncIterator]();
  try {
    let next: Promise<IteratorResult<ServerEvent>> | undefined;
    while (!signal.aborted) {
      next ??= iterator.next();
      const step = await within(next, keepAliveMs, signal);
      if (step !== 'idle') {
        if (step.done) return;
        next = undefined;
        yield formatEvent(step.value);
      } else if (!signal.aborted) yield KEEP_ALIVE;
    }
  } finally {
    await iterator.return?.();
  }
}

/** One event as lines; JSON never holds a raw line break, so one `data:` line is enough. */
export function formatEvent(event: ServerEvent): string {
  return `${event.id === undefined ? '' : `id: ${event.id}\n`}data: ${JSON.stringify(event.data)}\n\n`;
}

/** What `next` brings, or `idle` after `ms` or once `signal` aborts. Nothing is left on `signal`, which outlives thousands of events. */
async function within<T>(next: Promise<T>, ms: number, signal: AbortSignal): Promise<T | 'idle'> {
  const { promise: idle, resolve } = Promise.withResolvers<'idle'>();
  const giveUp = () => resolve('idle');
  const timer = setTimeout(giveUp, ms).unref();
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await Promise.race([next, idle]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  }
}
