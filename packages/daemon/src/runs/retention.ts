// How long settled runs are kept (D23).
import type { Clock } from '@weft/engine';
import type { RunStore } from './store.ts';

const DAY_MS = 86_400_000;
export const RETENTION = { runDays: 90, runsPerSource: 10_000 } as const;

/** Deletes what is past its time; how many runs went. */
export function pruneRuns(store: RunStore, clock: Clock): number {
  return store.prune(clock.now() - RETENTION.runDays * DAY_MS, RETENTION.runsPerSource);
}
