// Cells as values that can be counted and put in order: what is nested is its JSON text. Pure.
import { CELL_CHARS_MAX } from '@weft/contract';

/** What a cell holds that is not empty. */
export type Cell = string | number | boolean;

/** The cell of a value; undefined for null and what is absent. */
export function cellOf(value: unknown): Cell | undefined {
  if (value === null || value === undefined) return undefined;
  return typeof value === 'object' ? JSON.stringify(value) : (value as Cell);
}

/** A text short enough to be shown for a column, with an ellipsis where it was cut; other cells as they are. */
export function shownCell(cell: Cell): Cell {
  if (typeof cell !== 'string' || cell.length <= CELL_CHARS_MAX) return cell;
  const start = firstCharacters(cell);
  return start.length < cell.length ? `${start}\u2026` : cell;
}

/** The part of a cell that decides its order; a new string, so that a long text is not held by it. */
export function orderedPart(cell: Cell): Cell {
  return typeof cell === 'string' && cell.length > CELL_CHARS_MAX ? firstCharacters(cell) : cell;
}

/** Numbers, then texts by their code points, then false and true: negative where `a` comes first. */
export function compareCells(a: Cell, b: Cell): number {
  const byKind = kindOf(a) - kindOf(b);
  if (byKind !== 0) return byKind;
  return typeof a === 'string' && typeof b === 'string' ? compareTexts(a, b) : Number(a) - Number(b);
}

function kindOf(cell: Cell): number {
  if (typeof cell === 'number') return 0;
  return typeof cell === 'string' ? 1 : 2;
}

function compareTexts(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  for (let i = 0; i < end; i++) {
    const [one, other] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (one !== other) return codePointRank(one) - codePointRank(other);
  }
  return a.length - b.length;
}

/** Halves of characters stand for code points above all others, but their numbers lie below U+E000. */
function codePointRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

function firstCharacters(text: string): string {
  return Array.from(text.slice(0, 2 * CELL_CHARS_MAX))
    .slice(0, CELL_CHARS_MAX)
    .join('');
}
