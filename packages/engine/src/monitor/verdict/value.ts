// Judges one value: what it is held against, what of a difference counts, and what is known of it afterwards.
import type { AlertRule, ExtractorType } from '@weft/contract';
import { isOnlyOlder } from '../../diff/ages.ts';
import { sha256 } from '../../sha256.ts';
import type { KnownValue, SeenValue } from '../known.ts';
import type { MonitorSettings } from '../settings.ts';
import { decideAlert } from './alert.ts';
import type { LineChanges } from './line-changes.ts';
import { changedLines, whyNotOnly } from './line-changes.ts';

/** Values that are kept of those before the known one. */
const STATES_KEPT = 50;
/** Checks over which coming back to an earlier value is counted, and how often makes it flapping. */
const RETURNS_WINDOW = 20;
const RETURNS_MIN = 2;
/** Prints of lines that are kept where only new ones count. */
const LINES_KEPT = 100_000;
/** Hexadecimal digits of a print: 64 bits. */
const PRINT_CHARACTERS = 16;

/** A value that there is not, which a selector may allow. */
export const ABSENT: SeenValue = { text: '', compared: '', digest: '' };

/** What is to be judged. */
export interface ValueCase {
  readonly type: ExtractorType;
  readonly now: SeenValue;
  readonly known: KnownValue | undefined;
  readonly baseline: SeenValue | undefined;
  readonly alert: AlertRule;
}

/** What a difference is, before conditions and confirmation. */
export type Difference =
  | { readonly kind: 'first' }
  | { readonly kind: 'same' }
  /** Differs, but nothing of it counts: known from now on, and not told. */
  | { readonly kind: 'quiet'; readonly reason: string; readonly percent: number | undefined }
  | { readonly kind: 'counts'; readonly reason: string; readonly percent: number | undefined; readonly lines: LineChanges | undefined };

/** Whether and how a value differs from what is known. */
export function differ({ type, now, known, baseline, alert }: ValueCase, filter: MonitorSettings['filter']): Difference {
  if (!known) return { kind: 'first' };
  if (now.digest === known.digest) return { kind: 'same' };
  if (known.value === undefined || now.value === undefined)
    return { kind: 'counts', reason: 'It changed.', percent: undefined, lines: undefined };
  if (isText(type) && isOnlyOlder(known.compared, now.compared))
    return { kind: 'quiet', reason: 'It says the same, and how long ago things were grew with the time.', percent: undefined };
  const lines = isText(type) ? changedLines(known.compared, now.compared) : undefined;
  const quiet = lines && (whyNotOnly(lines, filter.only) ?? whyNotNew(lines, known, filter.unique_lines));
  if (quiet !== undefined) return { kind: 'quiet', reason: quiet, percent: undefined };
  const { told, reason, percent } = decideAlert(type, { now: now.value, last: known.value, baseline: baseline?.value }, alert);
  return told ? { kind: 'counts', reason, percent, lines } : { kind: 'quiet', reason, percent };
}

/** What becomes of a difference that counts and that no condition holds back. */
export interface Settled {
  readonly known: KnownValue;
  /** `pending` waits to be confirmed; `known_state` was told before; `told` is told now. */
  readonly outcome: 'pending' | 'known_state' | 'told';
  readonly reason: string;
}

/** Confirms the difference between `known` and `now`, and holds it against the states before. */
export function settle(
  known: KnownValue,
  now: SeenValue,
  settings: Pick<MonitorSettings, 'confirm' | 'knownStates' | 'filter'>,
  nowMs: number,
): Settled {
  const { confirm, knownStates } = settings;
  const before = known.pending?.digest === now.digest ? known.pending : { firstMs: nowMs, times: 0 };
  const times = before.times + 1;
  const heldMs = nowMs - before.firstMs;
  if (times < confirm.times || heldMs < confirm.holdMs) {
    const hold = confirm.holdMs === 0 ? '' : ` and ${Math.round(heldMs / 1000)} of ${Math.round(confirm.holdMs / 1000)} seconds`;
    const reason = `Seen in ${times} of ${confirm.times} checks in a row${hold}: it waits to be confirmed.`;
    return { known: { ...known, pending: { ...now, firstMs: before.firstMs, times } }, outcome: 'pending', reason };
  }
  const isBack = known.states.slice(-knownStates - 1, -1).includes(printOf(now));
  const reason = isBack ? `It is one of the last ${knownStates} values before, which are not told again.` : 'It is told.';
  return { known: advance(known, now, settings.filter, nowMs), outcome: knownStates > 0 && isBack ? 'known_state' : 'told', reason };
}

/** What is known of a value that was seen for the first time. */
export function firstKnown(now: SeenValue, filter: MonitorSettings['filter'], nowMs: number): KnownValue {
  const { lines } = withLines([], now, filter);
  return { ...now, sinceMs: nowMs, states: [printOf(now)], returns: [], ...(lines ? { lines } : {}) };
}

/** What is known once `now` has taken the place of what was. */
export function advance(known: KnownValue, now: SeenValue, filter: MonitorSettings['filter'], nowMs: number): KnownValue {
  const print = printOf(now);
  const returned = known.states.includes(print);
  const { lines } = withLines(known.lines ?? [], now, filter);
  return {
    ...now,
    sinceMs: nowMs,
    states: [...known.states, print].slice(-STATES_KEPT - 1),
    returns: counted(known.returns, returned),
    ...(lines ? { lines } : {}),
    ...(known.value === undefined ? {} : { lastOther: known.value }),
  };
}

/** What is known after a check that saw nothing else; what waited to be confirmed was for one check only. */
export function stayed(known: KnownValue): { readonly known: KnownValue; readonly reason: string | undefined } {
  const { pending, ...rest } = known;
  const returns = counted(known.returns, pending !== undefined);
  const reason =
    pending &&
    `It was another for ${pending.times} ${pending.times === 1 ? 'check' : 'checks'}, and is as before again: nothing was confirmed.`;
  return { known: { ...rest, returns }, reason };
}

/** Whether a value goes back and forth. */
export function isFlapping({ returns }: KnownValue): boolean {
  return returns.filter(Boolean).length >= RETURNS_MIN;
}

function counted(returns: readonly boolean[], returned: boolean): readonly boolean[] {
  return [...returns, returned].slice(-RETURNS_WINDOW);
}

function isText(type: ExtractorType): boolean {
  return type === 'text' || type === 'regex' || type === 'html';
}

function whyNotNew(lines: LineChanges, known: KnownValue, isUnique: boolean | undefined): string | undefined {
  if (isUnique !== true) return undefined;
  const seen = new Set(known.lines ?? []);
  const fresh = [...lines.added, ...lines.replacedNew].filter((line) => !seen.has(printOfText(line)));
  return fresh.length > 0 ? undefined : 'Every line was seen in an earlier check.';
}

/** The prints of all lines so far, where they are needed; the oldest are forgotten beyond LINES_KEPT. */
function withLines(
  seen: readonly string[],
  now: SeenValue,
  filter: MonitorSettings['filter'],
): { readonly lines: readonly string[] | undefined } {
  if (filter.unique_lines !== true) return { lines: undefined };
  const all = new Set([...seen, ...now.compared.split('\n').map(printOfText)]);
  return { lines: [...all].slice(-LINES_KEPT) };
}

function printOf({ digest }: SeenValue): string {
  return digest.slice(0, PRINT_CHARACTERS);
}

function printOfText(text: string): string {
  return sha256(text).slice(0, PRINT_CHARACTERS);
}
