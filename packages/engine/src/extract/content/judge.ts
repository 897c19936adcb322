// Gives every block of a page the probability that it belongs to the main content.
import type { Outline } from './outline.ts';
import type { PageSignals } from './features/page-signals.ts';
import type { TypeScores } from './features/type-scores.ts';
import type { Questions } from './features/block-features.ts';
import { BLOCK_FEATURE_NAMES, blockFeaturesOf, questionsFor } from './features/block-features.ts';
import type { Units } from './units.ts';
import { SURROUNDING_NAMES, writeSurroundings } from './features/surroundings.ts';
import type { CompiledModel } from './trees.ts';
import { compileModel, scoreRow, sigmoid } from './trees.ts';
import { FIRST_WEIGHTS } from './generated/first-weights.ts';
import { SECOND_WEIGHTS } from './generated/second-weights.ts';

/** The features of the second opinion: a block's own, then its surroundings. */
export const SECOND_FEATURE_NAMES: readonly string[] = [...BLOCK_FEATURE_NAMES, ...SURROUNDING_NAMES];

interface Judges {
  readonly first: CompiledModel;
  readonly second: CompiledModel;
  /** What either of them looks at. */
  readonly questions: Questions;
}

let compiled: Judges | undefined;

/** More blocks than any page for readers has; what comes later is not looked at one by one. */
export const BLOCKS_JUDGED_MAX = 20_000;

/** From 0 to 1 per block, in block order; blocks above BLOCKS_JUDGED_MAX take the mean of those before. */
export function judgeBlocks(outline: Outline, units: Units, signals: PageSignals, types: TypeScores): readonly number[] {
  const { blocks } = outline;
  if (blocks.length <= BLOCKS_JUDGED_MAX) return judgeFew(outline, units, signals, types);
  const judged = judgeFew({ ...outline, blocks: blocks.slice(0, BLOCKS_JUDGED_MAX) }, units, signals, types);
  const mean = judged.reduce((sum, probability) => sum + probability, 0) / judged.length;
  return blocks.map((block) => judged[block.index] ?? mean);
}

function judgeFew(outline: Outline, units: Units, signals: PageSignals, types: TypeScores): readonly number[] {
  compiled ??= compileJudges();
  const { first, second, questions } = compiled;
  const width = SECOND_FEATURE_NAMES.length;
  const rows = blockFeaturesOf(outline, signals, types, { questions, width });
  const opinions = outline.blocks.map((_, i) => sigmoid(scoreRow(first, rows, i * width)));
  writeSurroundings(outline, units, opinions, rows);
  return outline.blocks.map((_, i) => sigmoid(scoreRow(second, rows, i * width)));
}

function compileJudges(): Judges {
  const first = compileModel(FIRST_WEIGHTS, BLOCK_FEATURE_NAMES);
  const second = compileModel(SECOND_WEIGHTS, SECOND_FEATURE_NAMES);
  return { first, second, questions: questionsFor(new Set([...first.asked, ...second.asked])) };
}
