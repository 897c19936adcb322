// Server-sent events: the lines of a stream, with a comment now and then that keeps an idle connection open.
import type { ServerEvent } from '@weft/contract';

const KEEP_ALIVE = ':\n\n';

/**
 * The text of a `text/event-stream`, `id:` and `data:` lines only. It is pulled: no event is asked for before the last one was taken,
 * so an idle reader holds one event in memory. `signal` ends it.
 */
export async function* eventLines(source: AsyncIterable<ServerEvent>, signal: AbortSignal, keepAliveMs: number): AsyncGenerator<string> {
  const iterator = source[Symbol.asyncIterator]();
  const ended = new Promise<'ended'>((resolve) => signal.addEventListener('abort', () => resolve('ended'), { once: true }));
  try {
    let next = iterator.next();
    while (!signal.aborted) {
      const step = await raceWithTimer([next, ended], keepAliveMs);
      if (step === 'idle') {
        yield KEEP_ALIVE;
        continue;
      }
      if (step === 'ended' || step.done) return;
      yield formatEvent(step.value);
      next = iterator.next();
    }
  } finally {
    await iterator.return?.();
  }
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
