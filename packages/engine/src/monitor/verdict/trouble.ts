// How a monitor stands: trouble with looking is no change, is told once it has lasted, and once more when it is over.
import type { ChangeKind, MonitorStateKind } from '@weft/contract';
import type { KnownTrouble } from '../known.ts';
import type { MonitorSettings } from '../settings.ts';

/** What a check came to as a whole. */
export interface Standing {
  readonly kind: Exclude<MonitorStateKind, 'new'>;
  readonly code?: string;
  readonly message?: string;
}

/** A notice about the monitor itself. */
export interface TroubleNotice {
  readonly kind: Extract<ChangeKind, 'blocked' | 'error' | 'recovered'>;
  readonly summary: string;
}

/** How the monitor stands now, and what of that is told. */
export interface TroubleVerdict {
  readonly state: KnownTrouble;
  readonly notice: TroubleNotice | undefined;
  readonly reasons: readonly string[];
}

/** Whether something is in the way of looking. What a selector misses is told by itself; an agent without network tells it once for all. */
export function isTrouble(kind: MonitorStateKind): boolean {
  return kind === 'empty' || kind === 'blocked' || kind === 'error' || kind === 'vault_locked';
}

/** Takes `standing` in: trouble of another kind goes on as the same trouble, and is told once. */
export function stand(before: KnownTrouble, standing: Standing, rule: MonitorSettings['trouble'], nowMs: number): TroubleVerdict {
  // Nobody looked: it stands as it stood.
  if (standing.kind === 'offline') return { state: before, notice: undefined, reasons: ['The machine is offline: nothing was looked at.'] };
  const goesOn = before.kind === standing.kind || (isTrouble(before.kind) && isTrouble(standing.kind));
  const { sinceMs, checks, toldMs } = goesOn ? before : { sinceMs: nowMs, checks: 0, toldMs: undefined };
  const state: KnownTrouble = { ...standing, sinceMs, checks: checks + 1, ...(toldMs === undefined ? {} : { toldMs }) };
  if (!isTrouble(standing.kind)) return recover(before, state, nowMs);
  return tellTrouble(state, standing, rule, nowMs);
}

function recover(before: KnownTrouble, state: KnownTrouble, nowMs: number): TroubleVerdict {
  if (!isTrouble(before.kind) || before.toldMs === undefined) return { state, notice: undefined, reasons: [] };
  const summary = `It can be looked at again, after ${duration(nowMs - before.sinceMs)} of trouble (${before.message ?? before.kind}).`;
  return { state, notice: { kind: 'recovered', summary }, reasons: ['Its trouble was told, and so is its end.'] };
}

function tellTrouble(state: KnownTrouble, standing: Standing, rule: MonitorSettings['trouble'], nowMs: number): TroubleVerdict {
  const { checks, sinceMs, toldMs } = state;
  const lasted = nowMs - sinceMs;
  const isDue = checks >= rule.after || (rule.afterMs !== undefined && lasted >= rule.afterMs);
  const isRepeated = toldMs !== undefined && rule.repeatMs !== undefined && nowMs - toldMs >= rule.repeatMs;
  if (toldMs !== undefined && !isRepeated) return { state, notice: undefined, reasons: ['Its trouble was told already.'] };
  if (toldMs === undefined && !isDue) {
    const limit = rule.afterMs === undefined ? '' : ` or ${duration(rule.afterMs)}`;
    return { state, notice: undefined, reasons: [`Trouble in ${checks} of ${rule.after} checks in a row${limit} until it is told.`] };
  }
  const kind = standing.kind === 'blocked' ? 'blocked' : 'error';
  const summary = `${standing.message ?? 'It could not be looked at.'} So for ${checks} ${checks === 1 ? 'check' : 'checks'} in a row.`;
  return {
    state: { ...state, toldMs: nowMs },
    notice: { kind, summary },
    reasons: [`Trouble in ${checks} checks in a row: it is told${isRepeated ? ' again' : ''}.`],
  };
}

/** A length of time in words: 90 seconds, 5 minutes, 3 hours, 2 days. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} seconds`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} minutes`;
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} hours`;
  return `${Math.round(seconds / 86_400)} days`;
}
