// How the caller who made a run is answered (D20).
import { LIMITS, isSettled } from '@weft/contract';
import type { Executor } from './executor.ts';
import type { Runs } from './run.ts';

/** What a caller may ask for: to wait until the run is settled, so many seconds at most. */
export interface WaitOptions {
  readonly wait?: boolean | undefined;
  readonly timeout?: number | undefined;
}

/** Lets run `id` begin, and waits for it where its caller does: 200 once it is settled, 202 while it goes on. Throws AppError `not_found`. */
export async function answerDispatched(
  id: number,
  { wait, timeout }: WaitOptions,
  { runs, executor }: { readonly runs: Runs; readonly executor: Executor },
  signal: AbortSignal,
): Promise<200 | 202> {
  executor.wake();
  if (wait !== true) return 202;
  const run = await runs.wait(id, (timeout ?? LIMITS.waitSecondsDefault) * 1000, signal);
  return isSettled(run.status) ? 200 : 202;
}
