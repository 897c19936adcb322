// Sentences about changes, for people.
import type { ChangeKind, ExtractorType } from '@weft/contract';
import { minorDigitsOf } from '../../extract/price/currency.ts';
import type { JsonValue } from '../../html/loose-json.ts';
import { isMembers } from '../../run/value.ts';
import type { SeenValue } from '../known.ts';
import { wordsOfItemChanges } from './item-changes.ts';

const SHOWN_MAX = 120;

/** A sentence for a change of the value `name`. */
export function summarize(kind: ChangeKind, name: string, old: SeenValue, now: SeenValue, percent: number | undefined): string {
  if (kind === 'appeared') return `${name} appeared: ${shown(now)}.`;
  if (kind === 'gone') return `${name} is gone; it was ${shown(old)}.`;
  const items = wordsOfItemChanges(old.value, now.value);
  if (items !== undefined) return `${name}: ${items}.`;
  const by = percent === undefined ? '' : ` (${percent > 0 ? '+' : ''}${percent.toFixed(1)} %)`;
  return `${name} changed from ${shown(old)} to ${shown(now)}${by}.`;
}

/** The kind of a change of a value of `type`. */
export function kindOfChange(type: ExtractorType, old: SeenValue, now: SeenValue): ChangeKind {
  if (old.value === undefined) return 'appeared';
  if (now.value === undefined) return 'gone';
  return type === 'price' || type === 'availability' ? type : 'changed';
}

function shown({ value, text }: SeenValue): string {
  const words = text === '' ? wordsOf(value) : text;
  const line = words.replace(/\s+/g, ' ').trim();
  return line.length > SHOWN_MAX ? `"${line.slice(0, SHOWN_MAX)}…"` : `"${line}"`;
}

function wordsOf(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  if (!isMembers(value)) return typeof value === 'string' ? value : JSON.stringify(value);
  const { amount_minor: minor, currency, state } = value;
  if (typeof minor === 'number') {
    const code = typeof currency === 'string' ? currency : undefined;
    const digits = minorDigitsOf(code);
    return `${(minor / 10 ** digits).toFixed(digits)}${code === undefined ? '' : ` ${code}`}`;
  }
  return typeof state === 'string' ? state : JSON.stringify(value);
}
