// Two values that are held against each other as fits what they are. Pure.
import type { JsonValue } from '../html/loose-json.ts';
import type { Comparison } from './diff.ts';

/** One side: a value as it is kept, and as the text that is compared. */
export interface Side {
  /** Undefined where there was none. */
  readonly value: JsonValue | undefined;
  readonly text: string;
}

/** A value that no snapshot shows as text. */
export function sideOf(value: JsonValue | undefined): Side {
  return { value, text: value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 2) };
}

/** Lists item by item, what else is nested as JSON, texts word by word. */
export function fittingComparison(old: Side, fresh: Side): Comparison {
  const there = [old.value, fresh.value].filter((value) => value !== undefined && value !== null);
  if (there.length > 0 && there.every((value) => Array.isArray(value)))
    return { kind: 'items', old: itemsOf(old.value), new: itemsOf(fresh.value) };
  if (there.some((value) => typeof value === 'object')) return { kind: 'json', old: old.value ?? null, new: fresh.value ?? null };
  return { kind: 'text', unit: 'word', old: old.text, new: fresh.text };
}

function itemsOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

/** Values with more characters are left out of feeds. */
const FEED_CHARS_MAX = 100_000;

/** What is compared of a change for a feed; undefined where its summary says all of it, or where that is too much. `old` and `fresh` are JSON, null where there was none. */
export function feedComparison(kind: string, old: string | null, fresh: string | null): Comparison | undefined {
  if (kind === 'price' || kind === 'availability') return undefined;
  const chars = (old?.length ?? 0) + (fresh?.length ?? 0);
  if (chars === 0 || chars > FEED_CHARS_MAX) return undefined;
  return fittingComparison(sideOf(parsed(old)), sideOf(parsed(fresh)));
}

function parsed(json: string | null): JsonValue | undefined {
  return json === null ? undefined : (JSON.parse(json) as JsonValue);
}
