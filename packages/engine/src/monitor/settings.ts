// How a monitor decides, with everything that nobody said filled in.
import type { AlertRule, Condition, TextFilter } from '@weft/contract';
import type { SeenValue } from './known.ts';

/** Of the monitor as a whole. Times are milliseconds. */
export interface MonitorSettings {
  readonly filter: TextFilter;
  readonly when: Condition | undefined;
  readonly confirm: { readonly times: number; readonly holdMs: number };
  /** How many values before this one are known; 0 where each change counts. */
  readonly knownStates: number;
  readonly trouble: { readonly after: number; readonly afterMs: number | undefined; readonly repeatMs: number | undefined };
  readonly emptyIsChange: boolean;
}

/** Of one selector. */
export interface TargetSettings {
  readonly id: number;
  readonly name: string;
  readonly allowMissing: boolean;
  readonly missingAfter: number;
  /** Whether a repair that has held is taken over. */
  readonly autoHeal: boolean;
  /** Values of the recorded baseline, by the key of the value. */
  readonly baseline: Readonly<Record<string, SeenValue>>;
  /** Which changes are told, by the key of the value. */
  readonly alerts: Readonly<Record<string, AlertRule>>;
}

/** Checks in a row that have to see a change, unless said (D36). */
export const CONFIRM_TIMES = 1;
/** Checks in a row after which trouble is told, unless said: two may be a restart of the site. */
export const TROUBLE_AFTER = 3;
/** Checks in a row after which what a selector misses is told, unless said. */
export const MISSING_AFTER = 3;
/** Checks in a row that a repair has to hold for. */
export const HEAL_AFTER = 3;
