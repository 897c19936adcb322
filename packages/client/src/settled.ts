// Which statuses are final, without loading the contract's schemas.
import type { RunStatus } from '@weft/contract';

const SETTLED: readonly RunStatus[] = ['succeeded', 'failed', 'cancelled'];

/** True once a run has finished, however. */
export function isSettled(status: RunStatus): boolean {
  return SETTLED.includes(status);
}
