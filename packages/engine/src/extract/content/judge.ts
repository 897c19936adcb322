// Gives every block of a page the probability that it belongs to the main content.
import type { Outline } from './outline.ts';
import type { PageSignals } from './page-signals.ts';
import type { TypeScores } from './type-scores.ts';
import { BLOCK_FEATURE_NAMES, blockFeaturesOf } from './block-features.ts';
import { SURROUNDING_NAMES, surroundingsOf } from './surroundings.ts';
import type { CompiledModel } from './trees.ts';
import { compileModel, scoreRow, sigmoid } from './trees.ts';
import { FIRST_WEIGHTS } from './generated/first-weights.ts';
import { SECOND_WEIGHTS } from './generated/second-weights.ts';

/** The features of the second opinion: a block's own, then its surroundings. */
export const SECOND_FEATURE_NAMES: readonly string[] = [...BLOCK_FEATURE_NAMES, ...SURROUNDING_NAMES];

let compiled: { readonly first: CompiledModel; readonly second: CompiledModel } | undefined;

/** More blocks than any page for readers has; what comes later is not looked at one by one. */
export const BLOCKS_JUDGED_MAX = 20_000;

/** From 0 to 1 per block, in block order; blocks above BLOCKS_JUDGED_MAX take the mean of those before. */
export function judgeBlocks(outline: Outline, signals: PageSignals, types: TypeScores): readonly number[] {
  const { blocks } = outline;
  const judged = judgeFew({ ...outline, blocks: blocks.slice(0, BLOCKS_JUDGED_MAX) }, signals, types);
  if (judged.length === blocks.length) return judged;
  const mean = judged.reduce((sum, probability) => sum + probability, 0) / judged.length;
  return blocks.map((block) => judged[block.index] ?? mean);
}

function judgeFew(outline: Outline, signals: PageSignals, types: TypeScores): readonly number[] {
  compiled ??= {
    first: compileModel(FIRST_WEIGHTS, BLOCK_FEATURE_NAMES),
    second: compileModel(SECOND_WEIGHTS, SECOND_FEATURE_NAMES),
  };
  const { first, second } = compiled;
  const rows = blockFeaturesOf(outline, signals, types);
  const opinions = rows.map((row) => sigmoid(scoreRow(first, row)));
  return secondRows(outline, rows, opinions).map((row) => sigmoid(scoreRow(second, row)));
}

/** The rows of the second opinion. */
export function secondRows(outline: Outline, rows: readonly Float32Array[], opinions: readonly number[]): readonly Float32Array[] {
  const surroundings = surroundingsOf(outline, opinions);
  return rows.map((row, i) => {
    const extended = new Float32Array(SECOND_FEATURE_NAMES.length);
    extended.set(row);
    extended.set(surroundings[i] as readonly number[], row.length);
    return extended;
  });
}
