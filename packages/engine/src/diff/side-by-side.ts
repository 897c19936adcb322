// The difference of two texts as rows of two columns, with the words that differ within a line.
import type { DiffLine, DiffPart, DiffRow, SideBySideDiff } from '@weft/contract';
import type { Block } from './blocks.ts';
import { compareTexts, countTokens, diffText, exactness } from './text.ts';
import { isWord, wordsOf } from './tokens.ts';

/** Which rows there are. */
export interface SideBySideOptions {
  /** Equal lines that are shown around what changed; without it, all are. */
  readonly context?: number;
}

/** A replaced block whose lines, multiplied, are more than this is paired from the top: each pair of lines would be compared. */
const PAIRS_MAX = 10_000;
/** Two lines stand beside each other if at least this share of their words are the same: else the row would be harder to read than two. */
const ALIKE_MIN = 0.5;

/** Lines of both texts beside each other, in order. */
export function sideBySide(old: string, fresh: string, options: SideBySideOptions = {}): SideBySideDiff {
  const { oldTokens, newTokens, blocks, exact } = compareTexts(old, fresh, 'line');
  const rows = blocks.flatMap((block, i) =>
    block.isSame
      ? sameRows(block, oldTokens, { isFirst: i === 0, isLast: i === blocks.length - 1, context: options.context })
      : replacedRows(block, oldTokens, newTokens),
  );
  return { kind: 'side_by_side', rows, ...countTokens(blocks, oldTokens, newTokens, () => true), ...exactness(exact) };
}

interface Surroundings {
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly context: number | undefined;
}

function sameRows(block: Block, lines: readonly string[], { isFirst, isLast, context }: Surroundings): DiffRow[] {
  const count = block.oldEnd - block.oldStart;
  const row = (place: number): DiffRow => {
    const text = lines[block.oldStart + place] ?? '';
    return { kind: 'same', old: plainLine(block.oldStart + place, text), new: plainLine(block.newStart + place, text) };
  };
  const all = Array.from({ length: count }, (_, place) => place);
  const [before, after] = [isFirst ? 0 : (context ?? count), isLast ? 0 : (context ?? count)];
  const skipped = context === undefined ? 0 : count - before - after;
  if (skipped <= 0) return all.map(row);
  return [...all.slice(0, before).map(row), { kind: 'skipped', count: skipped }, ...all.slice(count - after).map(row)];
}

function replacedRows(block: Block, oldLines: readonly string[], newLines: readonly string[]): DiffRow[] {
  const rows: DiffRow[] = [];
  let [i, j] = [block.oldStart, block.newStart];
  const upTo = (oldEnd: number, newEnd: number) => {
    for (; i < oldEnd; i++) rows.push({ kind: 'removed', old: plainLine(i, oldLines[i] ?? '') });
    for (; j < newEnd; j++) rows.push({ kind: 'added', new: plainLine(j, newLines[j] ?? '') });
  };
  for (const [old, fresh] of alikePairs(block, oldLines, newLines)) {
    upTo(old, fresh);
    rows.push(changedRow(i++, j++, oldLines[old] ?? '', newLines[fresh] ?? ''));
  }
  upTo(block.oldEnd, block.newEnd);
  return rows;
}

function changedRow(i: number, j: number, old: string, fresh: string): DiffRow {
  const { parts } = diffText(withoutBreak(old), withoutBreak(fresh), 'word');
  const side = (hidden: DiffPart['kind']) => parts.filter(({ kind }) => kind !== hidden);
  return { kind: 'changed', old: { line: i + 1, parts: side('added') }, new: { line: j + 1, parts: side('removed') } };
}

/** Lines of a replaced block that stand beside each other, in order: the pairs that have the most words in common altogether. */
function alikePairs(block: Block, oldLines: readonly string[], newLines: readonly string[]): (readonly [old: number, fresh: number])[] {
  const oldWords = oldLines.slice(block.oldStart, block.oldEnd).map(wordsIn);
  const newWords = newLines.slice(block.newStart, block.newEnd).map(wordsIn);
  const alike = (i: number, j: number) => likeness(oldWords[i] ?? new Map(), newWords[j] ?? new Map());
  if (oldWords.length * newWords.length > PAIRS_MAX) {
    const places = Array.from({ length: Math.min(oldWords.length, newWords.length) }, (_, i) => i);
    return places.filter((i) => alike(i, i) >= ALIKE_MIN).map((i) => [block.oldStart + i, block.newStart + i] as const);
  }
  return bestPairs(oldWords.length, newWords.length, alike).map(([i, j]) => [block.oldStart + i, block.newStart + j] as const);
}

/** The rising pairs with the greatest sum of likeness, each at least ALIKE_MIN. */
function bestPairs(rows: number, columns: number, alike: (i: number, j: number) => number): [number, number][] {
  const likeness = Array.from({ length: rows }, (_, i) => Float64Array.from({ length: columns }, (__, j) => alike(i, j)));
  const at = (i: number, j: number) => ((likeness[i]?.[j] ?? 0) >= ALIKE_MIN ? (likeness[i]?.[j] ?? 0) : Number.NEGATIVE_INFINITY);
  const best = Array.from({ length: rows + 1 }, () => new Float64Array(columns + 1));
  const sum = (i: number, j: number) => best[i]?.[j] ?? 0;
  for (let i = rows - 1; i >= 0; i--)
    for (let j = columns - 1; j >= 0; j--) (best[i] ?? [])[j] = Math.max(sum(i + 1, j), sum(i, j + 1), at(i, j) + sum(i + 1, j + 1));
  const pairs: [number, number][] = [];
  for (let [i, j] = [0, 0]; i < rows && j < columns;) {
    if (sum(i, j) === at(i, j) + sum(i + 1, j + 1)) pairs.push([i++, j++]);
    else if (sum(i, j) === sum(i + 1, j)) i++;
    else j++;
  }
  return pairs;
}

/** The share of words that two lines have in common (Dice's coefficient), each as often as it is there; 0 for a line without words. */
function likeness(old: ReadonlyMap<string, number>, fresh: ReadonlyMap<string, number>): number {
  let [shared, all] = [0, 0];
  for (const [word, count] of old) {
    shared += Math.min(count, fresh.get(word) ?? 0);
    all += count;
  }
  for (const count of fresh.values()) all += count;
  return all === 0 ? 0 : (2 * shared) / all;
}

function wordsIn(line: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of wordsOf(line)) if (isWord(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function plainLine(place: number, line: string): DiffLine {
  const text = withoutBreak(line);
  return { line: place + 1, parts: text === '' ? [] : [{ kind: 'same', text }] };
}

function withoutBreak(line: string): string {
  return line.replace(/\r?\n$/, '');
}
