// How long settled runs are kept, with the files that they brought (D23).
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '@weft/engine';
import type { Files } from '../files/file.ts';
import type { RunStore } from './store.ts';

const DAY_MS = 86_400_000;
/** Runs that are looked up at once. */
const RUNS_PER_LOOK = 10_000;

export interface Retention {
  readonly run_days: number;
  readonly runs_per_source: number;
}

export interface RetentionPorts {
  readonly store: Pick<RunStore, 'outdated' | 'delete' | 'forgetUnchangedBefore'>;
  readonly files: Pick<Files, 'ofNoRun' | 'delete'>;
  readonly clock: Clock;
}

/** Deletes the runs that are past their time with the sums of their age, then the files of runs that are gone. One at a time, and it stops where `signal` aborts. */
export async function pruneRuns({ store, files, clock }: RetentionPorts, retention: Retention, signal: AbortSignal): Promise<void> {
  const beforeMs = clock.now() - retention.run_days * DAY_MS;
  store.forgetUnchangedBefore(beforeMs);
  const outdated = () => (signal.aborted ? [] : store.outdated(beforeMs, retention.runs_per_source, RUNS_PER_LOOK));
  for (let ids = outdated(); ids.length > 0; ids = outdated()) await inTurns(ids, (id) => store.delete(id), signal);
  if (!signal.aborted) await inTurns(files.ofNoRun(), (id) => files.delete(id), signal);
}

/** Others have their turn after each: a run may hold a million lines. */
async function inTurns<Id>(ids: readonly Id[], act: (id: Id) => void, signal: AbortSignal): Promise<void> {
  for (const id of ids) {
    if (signal.aborted) return;
    act(id);
    await setImmediate();
  }
}
