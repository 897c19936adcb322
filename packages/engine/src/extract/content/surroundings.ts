// Describes a block by what the first opinion says of its surroundings, so that a second opinion can mend holes and strays.
import type { Block, Box, Outline } from './outline.ts';
import { expectedBest } from './choose.ts';

/** The names of the surroundings, in order; they follow a block's own features in the row of the second opinion. */
export const SURROUNDING_NAMES: readonly string[] = [
  'opinion',
  ...[0, 1, 2, 3, 4, 6].map((up) => `opinion.box${up}`),
  ...[-1, -2, -3, 1, 2, 3].map((by) => `opinion${by > 0 ? '+' : ''}${by}`),
  'opinion.path',
  'opinion.pathOthers',
  'opinion.heading',
  'opinion.page',
  'opinion.before',
  'wordsBefore',
  'opinion.near',
  'opinion.overThreshold',
  'opinion.overBest',
  'runWords',
];

interface Sum {
  value: number;
  words: number;
}

/** One row of SURROUNDING_NAMES.length numbers per block. `opinions` are the first probabilities, in block order. */
export function surroundingsOf(outline: Outline, opinions: readonly number[]): readonly (readonly number[])[] {
  const { blocks } = outline;
  const sums = sumsOf(blocks, opinions);
  const before: Sum = { value: 0, words: 0 };
  let heading = -1;
  return blocks.map((block, i) => {
    const opinion = opinions[i] as number;
    const row = [
      ...localOpinions(block, opinions, sums),
      heading < 0 ? -1 : (opinions[heading] as number),
      mean(sums.page),
      before.value / Math.max(1, sums.page.value),
      before.words / sums.page.words,
      meanNear(blocks, opinions, i),
      opinion - sums.threshold,
      opinion / sums.best,
      Math.log2(1 + (sums.runs[i] as number)),
    ];
    addTo(before, opinion, block.words);
    if (/^h[1-6]$/.test(block.box.element.name)) heading = i;
    return row;
  });
}

interface Sums {
  readonly boxes: Map<Box, Sum>;
  readonly paths: Map<string, Sum>;
  readonly page: Sum;
  readonly threshold: number;
  readonly best: number;
  readonly runs: readonly number[];
}

function sumsOf(blocks: readonly Block[], opinions: readonly number[]): Sums {
  const boxes = new Map<Box, Sum>();
  const paths = new Map<string, Sum>();
  const page: Sum = { value: 0, words: 0 };
  for (const block of blocks) {
    const opinion = opinions[block.index] as number;
    addTo(page, opinion, block.words);
    addTo(entry(paths, block.path), opinion, block.words);
    for (const box of nearBoxes(block)) addTo(entry(boxes, box), opinion, block.words);
  }
  const words = blocks.map((block) => block.words);
  const { threshold } = expectedBest(opinions, words);
  const best = opinions.reduce((top, opinion) => Math.max(top, opinion), 1e-9);
  return { boxes, paths, page, threshold, best, runs: runWords(blocks, opinions, threshold) };
}

/** What is thought of the block, of its boxes, of its neighbours and of what is laid out like it. */
function localOpinions(block: Block, opinions: readonly number[], { boxes, paths }: Sums): readonly number[] {
  const opinion = opinions[block.index] as number;
  const path = entry(paths, block.path);
  const others = path.words - block.words;
  return [
    opinion,
    ...[0, 1, 2, 3, 4, 6].map((up) => mean(entry(boxes, boxAbove(block, up)))),
    ...[-1, -2, -3, 1, 2, 3].map((by) => opinions[block.index + by] ?? -1),
    mean(path),
    others > 0 ? (path.value - opinion * block.words) / others : -1,
  ];
}

/** How many words the unbroken run of chosen blocks round each block has; 0 for a block that is not chosen. */
function runWords(blocks: readonly Block[], opinions: readonly number[], threshold: number): readonly number[] {
  const runs = blocks.map(() => 0);
  let start = 0;
  let words = 0;
  for (let i = 0; i <= blocks.length; i++) {
    if (i < blocks.length && (opinions[i] as number) >= threshold) {
      words += (blocks[i] as Block).words;
      continue;
    }
    runs.fill(words, start, i);
    if (i < blocks.length) runs[i] = 0;
    start = i + 1;
    words = 0;
  }
  return runs;
}

function meanNear(blocks: readonly Block[], opinions: readonly number[], at: number): number {
  const near: Sum = { value: 0, words: 0 };
  for (let i = Math.max(0, at - 5); i <= at + 5 && i < blocks.length; i++) {
    if (i !== at) addTo(near, opinions[i] as number, (blocks[i] as Block).words);
  }
  return near.words === 0 ? -1 : mean(near);
}

function* nearBoxes(block: Block): Generator<Box> {
  let box: Box | undefined = block.box;
  for (let up = 0; box && up < 8; up++, box = box.parent) yield box;
}

function boxAbove(block: Block, up: number): Box {
  let box = block.box;
  for (let i = 0; i < up && box.parent; i++) box = box.parent;
  return box;
}

function entry<Key>(sums: Map<Key, Sum>, key: Key): Sum {
  let sum = sums.get(key);
  if (!sum) sums.set(key, (sum = { value: 0, words: 0 }));
  return sum;
}

function addTo(sum: Sum, opinion: number, words: number): void {
  sum.value += opinion * words;
  sum.words += words;
}

function mean(sum: Sum): number {
  return sum.words === 0 ? -1 : sum.value / sum.words;
}
