// Fits the models of main content to examples: page types, then a first opinion of every block, then a second one that knows the first.
import { BLOCK_FEATURE_NAMES, blockFeaturesOf } from '../../../packages/engine/src/extract/content/features/block-features.ts';
import { SECOND_FEATURE_NAMES } from '../../../packages/engine/src/extract/content/judge.ts';
import { PAGE_SIGNAL_NAMES } from '../../../packages/engine/src/extract/content/features/page-signals.ts';
import { writeSurroundings } from '../../../packages/engine/src/extract/content/features/surroundings.ts';
import type { TreeModel } from '../../../packages/engine/src/extract/content/trees.ts';
import { compileModel, scoreRow, sigmoid } from '../../../packages/engine/src/extract/content/trees.ts';
import type { TypeModels, TypeScores } from '../../../packages/engine/src/extract/content/features/type-scores.ts';
import { PAGE_TYPES, compileTypes } from '../../../packages/engine/src/extract/content/features/type-scores.ts';
import type { BoostOptions, Samples } from '../boosting.ts';
import { averageModels, boost, seeded } from '../boosting.ts';
import type { Example } from './examples.ts';
import { FOLDS, foldOf } from './examples.ts';

const TYPE_OPTIONS: BoostOptions = { trees: 30, leaves: 5, rate: 0.15, leafWeightMin: 2, lambda: 4, rowShare: 0.7, featureShare: 0.3 };
const FIRST_OPTIONS: BoostOptions = { trees: 110, leaves: 12, rate: 0.09, leafWeightMin: 15, lambda: 20, rowShare: 0.8, featureShare: 0.3 };
const SECOND_OPTIONS: BoostOptions = { trees: 60, leaves: 8, rate: 0.1, leafWeightMin: 15, lambda: 20, rowShare: 0.8, featureShare: 0.3 };
/** Models of the first opinion that are averaged. */
const FIRST_SEEDS = [7, 38];
/** Words of a page that must be found again before it teaches anything. */
const CONTENT_WORDS_MIN = 20;
/** A lighter block is drawn with a chance that its weight sets, and then weighs this much: many short labels teach little. */
const BLOCK_WEIGHT_MIN = 1;

/** Everything that is trained for main content. */
export interface ContentModels {
  readonly types: TypeModels;
  readonly first: TreeModel;
  readonly second: TreeModel;
}

/** What models that never saw a page's site think of it. */
export interface HeldOut {
  readonly types: TypeScores;
  /** By block, the first opinion and the second. */
  readonly opinions: readonly number[];
  readonly probabilities: readonly number[];
}

/** What each example is given by a model that never saw its fold. */
type CrossFitted<Value> = ReadonlyMap<Example, Value>;

const WIDTH = SECOND_FEATURE_NAMES.length;
const TYPES_AT = BLOCK_FEATURE_NAMES.indexOf(`type.${PAGE_TYPES[0] as string}`);

/** The features of the blocks of examples: computed once, and completed in place by what is thought of a page. */
export class ContentRows {
  private readonly values = new Map<Example, Float32Array>();

  constructor(examples: readonly Example[]) {
    const none = Object.fromEntries(PAGE_TYPES.map((type) => [type, 0])) as TypeScores;
    for (const example of examples) this.values.set(example, blockFeaturesOf(example.outline, example.signals, none, { width: WIDTH }));
  }

  /** Rows of the features of a first opinion; the second looks at whole rows. */
  of(example: Example): Float32Array {
    return this.values.get(example) as Float32Array;
  }

  setTypes(example: Example, types: TypeScores): void {
    const values = this.of(example);
    PAGE_TYPES.forEach((type, at) => {
      for (let i = TYPES_AT + at; i < values.length; i += WIDTH) values[i] = types[type];
    });
  }

  setOpinions(example: Example, opinions: readonly number[]): void {
    writeSurroundings(example.outline, example.units, opinions, this.of(example));
  }
}

/**
 * Each example judged by models of other folds. What the second opinion learns from are first opinions by models that saw the fold held out;
 * no model ever judges a page of a site that it saw. `rows` are left with the types and the first opinions.
 */
export function judgeHeldOut(examples: readonly Example[], rows: ContentRows): CrossFitted<HeldOut> {
  const types = crossFit<TypeScores>(examples, (others) => {
    const score = compileTypes(fitTypes(others));
    return ({ signals }) => score(signals);
  });
  for (const example of examples) rows.setTypes(example, types.get(example) as TypeScores);
  const opinions = crossFit(examples, (others) => opinionsOf(fitFirst(others, rows, FIRST_SEEDS[0] as number), BLOCK_FEATURE_NAMES, rows));
  for (const example of examples) rows.setOpinions(example, opinions.get(example) as readonly number[]);
  const probabilities = crossFit(examples, (others) => opinionsOf(fitSecond(others, rows, opinions), SECOND_FEATURE_NAMES, rows));
  return new Map(
    examples.map((example) => [
      example,
      {
        types: types.get(example) as TypeScores,
        opinions: opinions.get(example) as readonly number[],
        probabilities: probabilities.get(example) as readonly number[],
      },
    ]),
  );
}

