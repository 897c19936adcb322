// What is known of a monitor between its checks. All of it is JSON, so that any store can keep it.
import type { MonitorStateKind } from '@weft/contract';
import type { JsonValue } from '../html/loose-json.ts';

/** A value as a check saw it. */
export interface SeenValue {
  /** Absent where there was none, which is a value too. */
  readonly value?: JsonValue;
  /** As it is shown. */
  readonly text: string;
  /** As it is compared, in lines. */
  readonly compared: string;
  /** Equal values have equal ones; '' where there is none. */
  readonly digest: string;
}

/** A value that differs from the known one and is not confirmed yet. */
export interface PendingValue extends SeenValue {
  /** Epoch milliseconds of the first check that saw it. */
  readonly firstMs: number;
  /** Checks in a row that saw it. */
  readonly times: number;
}

/** What is known of one value. */
export interface KnownValue extends SeenValue {
  /** Epoch milliseconds since when it has been so. */
  readonly sinceMs: number;
  readonly pending?: PendingValue;
  /** Prints of the values that it had before, newest last, this one included. */
  readonly states: readonly string[];
  /** Of the last checks, oldest first: whether the value came back to one that it had before. */
  readonly returns: readonly boolean[];
  /** Prints of all lines seen so far, where only new ones count. */
  readonly lines?: readonly string[];
  /** What the next change is measured against: the last value that differed from this one. */
  readonly lastOther?: JsonValue;
}

/** What is known of one selector beside its values. */
export interface KnownTarget {
  /** Checks in a row that did not find it, or found no value in it. */
  readonly missing: number;
  /** What was told of that; absent where nothing was. */
  readonly told?: 'drift' | 'gone' | 'page_changed' | 'no_value';
  /** Checks in a row in which it was found and none of its values differed. */
  readonly steady: number;
  /** Checks in a row that gave the same proposal of a repair. */
  readonly proposed?: { readonly selector: string; readonly held: number; readonly sinceMs: number };
  /** Proposals that a person refused: what is found by them is not the target. */
  readonly dismissed?: readonly string[];
}

/** How the monitor stands. */
export interface KnownTrouble {
  readonly kind: MonitorStateKind;
  /** Epoch milliseconds. */
  readonly sinceMs: number;
  /** Checks in a row that ended so. */
  readonly checks: number;
  readonly code?: string;
  readonly message?: string;
  /** Epoch milliseconds at which trouble was told last; absent where it was not. */
  readonly toldMs?: number;
}

/** All of it. */
export interface KnownMonitor {
  readonly state: KnownTrouble;
  /** By `valueKey`. */
  readonly values: Readonly<Record<string, KnownValue>>;
  /** By the id of the selector. */
  readonly targets: Readonly<Record<string, KnownTarget>>;
}

/** The name of a value among those of its monitor. */
export function valueKey(selectorId: number | undefined, extractorId: number | undefined): string {
  return selectorId === undefined ? 'page' : `${selectorId}/${extractorId ?? 'text'}`;
}

/** What is known of a monitor that was never checked. */
export function knownAtFirst(nowMs: number): KnownMonitor {
  return { state: { kind: 'new', sinceMs: nowMs, checks: 0 }, values: {}, targets: {} };
}
