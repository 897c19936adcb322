// How long settled runs are kept (D23).
import type { Clock } from '@weft/engine';
import type { RunStore } from './store.ts';

const DAY_MS = 86_400_000;

export interface Retention {
  readonly run_days: number;
  readonly runs_per_source: number;
}

/** Deletes what is past its time; how many runs went. */
export function pruneRuns(store: RunStore, clock: Clock, retention: Retention): number {
  return store.prune(clock.now() - retention.run_days * DAY_MS, retention.runs_per_source);
}
