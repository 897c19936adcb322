// Trains the weights of page type and main content on the tune half, and writes them into the engine.
// Run: node --max-old-space-size=8000 bench/quality/train-content.ts   (about five minutes)
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { BLOCK_FEATURE_NAMES, blockFeaturesOf } from '../../packages/engine/src/extract/content/block-features.ts';
import { SECOND_FEATURE_NAMES } from '../../packages/engine/src/extract/content/judge.ts';
import type { Outline } from '../../packages/engine/src/extract/content/outline.ts';
import { outlineOf } from '../../packages/engine/src/extract/content/outline.ts';
import type { PageSignals } from '../../packages/engine/src/extract/content/page-signals.ts';
import { PAGE_SIGNAL_NAMES, pageSignalsOf } from '../../packages/engine/src/extract/content/page-signals.ts';
import { writeSurroundings } from '../../packages/engine/src/extract/content/surroundings.ts';
import type { TreeModel } from '../../packages/engine/src/extract/content/trees.ts';
import { compileModel, scoreRow, sigmoid } from '../../packages/engine/src/extract/content/trees.ts';
import type { TypeModels, TypeScores } from '../../packages/engine/src/extract/content/type-scores.ts';
import { PAGE_TYPES, compileTypes } from '../../packages/engine/src/extract/content/type-scores.ts';
import { parseTree } from '../../packages/engine/src/html/tree.ts';
import type { BoostOptions, Samples } from './boosting.ts';
import { averageModels, boost, seeded } from './boosting.ts';
import { labelBlocks } from './content-labels.ts';
import type { LabelledPage } from './content-pages.ts';
import { decodePage, loadPages } from './content-pages.ts';
import { hostKey } from './dataset.ts';

const TYPE_OPTIONS: BoostOptions = { trees: 30, leaves: 5, rate: 0.15, leafWeightMin: 2, lambda: 4, rowShare: 0.7, featureShare: 0.3 };
const FIRST_OPTIONS: BoostOptions = { trees: 110, leaves: 12, rate: 0.09, leafWeightMin: 15, lambda: 20, rowShare: 0.8, featureShare: 0.3 };
const SECOND_OPTIONS: BoostOptions = { trees: 60, leaves: 8, rate: 0.1, leafWeightMin: 15, lambda: 20, rowShare: 0.8, featureShare: 0.3 };
/** Models of the first opinion that are averaged. */
const FIRST_SEEDS = [7, 38];
/** Pages of one host stay in one fold, so that no opinion about a page comes from its own host. */
const FOLDS = 3;
/** News pages are few in the sets, and their truth is the cleaner one. */
const ARTICLE_SET_WEIGHT = 3;
/** Words of a page that must be found again before it teaches anything. */
const CONTENT_WORDS_MIN = 20;

interface Example {
  readonly page: LabelledPage;
  readonly fold: number;
  readonly outline: Outline;
  readonly signals: PageSignals;
  readonly labels: Float32Array;
}

function readExample(page: LabelledPage): Example {
  const tree = parseTree(decodePage(page.bytes()), page.url);
  const outline = outlineOf(tree);
  const fold =
    createHash('sha256')
      .update(`fold:${hostKey(page.url)}`)
      .digest()
      .readUInt32BE(0) % FOLDS;
  return { page, fold, outline, signals: pageSignalsOf(tree, outline), labels: labelBlocks(outline.blocks, page.truth) };
}

function trainTypes(examples: readonly Example[]): TypeModels {
  const rows = examples.map(({ signals }) => Float32Array.from(signals.values));
  const weights = new Float32Array(rows.length).fill(1);
  return Object.fromEntries(
    PAGE_TYPES.map((type) => {
      const labels = Float32Array.from(examples, ({ page }) => (page.type === type ? 1 : 0));
      return [type, boost({ rows, labels, weights }, PAGE_SIGNAL_NAMES, TYPE_OPTIONS)];
    }),
  ) as Record<(typeof PAGE_TYPES)[number], TreeModel>;
}

/** What each example is given by a model that never saw its fold, in the order of `examples`. */
function crossFit<Value>(
  examples: readonly Example[],
  fit: (others: readonly Example[]) => (example: Example) => Value,
): ReadonlyMap<Example, Value> {
  const values = new Map<Example, Value>();
  for (let fold = 0; fold < FOLDS; fold++) {
    const predict = fit(examples.filter((example) => example.fold !== fold));
    for (const example of examples) if (example.fold === fold) values.set(example, predict(example));
  }
  return values;
}

/** A lighter block is drawn with a chance that its weight sets, and then weighs this much: many short labels teach little. */
const BLOCK_WEIGHT_MIN = 1;

