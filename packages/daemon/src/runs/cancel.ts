// Cancelling: one transaction that settles the run, then a word to whoever works on it (D21).
import type { Run } from '@weft/contract';
import type { Executor } from './executor.ts';
import type { Runs } from './run.ts';

export interface Cancellation {
  /** False when the run had already settled. */
  readonly isCancelled: boolean;
  readonly run: Run;
}

/** Cancels run `id`. Throws AppError `not_found`. */
export function cancelRun(id: number, ports: { readonly runs: Runs; readonly executor: Executor }): Cancellation {
  ports.runs.require(id);
  const isCancelled = ports.runs.settle(id, 'cancelled');
  if (isCancelled) ports.executor.abort(id);
  return { isCancelled, run: ports.runs.require(id) };
}
