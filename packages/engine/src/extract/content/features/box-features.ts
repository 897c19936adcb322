// The features of a block that its boxes decide: their sizes at a few heights, their landmarks, their names.
import { bitsOf } from './bits.ts';
import type { BlockView } from '../block-view.ts';
import { NAME_GROUP_NAMES, PHRASE_GROUP_NAMES } from '../hints.ts';
import { LANDMARK_NAMES } from '../landmarks.ts';
import type { Box, Outline } from '../outline.ts';
import { alikeCount } from '../outline.ts';
import { log, share } from './ratios.ts';

const MEASURES: Readonly<Record<string, (box: Box, outline: Outline) => number>> = {
  chars: (box) => log(box.chars),
  share: (box, outline) => share(box.chars, outline.chars),
  linkShare: (box) => share(box.linkChars, box.chars),
  mean: (box) => share(box.chars, box.blocks),
  paragraphShare: (box) => share(box.paragraphChars, box.chars),
  alike: (box) => log(alikeCount(box)),
  children: (box) => log(box.element.children.length),
  images: (box) => log(box.images),
};
const MEASURE_LIST = Object.values(MEASURES);

/** The heights above a block at which its boxes are measured: 0 is its own. */
const HEIGHTS = [0, 1, 2, 3, 4, 6];

/** The names of the sizes, in the order of a row. */
export const BOX_FEATURE_NAMES: readonly string[] = HEIGHTS.flatMap((up) => Object.keys(MEASURES).map((name) => `box${up}.${name}`));

/** Measures every box of a page once, however many blocks it is round. */
export class BoxMeasures {
  private readonly outline: Outline;
  private readonly values: Float32Array;
  private readonly isMeasured: Uint8Array;

  constructor(outline: Outline) {
    this.outline = outline;
    this.values = new Float32Array(outline.boxCount * MEASURE_LIST.length);
    this.isMeasured = new Uint8Array(outline.boxCount);
  }

  /** Writes the sizes of the boxes round a block into `values` from `start` on; above the body the body stands again. */
  write({ boxes }: BlockView, values: Float32Array, start: number): void {
    let at = start;
    for (const up of HEIGHTS) {
      const from = this.measure(boxes[Math.min(up, boxes.length - 1)] as Box);
      for (let i = 0; i < MEASURE_LIST.length; i++) values[at++] = this.values[from + i] as number;
    }
  }

  /** Where the sizes of `box` are. */
  private measure(box: Box): number {
    const from = box.index * MEASURE_LIST.length;
    if (this.isMeasured[box.index] === 1) return from;
    this.isMeasured[box.index] = 1;
    MEASURE_LIST.forEach((measure, i) => (this.values[from + i] = measure(box, this.outline)));
    return from;
  }
}

/** The names of what landmarks, names and phrases say of a block, in the order of a row. */
export const HINT_FEATURE_NAMES: readonly string[] = [
  ...LANDMARK_NAMES.map((name) => `in.${name}`),
  ...NAME_GROUP_NAMES.map((name) => `named.${name}`),
  ...PHRASE_GROUP_NAMES.map((name) => `says.${name}`),
  ...PHRASE_GROUP_NAMES.map((name) => `headed.${name}`),
];

/** Writes what is hinted at into the row of `values` that begins at `start`; what is not must be 0 there already. */
export function writeHintFeatures(view: BlockView, values: Float32Array, start: number): void {
  let from = start;
  for (const bit of bitsOf(view.block.box.landmarks)) values[from + bit] = nearness(view, bit);
  from += LANDMARK_NAMES.length;
  for (const bit of bitsOf(view.names[3])) values[from + bit] = nameLevel(view, bit);
  from += NAME_GROUP_NAMES.length;
  for (const bit of bitsOf(view.phrases)) values[from + bit] = 1;
  from += PHRASE_GROUP_NAMES.length;
  for (const bit of bitsOf(view.headingPhrases)) values[from + bit] = 1 / (1 + view.headingDistance);
}

/** How near a landmark stands: 1 over the steps up to it and one. */
function nearness(view: BlockView, bit: number): number {
  let steps = 0;
  while (steps + 1 < view.boxes.length && ((view.boxes[steps + 1] as Box).landmarks >> bit) & 1) steps++;
  return 1 / (1 + steps);
}

/** How near a box stands whose name hints at a group: 4 for its own, 3, 2 or 1. */
function nameLevel(view: BlockView, bit: number): number {
  for (let level = 0; level < 4; level++) if (((view.names[level] as number) >> bit) & 1) return 4 - level;
  return 0;
}
