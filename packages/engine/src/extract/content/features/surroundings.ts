// Describes a block by what the first opinion says of its surroundings, so that a second opinion can mend holes and strays.
import type { ContentBlock, Box, Outline } from '../outline.ts';
import { isHeading } from '../outline.ts';
import { expectedBest } from '../choose.ts';
import type { Units } from '../units.ts';
import { pooled } from '../units.ts';

const HEIGHTS = [0, 1, 2, 3, 4, 6];
const DISTANCES = [-1, -2, -3, 1, 2, 3];

/** The names of the surroundings, in order; they follow a block's own features in the row of the second opinion. */
export const SURROUNDING_NAMES: readonly string[] = [
  'opinion',
  ...HEIGHTS.map((up) => `opinion.box${up}`),
  ...DISTANCES.map((by) => `opinion${by > 0 ? '+' : ''}${by}`),
  'opinion.path',
  'opinion.pathOthers',
  'opinion.column',
  'opinion.heading',
  'opinion.page',
  'opinion.before',
  'wordsBefore',
  'opinion.near',
  'opinion.overThreshold',
  'opinion.overBest',
  'runWords',
];

/**
 * Writes the surroundings of every block at the end of its row. `rows` are the rows of all blocks side by side; `opinions` are the first
 * probabilities, in block order.
 */
export function writeSurroundings(outline: Outline, units: Units, opinions: readonly number[], rows: Float32Array): void {
  const { blocks } = outline;
  const width = rows.length / blocks.length;
  const sums = sumsOf(outline, opinions);
  const columns = pooled(units, blocks, opinions);
  const before = new Sums(1);
  const pageWords = sums.page.words[0] as number;
  const pageValue = sums.page.values[0] as number;
  let heading = -1;
  blocks.forEach((block, i) => {
    const opinion = opinions[i] as number;
    let at = (i + 1) * width - SURROUNDING_NAMES.length;
    at = writeLocal(block, opinions, sums, rows, at);
    rows[at++] = columns[i] as number;
    rows[at++] = heading < 0 ? -1 : (opinions[heading] as number);
    rows[at++] = sums.page.mean(0);
    rows[at++] = (before.values[0] as number) / Math.max(1, pageValue);
    rows[at++] = (before.words[0] as number) / pageWords;
    rows[at++] = meanNear(blocks, opinions, i);
    rows[at++] = opinion - sums.threshold;
    rows[at++] = opinion / sums.best;
    rows[at] = Math.log2(1 + (sums.runs[i] as number));
    before.add(0, opinion, block.words);
    if (isHeading(block)) heading = i;
  });
}

/** What is thought of the block, of its boxes, of its neighbours and of what is laid out like it; where the row goes on. */
function writeLocal(
  block: ContentBlock,
  opinions: readonly number[],
  { boxes, paths }: PageSums,
  rows: Float32Array,
  start: number,
): number {
  const opinion = opinions[block.index] as number;
  let at = start;
  rows[at++] = opinion;
  for (const up of HEIGHTS) rows[at++] = boxes.mean(boxAbove(block, up).index);
  for (const by of DISTANCES) rows[at++] = opinions[block.index + by] ?? -1;
  rows[at++] = paths.mean(block.path);
  const others = (paths.words[block.path] as number) - block.words;
  rows[at++] = others > 0 ? ((paths.values[block.path] as number) - opinion * block.words) / others : -1;
  return at;
}

/** Sums of opinions, each weighed by the words of its block, at numbered places. */
class Sums {
  readonly values: Float64Array;
  readonly words: Float64Array;

  constructor(places: number) {
    this.values = new Float64Array(places);
    this.words = new Float64Array(places);
  }

  add(place: number, opinion: number, words: number): void {
    this.values[place] = (this.values[place] as number) + opinion * words;
    this.words[place] = (this.words[place] as number) + words;
  }

  /** -1 where there is nothing. */
  mean(place: number): number {
    const words = this.words[place] as number;
    return words === 0 ? -1 : (this.values[place] as number) / words;
  }
}

interface PageSums {
  readonly boxes: Sums;
  readonly paths: Sums;
  readonly page: Sums;
  readonly threshold: number;
  readonly best: number;
  readonly runs: readonly number[];
}

/** How many boxes round a block its opinion counts for. */
const BOXES_MAX = 8;

function sumsOf({ blocks, boxCount, pathCount }: Outline, opinions: readonly number[]): PageSums {
  const boxes = new Sums(boxCount);
  const paths = new Sums(pathCount);
  const page = new Sums(1);
  for (const block of blocks) {
    const opinion = opinions[block.index] as number;
    page.add(0, opinion, block.words);
    paths.add(block.path, opinion, block.words);
    let box: Box | undefined = block.box;
    for (let up = 0; box && up < BOXES_MAX; up++, box = box.parent) boxes.add(box.index, opinion, block.words);
  }
  const { threshold } = expectedBest(
    opinions,
    blocks.map((block) => block.words),
  );
  const best = opinions.reduce((top, opinion) => Math.max(top, opinion), 1e-9);
  return { boxes, paths, page, threshold, best, runs: runWords(blocks, opinions, threshold) };
}

/** How many words the unbroken run of chosen blocks round each block has; 0 for a block that is not chosen. */
function runWords(blocks: readonly ContentBlock[], opinions: readonly number[], threshold: number): readonly number[] {
  const runs = blocks.map(() => 0);
  let start = 0;
  let words = 0;
  for (let i = 0; i <= blocks.length; i++) {
    if (i < blocks.length && (opinions[i] as number) >= threshold) {
      words += (blocks[i] as ContentBlock).words;
      continue;
    }
    runs.fill(words, start, i);
    if (i < blocks.length) runs[i] = 0;
    start = i + 1;
    words = 0;
  }
  return runs;
}

function meanNear(blocks: readonly ContentBlock[], opinions: readonly number[], at: number): number {
  let [value, words] = [0, 0];
  for (let i = Math.max(0, at - 5); i <= at + 5 && i < blocks.length; i++) {
    if (i === at) continue;
    const block = blocks[i] as ContentBlock;
    value += (opinions[i] as number) * block.words;
    words += block.words;
  }
  return words === 0 ? -1 : value / words;
}

function boxAbove(block: ContentBlock, up: number): Box {
  let box = block.box;
  for (let i = 0; i < up && box.parent; i++) box = box.parent;
  return box;
}
