// Fits the weights by which repeated templates are ranked, measures them on sites they were not fitted to, and writes them into the engine.
// Run: node bench/quality/lists/train.ts [--measure]   (about four minutes; --measure writes nothing)
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Features } from '../../../packages/engine/src/records/group/features.ts';
import type { Candidate, Scoring } from '../../../packages/engine/src/records/group/rank.ts';
import { candidatesOf, rankClusters } from '../../../packages/engine/src/records/group/rank.ts';
import { FOLDS, PARTITIONS, crossValidate, printFolds } from '../folds.ts';
import type { ListExample } from './examples.ts';
import { handExamples, maskedExamples } from './examples.ts';
import type { Choice } from '../ranking.ts';
import { fitRanking, standardsOf } from '../ranking.ts';

/** Few rounds keep the weights small better than the ridge: of 400, 150 and 80, the fewest held best on other sites and varied least by fold. */
const OPTIONS = { ridge: 0.1, rounds: 80, rate: 0.1 };
/** What a page whose truth was read from its marks weighs beside one with a table made by hand. */
const MASKED_WEIGHT = 0.3;
/**
 * Scores of lists in JSON are added up from items, text and keys (records/json.ts). Weights are brought to that scale: candidates differ
 * by this much, as they did under the weights that the JSON scores were made for, and true lists score on average what that sum gives.
 */
const SCORE_DEVIATION = 2.94;

interface Prepared {
  readonly example: ListExample;
  readonly site: string;
  readonly rows: readonly Float64Array[];
  readonly worth: Float64Array;
}

/** Weights by feature, in the units of the features, and what is added to the sum. */
interface Table {
  readonly weights: Readonly<Record<string, number>>;
  readonly base: number;
}

let names: readonly (keyof Features)[] = [];

function prepare(example: ListExample): Prepared {
  const { tree, score } = example.read();
  const candidates = candidatesOf(tree);
  names = candidates[0] ? (Object.keys(candidates[0].features) as (keyof Features)[]) : names;
  return {
    example,
    site: example.site,
    rows: candidates.map(({ features }) => Float64Array.from(Object.values(features) as number[])),
    worth: Float64Array.from(candidates, (candidate) => score(nodesOf(candidate), candidate.cluster.kind === 'lines')),
  };
}

function nodesOf({ cluster }: Candidate) {
  return cluster.items.map((blocks) => blocks.map(({ element }) => element));
}

function fit(pages: readonly Prepared[]): Table {
  const used = pages.filter(({ rows }) => rows.length > 0);
  const perSite = Map.groupBy(used, ({ site }) => site);
  const { means, deviations } = standardsOf(
    used.flatMap(({ rows }) => rows),
    names.length,
  );
  const choices: Choice[] = used.map(({ example, rows, worth, site }) => ({
    rows: rows.map((row) => row.map((value, i) => (value - (means[i] as number)) / (deviations[i] as number))),
    worth,
    weight: (example.truth === 'hand' ? 1 : MASKED_WEIGHT) / (perSite.get(site)?.length ?? 1),
  }));
  const weights = fitRanking(choices, names.length, OPTIONS).map((weight, i) => weight / (deviations[i] as number));
  return toScale(weights, used);
}

function toScale(weights: Float64Array, pages: readonly Prepared[]): Table {
  const scoreOf = (row: Float64Array) => row.reduce((sum, value, i) => sum + value * (weights[i] as number), 0);
  const all = pages.flatMap(({ rows }) => rows.map(scoreOf));
  const mean = meanOf(all);
  const factor = SCORE_DEVIATION / Math.sqrt(meanOf(all.map((score) => (score - mean) ** 2)));
  const best = pages.map(({ rows, worth }) => rows[worth.indexOf(Math.max(...worth))] as Float64Array);
  const at = (name: keyof Features, row: Float64Array) => row[names.indexOf(name)] as number;
  const wanted = meanOf(best.map((row) => 4 + 0.7 * at('logItems', row) + 0.4 * at('logMean', row) + 0.6 * at('slots', row)));
  return {
    weights: Object.fromEntries(names.map((name, i) => [name, round((weights[i] as number) * factor)])),
    base: round(wanted - factor * meanOf(best.map(scoreOf))),
  };
}

function scoringOf({ weights, base }: Table): Scoring {
  return (features) => names.reduce((score, name) => score + (weights[name] ?? 0) * features[name], base);
}

/** F1 of the list that the whole ranking puts first. */
function measure(example: ListExample, scoring: Scoring): number {
  const { tree, score } = example.read();
  const [top] = rankClusters(tree, scoring).candidates;
  return top ? score(nodesOf(top), top.cluster.kind === 'lines') : 0;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / (values.length || 1);
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}

function train(): void {
  const pages = [...handExamples(), ...maskedExamples()].map(prepare);
  const masked = pages.filter(({ example }) => example.truth !== 'hand');
  console.log(
    `${pages.length - masked.length} result pages, ${masked.length} pages that state their list, of ${new Set(pages.map(({ site }) => site)).size} sites`,
  );
  const scores = crossValidate(pages, (others) => {
    const scoring = scoringOf(fit(others));
    return ({ example }) => measure(example, scoring);
  });
  const lines = [
    printFolds(
      'result pages',
      scores.filter(({ example }) => example.example.truth === 'hand'),
    ),
    printFolds(
      'pages that state their list',
      scores.filter(({ example }) => example.example.truth !== 'hand'),
    ),
  ];
  for (const line of lines) console.log(line);
  if (!process.argv.includes('--measure')) save(fit(pages), lines);
}

function save({ weights, base }: Table, lines: readonly string[]): void {
  const rows = Object.entries(weights).map(([name, weight]) => `  ${name}: ${weight},`);
  const figures = lines.map((line) => `// ${line.replace(/ \(.*$/, '')}`);
  const source = [
    '// Generated by bench/quality/lists/train.ts; do not edit.',
    `// F1 on sites that were not fitted to, ${FOLDS} folds by site, ${PARTITIONS} partitions:`,
    ...figures,
    "import type { Features } from '../features.ts';",
    '',
    `export const LIST_BASE = ${base};`,
    '',
    'export const LIST_WEIGHTS: Features = {',
    ...rows,
    '};',
    '',
  ].join('\n');
  writeFileSync(resolve(import.meta.dirname, '../../../packages/engine/src/records/generated/list-weights.ts'), source);
}

train();