/** Blocks as samples; every page weighs the same, shared out by words. `aims` are softer targets than the labels. */
function samplesOf(examples: readonly Example[], rowsOf: ReadonlyMap<Example, readonly Float32Array[]>, aims?: Opinions): Samples {
  const random = seeded(12345);
  const rows: Float32Array[] = [];
  const labels: number[] = [];
  const weights: number[] = [];
  for (const example of examples) {
    const { blocks } = example.outline;
    const content = blocks.reduce((sum, block) => sum + block.words * (example.labels[block.index] ?? 0), 0);
    if (content < CONTENT_WORDS_MIN) continue;
    const total = blocks.reduce((sum, block) => sum + Math.min(block.words, 200), 0);
    const scale = (100 * (example.page.set === 'articles' ? ARTICLE_SET_WEIGHT : 1)) / total;
    for (const block of blocks) {
      const weight = scale * Math.min(block.words, 200);
      if (random() * BLOCK_WEIGHT_MIN >= weight) continue;
      rows.push((rowsOf.get(example) as readonly Float32Array[])[block.index] as Float32Array);
      labels.push(aimOf(example, block.index, aims));
      weights.push(Math.max(weight, BLOCK_WEIGHT_MIN));
    }
  }
  return { rows, labels: Float32Array.from(labels), weights: Float32Array.from(weights) };
}

/** What models that never saw an example think of its blocks. */
type Opinions = ReadonlyMap<Example, readonly number[]>;

/** Labels are cut from texts with gaps: half a target is what others have learned, which keeps the gaps from being learned. */
function aimOf(example: Example, block: number, aims: Opinions | undefined): number {
  const label = example.labels[block] ?? 0;
  return aims ? (label + (aims.get(example)?.[block] ?? label)) / 2 : label;
}

function opinionsOf(
  model: TreeModel,
  names: readonly string[],
  rowsOf: ReadonlyMap<Example, readonly Float32Array[]>,
): (example: Example) => readonly number[] {
  const compiled = compileModel(model, names);
  return (example) => (rowsOf.get(example) as readonly Float32Array[]).map((row) => sigmoid(scoreRow(compiled, row)));
}

function train(): void {
  const pages = [...loadPages('articles'), ...loadPages('pages')].filter((page) => page.split === 'tune');
  const examples = pages.map(readExample);
  console.log(`${examples.length} pages read`);
  const types = crossFit<TypeScores>(examples, (others) => {
    const score = compileTypes(trainTypes(others));
    return (example) => score(example.signals);
  });
  save('type-weights', 'TYPE_WEIGHTS', 'TypeModels', '../type-scores.ts', trainTypes(examples));
  const width = SECOND_FEATURE_NAMES.length;
  const values = new Map(
    examples.map((example) => [example, blockFeaturesOf(example.outline, example.signals, types.get(example) as TypeScores, { width })]),
  );
  const rowsOf = (example: Example, length: number) =>
    example.outline.blocks.map((_, i) => (values.get(example) as Float32Array).subarray(i * width, i * width + length));
  const rows = new Map(examples.map((example) => [example, rowsOf(example, BLOCK_FEATURE_NAMES.length)]));
  const fitFirst = (others: readonly Example[], seed: number, aims?: Opinions) =>
    boost(samplesOf(others, rows, aims), BLOCK_FEATURE_NAMES, { ...FIRST_OPTIONS, seed });
  const opinions = crossFit(examples, (others) => opinionsOf(fitFirst(others, 7), BLOCK_FEATURE_NAMES, rows));
  const first = averageModels(FIRST_SEEDS.map((seed) => fitFirst(examples, seed, opinions)));
  save('first-weights', 'FIRST_WEIGHTS', 'TreeModel', '../trees.ts', first);
  for (const example of examples)
    writeSurroundings(example.outline, opinions.get(example) as readonly number[], values.get(example) as Float32Array);
  const extended = new Map(examples.map((example) => [example, rowsOf(example, width)]));
  save(
    'second-weights',
    'SECOND_WEIGHTS',
    'TreeModel',
    '../trees.ts',
    boost(samplesOf(examples, extended, opinions), SECOND_FEATURE_NAMES, SECOND_OPTIONS),
  );
}

function save(file: string, name: string, type: string, from: string, model: unknown): void {
  const folder = resolve(import.meta.dirname, '../../packages/engine/src/extract/content/generated');
  const source = `// Generated by bench/quality/train-content.ts; do not edit.\nimport type { ${type} } from '${from}';\n\nexport const ${name}: ${type} = ${printModel(model)};\n`;
  writeFileSync(resolve(folder, `${file}.ts`), source);
  console.log(`${file}: ${source.length} bytes`);
}

/** JSON with one tree per line. */
function printModel(model: unknown): string {
  return JSON.stringify(model).replaceAll('],[', '],\n[').replaceAll('"trees":[', '"trees":[\n');
}

train();
