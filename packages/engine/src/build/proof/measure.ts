// What the rules of a proof compare: how much two answers have in common, and how far rows speak of a word. Pure.
import type { Row } from '../../run/reading/rows.ts';
import { fold, holdsWord } from '../evidence/words.ts';

/** A field counts as one of an answer where this share of its rows has it. */
const FIELD_SHARE_MIN = 0.5;

/** What one row says, as it is compared with others: its values, without the words that were asked with. */
export function rowKey(row: Row, words: readonly string[] = []): string {
  let key = fold(textsOf(row).join('\u0001'));
  for (const word of words) for (const part of fold(word).split(/\s+/)) if (part !== '') key = key.replaceAll(part, '\u0002');
  // An address may carry what was asked in a coded form.
  return key.replaceAll(/\s+/g, ' ');
}

/** The share of the smaller answer that the other has too, 0 to 1; 0 where one is empty. Words that were asked with are left out of the comparison. */
export function overlap(a: readonly Row[], b: readonly Row[], words: readonly string[] = []): number {
  return shared(a, b, words) / (Math.min(a.length, b.length) || 1);
}

/** The share of `rows` that `others` have too, 0 to 1; 0 without rows. Words that were asked with are left out of the comparison. */
export function shareIn(rows: readonly Row[], others: readonly Row[], words: readonly string[] = []): number {
  return shared(rows, others, words) / (rows.length || 1);
}

/** The share of the larger answer that the other has too: 1 for the same rows in any order. 1 where both are empty. */
export function sameness(a: readonly Row[], b: readonly Row[]): number {
  return a.length + b.length === 0 ? 1 : shared(a, b, []) / Math.max(a.length, b.length);
}

function shared(a: readonly Row[], b: readonly Row[], words: readonly string[]): number {
  const left = new Map<string, number>();
  for (const row of a) {
    const key = rowKey(row, words);
    left.set(key, (left.get(key) ?? 0) + 1);
  }
  let count = 0;
  for (const row of b) {
    const key = rowKey(row, words);
    const have = left.get(key) ?? 0;
    if (have === 0) continue;
    left.set(key, have - 1);
    count++;
  }
  return count;
}

/** How far rows speak of `words`, 0 to 1: the share of the words that a row has, over all rows; 0 without rows. */
export function wordShare(rows: readonly Row[], words: string): number {
  const parts = partsOf(words);
  if (rows.length === 0 || parts.length === 0) return 0;
  const shares = rows.map((row) => {
    const text = textsOf(row).join(' ');
    return parts.filter((word) => holdsWord(text, word)).length / parts.length;
  });
  return shares.reduce((sum, share) => sum + share, 0) / rows.length;
}

/** The words of a query: those of three letters and more, where it has any. */
function partsOf(words: string): readonly string[] {
  const all = words.split(/\s+/).filter((word) => word !== '');
  const long = all.filter((word) => word.length >= 3);
  return long.length > 0 ? long : all;
}

/** Mean share of `rows` that have each of `fields`, 0 to 1; 1 for no fields, 0 without rows. */
export function filledShare(rows: readonly Row[], fields: readonly string[]): number {
  if (rows.length === 0) return 0;
  const cells = fields.map((name) => rows.filter((row) => isFilled(row[name])).length / rows.length);
  return cells.length === 0 ? 1 : cells.reduce((sum, share) => sum + share, 0) / cells.length;
}

/** How much of their fields two answers share: of those that half of the rows of one have, those that any row of the other has too. */
export function fieldSameness(a: readonly Row[], b: readonly Row[]): number {
  const all = new Set([...fieldsOf(a), ...fieldsOf(b)]);
  const has = (rows: readonly Row[], name: string) => rows.some((row) => isFilled(row[name]));
  return all.size === 0 ? 0 : [...all].filter((name) => has(a, name) && has(b, name)).length / all.size;
}

function fieldsOf(rows: readonly Row[]): ReadonlySet<string> {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  return new Set([...names].filter((name) => rows.filter((row) => isFilled(row[name])).length >= rows.length * FIELD_SHARE_MIN));
}

function isFilled(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

/** The texts and numbers of a row in order. */
export function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}
