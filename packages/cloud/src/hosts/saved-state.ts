// What is remembered of a host, as it lies in its row: times are how long something lasts from when it was saved, since no two processes count
// from the same beginning.
import type { HostState } from '@weft/engine';

export interface SavedState {
  readonly ownGapMs: number;
  readonly gapMs: number;
  readonly startsInMs: number;
  readonly blockedForMs: number;
  readonly refusals: number;
  readonly refusedForMs: number | null;
}

export function toSaved(state: HostState, nowMs: number): SavedState {
  const { ownGapMs, gapMs, nextStartMs, blockedUntilMs, refusals, refusedSinceMs } = state;
  return {
    ownGapMs,
    gapMs,
    startsInMs: Math.max(0, nextStartMs - nowMs),
    blockedForMs: Math.max(0, blockedUntilMs - nowMs),
    refusals,
    refusedForMs: refusedSinceMs === undefined ? null : nowMs - refusedSinceMs,
  };
}

/** The state, saved `ageMs` ago, on the scale of this process. */
export function toState(saved: SavedState, nowMs: number, ageMs: number): HostState {
  const { ownGapMs, gapMs, startsInMs, blockedForMs, refusals, refusedForMs } = saved;
  return {
    inFlight: 0,
    ownGapMs,
    gapMs,
    nextStartMs: nowMs + startsInMs - ageMs,
    blockedUntilMs: nowMs + blockedForMs - ageMs,
    refusals,
    refusedSinceMs: refusedForMs === null ? undefined : nowMs - refusedForMs - ageMs,
  };
}
