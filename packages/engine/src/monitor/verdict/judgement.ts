// What a check is judged by, and what it comes to.
import type { ChangeKind, Check, CheckedValue, GateTrace, MonitorStateKind } from '@weft/contract';
import type { JsonValue } from '../../html/loose-json.ts';
import type { KnownMonitor } from '../known.ts';
import type { MonitorSettings, TargetSettings } from '../settings.ts';

/** Something to tell. */
export interface NewChange {
  readonly kind: ChangeKind;
  readonly selectorId: number | undefined;
  readonly extractorId: number | undefined;
  readonly name: string | undefined;
  readonly old: JsonValue | undefined;
  readonly new: JsonValue | undefined;
  /** As they are shown; absent where there was none. */
  readonly oldText: string | undefined;
  readonly newText: string | undefined;
  /** Of texts, the lines that went and came, with - and + before them. */
  readonly difference: string | undefined;
  readonly summary: string;
  readonly percent: number | undefined;
}

/** What a check came to, and what is known after it. */
export interface Judgement {
  readonly verdict: Check['verdict'];
  readonly changedSinceLast: boolean;
  /** Undefined without a baseline. */
  readonly differsFromBaseline: boolean | undefined;
  readonly state: MonitorStateKind;
  /** Why it could not be looked at, of a verdict `trouble`. */
  readonly trouble: { readonly code: string; readonly message: string } | undefined;
  readonly values: readonly CheckedValue[];
  readonly changes: readonly NewChange[];
  /** From the gate `subtract` on. */
  readonly trace: readonly GateTrace[];
  readonly flapping: boolean;
  readonly known: KnownMonitor;
  /** Keys of the values that are another than before, or the first: each becomes a record. */
  readonly recorded: readonly string[];
  /** Selectors that have held as a repair, and take the place of the one that they repair. */
  readonly heals: readonly { readonly id: number; readonly selector: string }[];
}

/** What a check is judged by. */
export interface JudgeRequest {
  readonly settings: MonitorSettings;
  readonly targets: readonly TargetSettings[];
  readonly known: KnownMonitor;
  /** Epoch milliseconds. */
  readonly nowMs: number;
}
