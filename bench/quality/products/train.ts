// Trains what chooses the price and the article number of a product page, reports how well on hosts it never saw, and writes the weights.
// Run: node bench/quality/products/train.ts   (about four minutes; `--report` leaves the weights as they are, `price` or `sku` trains one)
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { PRICE_FEATURES } from '../../../packages/engine/src/extract/product/price-features.ts';
import { SKU_FEATURES } from '../../../packages/engine/src/extract/product/sku-features.ts';
import type { Answer, Choice, ChoiceOptions } from '../choices.ts';
import { answers, bestAnswerMin, crossChoose, deviationOf, fitChooser, foldSpread, scoreAnswers } from '../choices.ts';
import { splitOf } from '../dataset.ts';
import { isAnswerable, readChoices } from './product-choices.ts';
import { loadProductPages } from './product-pages.ts';
import { generateShopPages } from './shop-pages.ts';

const OPTIONS: ChoiceOptions = {
  trees: 60,
  leaves: 8,
  rate: 0.12,
  leafWeightMin: 3,
  lambda: 10,
  rowShare: 0.8,
  featureShare: 0.4,
  seeds: [1, 2],
  weights: { labelled: 1, stripped: 1, masked: 0.7, generated: 0.2, other: 0.3 },
};
/** Other draws of the folds, so that a figure does not rest on one. */
const ROUNDS = [0, 1, 2];

/** Public pages that sell one product: on them the least probability of an answer is chosen. */
const SELLING: ReadonlySet<string> = new Set(['labelled', 'stripped', 'masked']);

const CHOOSERS = [
  { name: 'price', features: PRICE_FEATURES },
  { name: 'sku', features: SKU_FEATURES },
] as const;

/** Trains and reports the choosers that were asked for, or both, on everything that is there. */
function train(): void {
  const asked = CHOOSERS.filter(({ name }) => process.argv.includes(name));
  const choosers = asked.length > 0 ? asked : CHOOSERS;
  const pages = [...loadProductPages(), ...generateShopPages('taught'), ...generateShopPages('unseen')];
  const read = pages.filter(({ truth }) => choosers.some(({ name }) => truth[name])).map(readChoices);
  for (const { name, features } of choosers) {
    const all = read.flatMap((choices) => choices[name] ?? []);
    const taught = all.filter((choice) => choice.set !== 'unseen' && (choice.set !== 'masked' || isAnswerable(choice)));
    const rounds = ROUNDS.map((round) => crossChoose(taught, features, OPTIONS, round));
    const answerMin = bestAnswerMin(rounds.flat().filter(({ choice }) => SELLING.has(choice.set)));
    const model = fitChooser(taught, features, OPTIONS);
    const unseen = all.filter(({ set }) => set === 'unseen');
    const isTuned = (choice: Choice) => splitOf(choice.host) === 'tune' || choice.set === 'generated';
    const half = fitChooser(taught.filter(isTuned), features, OPTIONS);
    const reported = taught.filter((choice) => choice.set === 'labelled' && !isTuned(choice));
    const lines = [
      ...reportRounds(name, rounds, answerMin),
      lineOf(`${name} report half`, answers(reported, half), answerMin),
      lineOf(`${name} unseen systems`, answers(unseen, model), answerMin),
    ];
    for (const line of lines) console.log(line);
    if (!process.argv.includes('--report')) save(name, JSON.stringify(model), answerMin, lines);
  }
}

/** Each set by folds of hosts: the figure of every round, their spread, and the folds of the first. */
function reportRounds(name: string, rounds: readonly (readonly Answer[])[], answerMin: number): readonly string[] {
  const sets = [...new Set(rounds.flat().map(({ choice }: { choice: Choice }) => choice.set))];
  return sets.flatMap((set) => {
    const given = rounds.map((round) => round.filter(({ choice }) => choice.set === set));
    if (set === 'other')
      return [
        `${name} lists, where none is right: answered on ${given.map((round) => round.filter(({ probability }) => probability >= answerMin).length).join(' ')} of ${given[0]?.length ?? 0} pages`,
      ];
    const figures = given.map((round) => scoreAnswers(round, answerMin).f1);
    const mean = figures.reduce((sum, figure) => sum + figure, 0) / figures.length;
    const { folds, deviation } = foldSpread(given[0] as readonly Answer[], answerMin);
    return [
      lineOf(`${name} ${set}`, given[0] as readonly Answer[], answerMin),
      `  ${figures.length} draws of 5 folds by host: mean ${show(mean)}, deviation over draws ${show(deviationOf(figures))}; folds of the first ${folds.map(show).join(' ')}, deviation ${show(deviation)}`,
    ];
  });
}

function lineOf(title: string, given: readonly Answer[], answerMin: number): string {
  const { count, f1, precision, recall, interval } = scoreAnswers(given, answerMin);
  return `${title.padEnd(20)} ${count} pages  F1 ${show(f1)} [${interval.map(show).join('..')}]  P ${show(precision)} R ${show(recall)}`;
}

function save(name: string, model: string, answerMin: number, lines: readonly string[]): void {
  const upper = name.toUpperCase();
  const trees = model.replaceAll('],[', '],\n[').replaceAll('"trees":[', '"trees":[\n');
  const source = `// Generated by bench/quality/products/train.ts; do not edit. Cross-validated by host:
${lines.map((line) => `// ${line}`).join('\n')}
import type { TreeModel } from '../../content/trees.ts';

/** Less likely values are no answer. */
export const ${upper}_ANSWER_MIN = ${answerMin};

export const ${upper}_WEIGHTS: TreeModel = ${trees};
`;
  writeFileSync(resolve(import.meta.dirname, '../../../packages/engine/src/extract/product/generated', `${name}-weights.ts`), source);
  console.log(`${name}-weights: ${source.length} bytes`);
}

function show(figure: number): string {
  return figure.toFixed(3);
}

train();
