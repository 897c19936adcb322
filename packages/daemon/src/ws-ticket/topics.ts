// What an open WebSocket carries: the events of the runs that its token may see, as the event streams send them (D17, D22).
import type { ServerEvent } from '@weft/contract';
import { seesRun } from '@weft/serve';
import type { Actor } from '@weft/serve';
import type { RunNotifier } from '../runs/notifier.ts';
import type { RunStore } from '../runs/run.ts';

const EVENTS_PER_READ = 200;

/** The socket's side that this file needs. */
export interface EventSocket {
  send(text: string): void;
  readonly bufferedAmount: number;
  terminate(): void;
}

/** A reader that lets this much pile up is dropped; it resumes by the event stream of a run. */
const BUFFERED_BYTES_MAX = 4 * 1024 * 1024;

/** Sends `{run_id, ...event}` for everything that is logged from now on, until `signal` aborts. */
export function serveRunEvents(
  socket: EventSocket,
  actor: Actor,
  signal: AbortSignal,
  ports: { readonly store: RunStore; readonly notifier: RunNotifier },
): void {
  const seen = new Map<number, number>();
  const stop = ports.notifier.listen((runId) => {
    if (!seesRun(actor, () => ports.store.ownerOf(runId))) return;
    for (const { id, data } of newEvents(ports.store, runId, seen))
      socket.send(JSON.stringify({ run_id: runId, seq: id, ...(data as object) }));
    if (socket.bufferedAmount > BUFFERED_BYTES_MAX) socket.terminate();
  });
  signal.addEventListener('abort', stop, { once: true });
}

/** Events of a run since the last look; the first look begins with the newest one. */
function newEvents(store: RunStore, runId: number, seen: Map<number, number>): readonly ServerEvent[] {
  const after = seen.get(runId) ?? Math.max(0, store.lastSeq(runId) - 1);
  const events = store.eventsAfter(runId, after, EVENTS_PER_READ);
  const last = events.at(-1);
  if (last?.event.type === 'finished') seen.delete(runId);
  else if (last) seen.set(runId, last.seq);
  return events.map(({ seq, event }) => ({ id: seq, data: event }));
}
