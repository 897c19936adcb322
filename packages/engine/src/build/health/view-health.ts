// How the functions of a build stand, as it is shown. Pure.
import type { BuildHealth } from '@weft/contract';
import type { HealthChange } from './change.ts';
import { worstOf } from './standing.ts';
import type { FunctionHealth } from './standing.ts';

/** What is kept of the health of a build. */
export interface KeptBuildHealth {
  readonly functions: readonly FunctionHealth[];
  /** Epoch milliseconds. */
  readonly checkedMs: number;
  /** Why they could not be proved again when they were due last. */
  readonly unchecked?: string;
}

/** `nextMs` is when they are proved again; undefined where they are not. */
export function viewHealth(kept: KeptBuildHealth | undefined, checkHours: number | null, nextMs: number | undefined): BuildHealth {
  const { functions = [], unchecked } = kept ?? {};
  return {
    state: worstOf(functions),
    check_hours: checkHours,
    ...(nextMs === undefined ? {} : { next_check_at: new Date(nextMs).toISOString() }),
    functions: functions.map(({ name, state, sinceMs, checkedMs, failures, change }) => ({
      name,
      state,
      since: new Date(sinceMs).toISOString(),
      checked_at: new Date(checkedMs).toISOString(),
      failures,
      ...(change ? { change: viewChange(change) } : {}),
    })),
    ...(unchecked === undefined ? {} : { unchecked }),
  };
}

function viewChange({ kind, message, fields }: HealthChange) {
  return { kind, message, ...(fields ? { fields: [...fields] } : {}) };
}
