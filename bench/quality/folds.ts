// Cuts the public pages into folds by site, so that a rule is measured only on sites that it was not fitted to.
import { createHash } from 'node:crypto';

/** Parts of one partition. */
export const FOLDS = 5;
/** Partitions that are averaged: which sites fall together is chance. */
export const PARTITIONS = 3;

/** The part of a partition that all pages of `site` belong to. */
export function foldOf(site: string, partition: number): number {
  return createHash('sha256').update(`fold-${partition}:${site}`).digest().readUInt32BE(0) % FOLDS;
}

/** What a rule scores on an example that it was not fitted to. */
export interface FoldScore<Example> {
  readonly example: Example;
  readonly partition: number;
  readonly fold: number;
  readonly score: number;
}

/** Scores every example once a partition by what was fitted to the examples of other folds. */
export function crossValidate<Example extends { readonly site: string }>(
  examples: readonly Example[],
  fit: (others: readonly Example[]) => (example: Example) => number,
): readonly FoldScore<Example>[] {
  const scores: FoldScore<Example>[] = [];
  for (let partition = 0; partition < PARTITIONS; partition++) {
    for (let fold = 0; fold < FOLDS; fold++) {
      const score = fit(examples.filter(({ site }) => foldOf(site, partition) !== fold));
      for (const example of examples) {
        if (foldOf(example.site, partition) === fold) scores.push({ example, partition, fold, score: score(example) });
      }
    }
  }
  return scores;
}

/** Mean over all pages, and the standard deviation of the means of the folds, averaged over the partitions. */
export function summarise(scores: readonly FoldScore<unknown>[]): {
  readonly mean: number;
  readonly spread: number;
  readonly folds: readonly (readonly number[])[];
} {
  const folds = Array.from({ length: PARTITIONS }, (_, partition) =>
    Array.from({ length: FOLDS }, (__, fold) =>
      meanOf(scores.filter((one) => one.partition === partition && one.fold === fold).map(({ score }) => score)),
    ),
  );
  return { mean: meanOf(scores.map(({ score }) => score)), spread: meanOf(folds.map(deviation)), folds };
}

/** The figures of `summarise` in one line. */
export function printFolds(name: string, scores: readonly FoldScore<unknown>[]): string {
  const { mean, spread, folds } = summarise(scores);
  const each = folds.map((fold) => fold.map((score) => score.toFixed(3)).join(' ')).join(' | ');
  return `${name}: ${mean.toFixed(3)}, spread over folds ${spread.toFixed(3)} (${each})`;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / (values.length || 1);
}

function deviation(values: readonly number[]): number {
  const mean = meanOf(values);
  return Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)));
}
