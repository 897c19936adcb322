// How the functions of a build stand after each time that they were proved again. Pure; the caller keeps it.
import { TROUBLE_AFTER } from '../../monitor/settings.ts';
import type { HealthChange } from './change.ts';
import type { Recheck } from './recheck.ts';

/** `degraded`: the last proof was broken; `failed`: so many in a row were. */
export type HealthState = 'healthy' | 'degraded' | 'failed';

/** How one function stands. */
export interface FunctionHealth {
  readonly name: string;
  readonly state: HealthState;
  /** Epoch milliseconds since which it is in this state; of `failed`, since the first of its proofs that were broken. */
  readonly sinceMs: number;
  readonly checkedMs: number;
  /** Broken proofs in a row. */
  readonly failures: number;
  /** How often in a row its site could not be reached; absent for never. */
  readonly unreached?: number;
  readonly change?: HealthChange;
}

/** A function whose state is another one than before. */
export interface HealthTurn {
  readonly name: string;
  readonly from: HealthState;
  readonly to: HealthState;
  readonly change?: HealthChange;
}

/** Its site could not be reached so often in a row before that is a broken proof: a site, or this machine, may be offline for a moment. */
const UNREACHED_MAX = TROUBLE_AFTER;
/** Broken proofs in a row after which a function has failed: as many as trouble of a monitor takes until it is told. */
const HEALTH_FAILURES = TROUBLE_AFTER;
/** A broken proof is looked at again after so long, then after twice as long each time, up to the time between two proofs. */
const AGAIN_MS = 600_000;
const HOUR_MS = 3_600_000;
/** Hours between two proofs, unless said. */
export const CHECK_HOURS = 24;

/**
 * What is known after `rechecks`, and whose state has turned. One whose budget ended first, or whose site could not be reached, is left as it
 * stands (`unchecked` says why); one that was not asked for is left out.
 */
export function standAfter(
  before: readonly FunctionHealth[],
  rechecks: readonly Pick<Recheck, 'function' | 'change' | 'isCut' | 'unreached'>[],
  nowMs: number,
): { readonly functions: readonly FunctionHealth[]; readonly turns: readonly HealthTurn[]; readonly unchecked?: string } {
  const known = new Map(before.map((each) => [each.name, each]));
  const functions = rechecks.flatMap((recheck) => {
    const own = known.get(recheck.function);
    return recheck.isCut ? (own ?? []) : standing(own, recheck, nowMs);
  });
  const turns = functions.flatMap(({ name, state, change }) => {
    const from = known.get(name)?.state ?? 'healthy';
    return from === state ? [] : [{ name, from, to: state, ...(change ? { change } : {}) }];
  });
  const silent = functions.filter(({ unreached = 0 }) => unreached > 0 && unreached < UNREACHED_MAX).map(({ name }) => name);
  const unchecked = rechecks.find((each) => silent.includes(each.function))?.change?.message;
  return { functions, turns, ...(unchecked === undefined ? {} : { unchecked }) };
}

/** The worst of them; `healthy` for none. */
export function worstOf(functions: readonly Pick<FunctionHealth, 'state'>[]): HealthState {
  const has = (wanted: HealthState) => functions.some(({ state }) => state === wanted);
  return has('failed') ? 'failed' : has('degraded') ? 'degraded' : 'healthy';
}

/** When they are proved again, in epoch milliseconds, where they were last at `checkedMs`; `checkHours` is what lies between two proofs that hold. */
export function nextCheckMs(
  functions: readonly Pick<FunctionHealth, 'failures' | 'unreached'>[],
  checkHours: number,
  checkedMs: number,
): number {
  const failures = Math.max(0, ...functions.map((each) => Math.max(each.failures, each.unreached ?? 0)));
  const waitMs = failures === 0 ? Number.POSITIVE_INFINITY : AGAIN_MS * 2 ** Math.min(failures - 1, 20);
  return checkedMs + Math.min(checkHours * HOUR_MS, waitMs);
}

function standing(
  before: FunctionHealth | undefined,
  { function: name, change, unreached: code }: Pick<Recheck, 'function' | 'change' | 'unreached'>,
  nowMs: number,
): FunctionHealth {
  const { state: was = 'healthy', sinceMs = nowMs, failures: failed = 0, unreached: silent = 0 } = before ?? {};
  if (!change) return { name, state: 'healthy', sinceMs: was === 'healthy' ? sinceMs : nowMs, checkedMs: nowMs, failures: 0 };
  const unreached = code === undefined ? 0 : silent + 1;
  if (unreached > 0 && unreached < UNREACHED_MAX)
    return { ...(before ?? { name, state: was, sinceMs, checkedMs: nowMs, failures: failed }), unreached };
  const failures = failed + 1;
  const state = failures >= HEALTH_FAILURES ? 'failed' : 'degraded';
  const since = was === 'healthy' ? nowMs : sinceMs;
  return { name, state, sinceMs: since, checkedMs: nowMs, failures, change, ...(unreached > 0 ? { unreached } : {}) };
}
