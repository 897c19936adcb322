// Scores detected items against hand-made tables of records, and reads both as they were saved.
import { textsInCsv } from './csv.ts';

/** The rows of a page, each with the normalised text of its cells. */
export type Truth = readonly (readonly string[])[];

export interface ItemsScore {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/** A row is found when one item holds this share of its text ... */
const COVER_MIN = 0.6;
/** ... and is not longer than this many times the row, plus this many characters. */
const LENGTH_RATIO_MAX = 3;
const LENGTH_SLACK = 200;
const ROW_CHARS_MIN = 4;

/** Lower-case letters and digits only. */
export function normalise(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** UTF-8, or windows-1252 where UTF-8 clearly fails. */
export function decodePage(bytes: Uint8Array): string {
  const text = new TextDecoder('utf-8').decode(bytes);
  return (text.match(/\uFFFD/g) ?? []).length > 5 ? new TextDecoder('windows-1252').decode(bytes) : text;
}

/** The rows of a table in CSV that have at least four characters of text. */
export function readTruth(csv: string): Truth {
  const rows = textsInCsv(csv).map((row) => row.map(normalise).filter((cell) => cell.length >= 2));
  return rows.filter((row) => row.join('').length >= ROW_CHARS_MIN);
}

/** Gives each row the item that suits it best, one item for one row. Precision counts items, recall counts rows. */
export function scoreItems(items: readonly string[], truth: Truth): ItemsScore {
  const texts = items.map(normalise);
  const used = new Set<number>();
  for (const row of truth) {
    const best = bestItem(row, texts, used);
    if (best !== undefined) used.add(best);
  }
  const precision = texts.length === 0 ? 0 : used.size / texts.length;
  const recall = truth.length === 0 ? 0 : used.size / truth.length;
  return { precision, recall, f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall) };
}

function bestItem(row: readonly string[], texts: readonly string[], used: ReadonlySet<number>): number | undefined {
  const total = lengthOf(row);
  let best: number | undefined;
  let bestValue = 0;
  texts.forEach((text, i) => {
    if (used.has(i) || text.length > LENGTH_RATIO_MAX * total + LENGTH_SLACK) return;
    const cover = lengthOf(row.filter((cell) => text.includes(cell))) / total;
    const value = cover + 0.2 * Math.min(1, total / (text.length || 1));
    if (cover < COVER_MIN || value <= bestValue) return;
    best = i;
    bestValue = value;
  });
  return best;
}

function lengthOf(cells: readonly string[]): number {
  return cells.reduce((total, cell) => total + cell.length, 0);
}
