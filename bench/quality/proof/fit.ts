// Fits the bounds of the rules of a proof to saved searches, and says what they let through on sites that they were not fitted to. Runs alone: node bench/quality/proof/fit.ts [--write]
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readSavedSites } from './saved-searches.ts';
import { findDataset } from '../dataset.ts';
import { crossValidate } from '../folds.ts';
import { examplesOf } from './examples.ts';
import type { ProofExample } from './examples.ts';

/** Rows that people marked; and another list of the page (research/workflow-peers.md 4). */
const RIGHT_FROM = 0.5;
const WRONG_BELOW = 0.3;
/** So much of what is right may fall to one rule. */
const LOST = 0.02;
const TARGET = fileURLToPath(new URL('../../../packages/engine/src/build/proof/generated/bounds.ts', import.meta.url));

/** The bounds that are fitted; the rest are what the rules mean. */
export interface FittedBounds {
  readonly filledMin: number;
  readonly secondOverlapMax: number;
  readonly shapeMin: number;
  readonly wordShareMin: number;
  readonly wordTellsMin: number;
  readonly negativeOverlapMax: number;
  readonly negativeShareMax: number;
}

/** The bounds that all but LOST of what is right keeps. */
export function fitBounds(examples: readonly ProofExample[]): FittedBounds {
  const right = examples.filter(({ f1, rank }) => f1 >= RIGHT_FROM && rank === 0);
  const least = (of: (example: ProofExample) => number) => quantile(right.map(of), LOST, Math.floor);
  const most = (of: (example: ProofExample) => number) => quantile(right.map(of), 1 - LOST, Math.ceil);
  return {
    filledMin: least(({ filled }) => filled),
    secondOverlapMax: Math.min(
      0.9,
      most(({ overlap }) => overlap),
    ),
    shapeMin: least(({ shape }) => shape),
    // Rows that do not heed the word speak of it this much.
    wordShareMin: most(({ otherShare }) => otherShare),
    wordTellsMin: least(({ tells }) => tells),
    negativeOverlapMax: Math.min(
      0.9,
      most(({ overlap }) => overlap),
    ),
    // Pages from which the rows could not be taken out say nothing here.
    negativeShareMax: quantile(
      right.filter(({ negativeOverlap }) => negativeOverlap < 0.5).map(({ negativeRows, rows }) => negativeRows / rows),
      1 - LOST,
      Math.ceil,
    ),
  };
}

/** True where the rules would let the list through. */
export function passes(
  bounds: FittedBounds,
  { filled, overlap, shape, tells, negativeOverlap, negativeRows, rows }: ProofExample,
): boolean {
  return (
    rows >= 1 &&
    filled >= bounds.filledMin &&
    overlap <= bounds.secondOverlapMax &&
    shape >= bounds.shapeMin &&
    tells >= bounds.wordTellsMin &&
    negativeOverlap <= bounds.negativeOverlapMax &&
    negativeRows / rows <= bounds.negativeShareMax
  );
}

function quantile(values: readonly number[], share: number, round: (value: number) => number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.max(0, Math.round((sorted.length - 1) * share)))] ?? 0;
  return round(value * 100) / 100;
}

async function main(): Promise<void> {
  const folder = findDataset('lists');
  if (folder === undefined) return console.log('the saved searches are not here');
  const examples: ProofExample[] = [];
  for (const site of readSavedSites(folder)) examples.push(...(await examplesOf(site)));
  const scores = crossValidate(examples, (others) => {
    const bounds = fitBounds(others);
    return (example) => Number(passes(bounds, example));
  });
  const share = (is: (example: ProofExample) => boolean) => {
    const of = scores.filter(({ example }) => is(example));
    return `${(of.reduce((sum, { score }) => sum + score, 0) / (of.length || 1)).toFixed(3)} of ${of.length}`;
  };
  console.log(`on sites not fitted to: right first lists that pass ${share(({ f1, rank }) => f1 >= RIGHT_FROM && rank === 0)}`);
  console.log(
    `wrong first lists that pass ${share(({ f1, rank }) => f1 < WRONG_BELOW && rank === 0)}, any wrong list ${share(({ f1 }) => f1 < WRONG_BELOW)}`,
  );
  const fitted = fitBounds(examples);
  console.log(fitted);
  if (process.argv.includes('--write')) writeFileSync(TARGET, textOf(fitted, examples.length));
}

function textOf(fitted: FittedBounds, count: number): string {
  const lines = Object.entries(fitted).map(([name, value]) => `  ${name}: ${value},`);
  return `// Written by \`node bench/quality/proof/fit.ts --write\` from ${count} lists of saved searches; not edited by hand.
/** The bounds of the rules of a proof. */
export const PROOF_BOUNDS = {
  /** A list has at least two rows. */
  rowsMin: 2,
  /** The same call is answered alike but for what changes by itself: as many rows may as may be missing of a field. */
  repeatMin: ${fitted.filledMin},
  /** Two pages are as far apart as two searches are. */
  pageOverlapMax: ${fitted.secondOverlapMax},
  /** The second page speaks of the word as the first one has to. */
  pageWordShareMin: ${fitted.wordShareMin},
${lines.join('\n')}
} as const;
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
