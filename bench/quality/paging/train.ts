// Fits the weights by which a link is taken for the next page, measures them on sites they were not fitted to, and writes them into the engine.
// Run: node bench/quality/paging/train.ts [--measure]   (about two minutes; --measure writes nothing)
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { NextFeature } from '../../../packages/engine/src/extract/paging/next-features.ts';
import { nextFeaturesOf } from '../../../packages/engine/src/extract/paging/next-features.ts';
import { leadingLinks } from '../../../packages/engine/src/extract/paging/paging.ts';
import { FOLDS, PARTITIONS, crossValidate, printFolds } from '../folds.ts';
import { maskedPaging } from './masked.ts';
import type { PagingExample } from './masked.ts';
import { handPaging } from './paging.ts';
import type { Choice } from '../ranking.ts';
import { dot, fitRanking } from '../ranking.ts';

const OPTIONS = { ridge: 0.5, rounds: 150, rate: 0.05 };
/**
 * What is thought of a sign before a page was seen, in points of which five make a next link. It decides where the pages say little:
 * of carousels and of other sites, because few pages have them.
 */
const PRIOR: Readonly<Partial<Record<NextFeature, number>>> = {
  any: -5.5,
  next: 4,
  older: 2,
  leading: 2,
  arrow: 1,
  arrowOnly: 2,
  doubled: -2,
  named: 3,
  icon: 2,
  rel: 3,
  long: -4,
  follows: 1.5,
  paging: 2,
  apart: -5,
  article: -2,
  following: 4,
  later: 2,
  same: -3,
  foreign: -4,
  neighbour: -8,
  slides: -6,
  repeated: -1,
};
/** Taken away where it states the truth, so the pages would teach that it means nothing. */
const FIXED: ReadonlySet<NextFeature> = new Set(['rel']);
/** What one point is in the logarithm of the odds. */
const POINT = 0.6;
/** What all pages about one thing together weigh, in pages: they are many, and most hold no link that could be taken for the next page. */
const SILENT_WEIGHT = 30;

interface Prepared {
  readonly example: PagingExample;
  readonly site: string;
  readonly urls: readonly string[];
  readonly rows: readonly Float64Array[];
}

let names: readonly NextFeature[] = [];

function prepare(example: PagingExample): Prepared {
  const links = leadingLinks(example.read());
  const features = links.map(nextFeaturesOf);
  if (features[0]) names = Object.keys(features[0]) as NextFeature[];
  return {
    example,
    site: example.site,
    urls: links.map(({ url }) => url),
    rows: features.map((one) => Float64Array.from(Object.values(one))),
  };
}

/** A choice among the links and none of them, which scores 0. */
function choiceOf({ example, urls, rows }: Prepared, weight: number): Choice {
  const isLinked = example.next.some((url) => urls.includes(url));
  const worth = [isLinked ? 0 : 1, ...urls.map((url) => (example.next.includes(url) ? 1 : 0))];
  return { rows: [new Float64Array(names.length), ...rows], worth: Float64Array.from(worth), weight };
}

function fit(pages: readonly Prepared[]): Float64Array {
  const used = pages.filter(({ rows }) => rows.length > 0);
  const perSite = Map.groupBy(used, ({ site }) => site);
  const isSilent = ({ example }: Prepared) => example.truth === 'masked' && example.next.length === 0;
  const silentWeight = SILENT_WEIGHT / used.filter(isSilent).length;
  const choices = used.map((page) => choiceOf(page, isSilent(page) ? silentWeight : 1 / Math.sqrt(perSite.get(page.site)?.length ?? 1)));
  return fitRanking(choices, names.length, {
    ...OPTIONS,
    prior: names.map((name) => POINT * (PRIOR[name] ?? 0)),
    fixed: names.map((name) => FIXED.has(name)),
  });
}

/** 1 where the first choice is a true one, or where there is none and nothing is chosen. */
function isRight({ example, urls, rows }: Prepared, weights: Float64Array): number {
  const scores = rows.map((row) => dot(row, weights));
  const top = Math.max(0, ...scores);
  const chosen = top > 0 ? urls[scores.indexOf(top)] : undefined;
  return Number(chosen === undefined ? example.next.length === 0 : example.next.includes(chosen));
}

function train(): void {
  const pages = [...handPaging(), ...maskedPaging()].map(prepare);
  const count = (truth: PagingExample['truth'], has: boolean) =>
    pages.filter(({ example }) => example.truth === truth && example.next.length > 0 === has).length;
  console.log(
    `paging set: ${count('hand', true)} pages with a next link, ${count('hand', false)} without; stated by the page: ${count('masked', true)} with, ${count('masked', false)} without`,
  );
  const scores = crossValidate(pages, (others) => {
    const weights = fit(others);
    return (page) => isRight(page, weights);
  });
  const lines = (['hand', 'masked'] as const).flatMap((truth) =>
    [true, false].map((has) => {
      const part = scores.filter(({ example }) => example.example.truth === truth && example.example.next.length > 0 === has);
      return printFolds(`${truth === 'hand' ? 'paging set' : 'stated by the page'}, ${has ? 'right' : 'silent'}`, part);
    }),
  );
  for (const line of lines) console.log(line);
  if (!process.argv.includes('--measure')) save(fit(pages), lines);
}

function save(weights: Float64Array, lines: readonly string[]): void {
  const source = [
    '// Generated by bench/quality/paging/train.ts; do not edit.',
    `// Shares on sites that were not fitted to, ${FOLDS} folds by site, ${PARTITIONS} partitions:`,
    ...lines.map((line) => `// ${line.replace(/ \(.*$/, '')}`),
    "import type { NextFeature } from '../next-features.ts';",
    '',
    'export const NEXT_WEIGHTS: Readonly<Record<NextFeature, number>> = {',
    ...names.map((name, i) => `  ${name}: ${Number((weights[i] as number).toPrecision(3))},`),
    '};',
    '',
  ].join('\n');
  writeFileSync(resolve(import.meta.dirname, '../../../packages/engine/src/extract/paging/generated/next-weights.ts'), source);
}

train();
