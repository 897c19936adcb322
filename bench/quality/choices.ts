// Learns to choose one of a page's candidates, and measures the choice on pages of hosts that were not learned from.
import { createHash } from 'node:crypto';
import type { TreeModel } from '../../packages/engine/src/extract/content/trees.ts';
import { compileModel, scoreRow, sigmoid } from '../../packages/engine/src/extract/content/trees.ts';
import type { BoostOptions } from './boosting.ts';
import { averageModels, boost } from './boosting.ts';
import { bootstrapInterval } from './dataset.ts';

/** The candidates of one page. */
export interface Choice {
  readonly set: string;
  readonly id: string;
  readonly host: string;
  readonly rows: readonly Float32Array[];
  /** The value of each row, as it is compared with the truth. */
  readonly values: readonly string[];
  /** The accepted values; none where the page gives none. */
  readonly truth: readonly string[];
}

/** How a model is fitted to choices. */
export interface ChoiceOptions extends BoostOptions {
  readonly seeds: readonly number[];
  /** The weight of a page by its set; a set that is absent teaches nothing. */
  readonly weights: Readonly<Record<string, number>>;
}

/** A model with the least probability that is worth an answer. */
export interface Chooser {
  readonly model: TreeModel;
  readonly answerMin: number;
}

/** F1 as the public metric counts it, with a 95 % bootstrap interval over pages. */
export interface ChoiceScore {
  readonly count: number;
  readonly f1: number;
  readonly precision: number;
  readonly recall: number;
  readonly interval: readonly [low: number, high: number];
}

/** A page's choice beside its truth. */
export interface Answer {
  readonly choice: Choice;
  readonly said: string | undefined;
  readonly probability: number;
}

/** Parts of the hosts that are held out in turn. */
export const FOLDS = 5;

/** Trees fitted to the candidates of all pages: right values against wrong ones, each page with the weight of its set. */
export function fitChooser(choices: readonly Choice[], features: readonly string[], options: ChoiceOptions): TreeModel {
  const taught = choices.filter(({ set, rows }) => (options.weights[set] ?? 0) > 0 && rows.length > 0);
  const rows = taught.flatMap((choice) => choice.rows);
  const labels = taught.flatMap((choice) => choice.values.map((value) => +choice.truth.includes(value)));
  const weights = taught.flatMap((choice) => {
    const right = choice.values.filter((value) => choice.truth.includes(value)).length;
    const wrong = choice.values.length - right;
    const weight = options.weights[choice.set] ?? 0;
    // Long lists of prices must not outweigh the pages that show one.
    return choice.values.map((value) => weight * (choice.truth.includes(value) ? 3 / right : Math.min(1, 8 / wrong)));
  });
  const samples = { rows, labels: Float32Array.from(labels), weights: Float32Array.from(weights) };
  return averageModels(options.seeds.map((seed) => boost(samples, features, { ...options, seed })));
}

/** The best candidate of every page by a model that never saw its host; `round` draws other folds. */
export function crossChoose(choices: readonly Choice[], features: readonly string[], options: ChoiceOptions, round = 0): readonly Answer[] {
  return Array.from({ length: FOLDS }, (_, fold) => {
    const model = fitChooser(
      choices.filter((choice) => foldOf(choice.host, round) !== fold),
      features,
      options,
    );
    return answers(
      choices.filter((choice) => foldOf(choice.host, round) === fold),
      model,
    );
  }).flat();
}

/** The best candidate of every page, however unlikely. */
export function answers(choices: readonly Choice[], model: TreeModel): readonly Answer[] {
  const compiled = compileModel(model, model.features);
  return choices.map((choice) => {
    const scores = choice.rows.map((row) => sigmoid(scoreRow(compiled, row)));
    const probability = Math.max(0, ...scores);
    return { choice, said: choice.values[scores.indexOf(probability)], probability };
  });
}

/** The score of all answers that are likely enough. */
export function scoreAnswers(given: readonly Answer[], answerMin: number): ChoiceScore {
  const total = totalOf(given, answerMin);
  return { count: given.length, ...total, interval: bootstrapInterval(given, (sample) => totalOf(sample, answerMin).f1) };
}

/** Mean and standard deviation of F1 over the folds of one round. */
export function foldSpread(
  given: readonly Answer[],
  answerMin: number,
  round = 0,
): { readonly folds: readonly number[]; readonly deviation: number } {
  const folds = Array.from({ length: FOLDS }, (_, fold) => totalOf(given.filter(({ choice }) => foldOf(choice.host, round) === fold), answerMin).f1); // prettier-ignore
  return { folds, deviation: deviationOf(folds) };
}

/** The standard deviation of some figures. */
export function deviationOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length - 1));
}

/** The least probability with the best F1. */
export function bestAnswerMin(given: readonly Answer[]): number {
  const steps = Array.from({ length: 17 }, (_, i) => 0.05 + i * 0.05);
  return Number(steps.reduce((best, step) => (totalOf(given, step).f1 > totalOf(given, best).f1 ? step : best)).toFixed(2));
}

/** Pages of one host stay in one fold. */
export function foldOf(host: string, round: number): number {
  return createHash('sha256').update(`fold-${round}:${host}`).digest().readUInt32BE(0) % FOLDS;
}

/** A wrong value is both a false positive and a miss, a value where none is expected a false positive. */
function totalOf(given: readonly Answer[], answerMin: number): { precision: number; recall: number; f1: number } {
  let right = 0;
  let said = 0;
  let expected = 0;
  for (const { choice, said: value, probability } of given) {
    const isSaid = value !== undefined && probability >= answerMin;
    if (choice.truth.length > 0) expected++;
    if (isSaid) said++;
    if (isSaid && choice.truth.includes(value)) right++;
  }
  const precision = right / said || 0;
  const recall = right / expected || 0;
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall) || 0 };
}