/** All models, fitted to `examples`, of which `judged` says what others think. */
export function fitContent(examples: readonly Example[], rows: ContentRows, judged: CrossFitted<HeldOut>): ContentModels {
  const opinions = new Map(examples.map((example) => [example, (judged.get(example) as HeldOut).opinions]));
  const first = averageModels(FIRST_SEEDS.map((seed) => fitFirst(examples, rows, seed, opinions)));
  return { types: fitTypes(examples), first, second: fitSecond(examples, rows, opinions) };
}

function fitFirst(examples: readonly Example[], rows: ContentRows, seed: number, aims?: CrossFitted<readonly number[]>): TreeModel {
  return boost(samplesOf(examples, rows, BLOCK_FEATURE_NAMES.length, aims), BLOCK_FEATURE_NAMES, { ...FIRST_OPTIONS, seed });
}

function fitSecond(examples: readonly Example[], rows: ContentRows, aims: CrossFitted<readonly number[]>): TreeModel {
  return boost(samplesOf(examples, rows, WIDTH, aims), SECOND_FEATURE_NAMES, SECOND_OPTIONS);
}

/** Pages without a labelled type would teach nothing but their share. */
function fitTypes(all: readonly Example[]): TypeModels {
  const examples = all.filter(({ labelled }) => labelled !== undefined);
  const rows = examples.map(({ signals }) => Float32Array.from(signals.values));
  const weights = new Float32Array(rows.length).fill(1);
  return Object.fromEntries(
    PAGE_TYPES.map((type) => {
      const labels = Float32Array.from(examples, ({ labelled }) => (labelled?.type === type ? 1 : 0));
      return [type, boost({ rows, labels, weights }, PAGE_SIGNAL_NAMES, TYPE_OPTIONS)];
    }),
  ) as Record<(typeof PAGE_TYPES)[number], TreeModel>;
}

function crossFit<Value>(
  examples: readonly Example[],
  fit: (others: readonly Example[]) => (example: Example) => Value,
): CrossFitted<Value> {
  const values = new Map<Example, Value>();
  for (let fold = 0; fold < FOLDS; fold++) {
    const isHeldOut = (example: Example) => foldOf(example) === fold;
    const predict = fit(examples.filter((example) => !isHeldOut(example)));
    for (const example of examples) if (isHeldOut(example)) values.set(example, predict(example));
  }
  return values;
}

/** Blocks as samples; every page weighs the same, shared out by words. `aims` are softer targets than the labels. */
function samplesOf(examples: readonly Example[], values: ContentRows, length: number, aims?: CrossFitted<readonly number[]>): Samples {
  const random = seeded(12345);
  const rows: Float32Array[] = [];
  const labels: number[] = [];
  const weights: number[] = [];
  for (const example of examples) {
    const { blocks } = example.outline;
    const told = blocks.filter(({ index }) => !Number.isNaN(example.labels[index]));
    const content = told.reduce((sum, block) => sum + block.words * (example.labels[block.index] ?? 0), 0);
    if (content < CONTENT_WORDS_MIN) continue;
    const total = told.reduce((sum, block) => sum + Math.min(block.words, 200), 0);
    const scale = (100 * example.weight) / total;
    for (const { index, words } of told) {
      const weight = scale * Math.min(words, 200);
      if (random() * BLOCK_WEIGHT_MIN >= weight) continue;
      rows.push(values.of(example).subarray(index * WIDTH, index * WIDTH + length));
      labels.push(aimOf(example, index, aims));
      weights.push(Math.max(weight, BLOCK_WEIGHT_MIN));
    }
  }
  return { rows, labels: Float32Array.from(labels), weights: Float32Array.from(weights) };
}

/** Labels are cut from texts with gaps: half a target is what others have learned, which keeps the gaps from being learned. */
function aimOf(example: Example, block: number, aims: CrossFitted<readonly number[]> | undefined): number {
  const label = example.labels[block] ?? 0;
  return aims ? (label + (aims.get(example)?.[block] ?? label)) / 2 : label;
}

function opinionsOf(model: TreeModel, names: readonly string[], rows: ContentRows): (example: Example) => readonly number[] {
  const compiled = compileModel(model, names);
  return (example) => {
    const values = rows.of(example);
    return example.outline.blocks.map((_, i) => sigmoid(scoreRow(compiled, values, i * WIDTH)));
  };
}
