// Sentences about changes, for people.
import type { ChangeKind, ExtractorType } from '@weft/contract';
import { minorDigitsOf } from '../../extract/price/currency.ts';
import type { JsonValue } from '../../html/loose-json.ts';
import { isMembers } from '../../run/value.ts';
import type { SeenValue } from '../known.ts';
import { wordsOfItemChanges } from './item-changes.ts';

const SHOWN_MAX = 120;
/** Of what is the same before a difference, so much is shown. */
const LEAD = 40;

/** A sentence for a change of the value `name`. */
export function summarize(kind: ChangeKind, name: string, old: SeenValue, now: SeenValue, percent: number | undefined): string {
  if (kind === 'appeared') return `${name} appeared: ${shown(now)}.`;
  if (kind === 'gone') return `${name} is gone; it was ${shown(old)}.`;
  const items = wordsOfItemChanges(old.value, now.value);
  if (items !== undefined) return `${name}: ${items}.`;
  const by = percent === undefined ? '' : ` (${percent > 0 ? '+' : ''}${percent.toFixed(1)} %)`;
  const [before, after] = shownBoth(old, now);
  return `${name} changed from ${before} to ${after}${by}.`;
}

/** The kind of a change of a value of `type`. */
export function kindOfChange(type: ExtractorType, old: SeenValue, now: SeenValue): ChangeKind {
  if (old.value === undefined) return 'appeared';
  if (now.value === undefined) return 'gone';
  return type === 'price' || type === 'availability' ? type : 'changed';
}

function shown(value: SeenValue): string {
  return quoted(lineOf(value), 0);
}

/** Long texts begin a little before they differ: pages begin with menus, which say the same for years. */
function shownBoth(old: SeenValue, now: SeenValue): readonly [string, string] {
  const [a, b] = [lineOf(old), lineOf(now)];
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  const isFar = Math.max(a.length, b.length) > SHOWN_MAX && same > SHOWN_MAX / 2;
  const from = isFar ? a.lastIndexOf(' ', same - LEAD) + 1 : 0;
  return [quoted(a, from), quoted(b, from)];
}

function quoted(line: string, from: number): string {
  const end = from + SHOWN_MAX;
  return `"${from > 0 ? '…' : ''}${line.slice(from, end).toWellFormed()}${line.length > end ? '…' : ''}"`;
}

function lineOf({ value, text }: SeenValue): string {
  const words = text === '' ? wordsOf(value) : text;
  return words.replace(/\s+/g, ' ').trim();
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
