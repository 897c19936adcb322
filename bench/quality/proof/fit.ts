// Fits how the list of a search is chosen, and the bounds of its proof, to saved searches; says what they make of sites that they were not fitted to. Runs alone: node bench/quality/proof/fit.ts [--write] [--held] [--again]
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { changeOf, decideResults } from '../../../packages/engine/src/build/evidence/changing-lists.ts';
import type { ResultChoice } from '../../../packages/engine/src/build/evidence/changing-lists.ts';
import { findDataset } from '../dataset.ts';
import { crossValidate, printFolds } from '../folds.ts';
import { exampleOf, isHeldOut } from './examples.ts';
import type { ListExample, ProofMeasures, SiteExample } from './examples.ts';
import { readSavedSites } from './saved-searches.ts';
import type { SavedSite } from './saved-searches.ts';
import { readSplitSites } from './split-pages.ts';

/** Rows that people marked; and another list of the page (research/workflow-peers.md 4). */
const RIGHT_FROM = 0.5;
const WRONG_BELOW = 0.3;
/** So much of what is right may fall to one rule. */
const LOST = 0.01;
/** Rows that do not heed a word speak of it less than rows of so many of a hundred others. */
const UNHEEDED = 0.05;
/** A wrong list that is taken costs as much as so many right ones that are not. */
const WRONG_COST = 3;
/** However much right lists would need: beyond these stands what the rules are there to hold back (tests/campaigns/liars.ts). */
const FARTHEST = { repeatMin: 0.75, secondOverlapMax: 0.95, wordTellsMin: -0.25, negativeOverlapMax: 0.4, negativeShareMax: 0.25 };
/** Records of applications lack more of each other's fields than rows of lists do: this much of them is kept by all that `campaign -- api-apps` proves. */
const STRICTEST = { shapeMin: 0.53 };
const WEIGHTS = [0, 0.5, 1, 2, 3, 4, 6, 8, 12, 16];
const GENERATED = new URL('../../../packages/engine/src/build/', import.meta.url);

/** The bounds of a proof that are fitted; the rest are what the rules mean. */
export interface FittedBounds {
  readonly repeatMin: number;
  readonly filledMin: number;
  readonly secondOverlapMax: number;
  readonly pageOverlapMax: number;
  readonly shapeMin: number;
  readonly wordShareMin: number;
  readonly pageWordShareMin: number;
  readonly wordTellsMin: number;
  readonly negativeOverlapMax: number;
  readonly negativeShareMax: number;
}

/** All that is fitted. */
export interface Fitted {
  readonly choice: ResultChoice;
  readonly bounds: FittedBounds;
}

/** Fits the choice first, and the bounds to what it chooses. */
export function fitAll(sites: readonly SiteExample[]): Fitted {
  const choice = fitChoice(sites);
  const chosen = sites.flatMap(({ lists }) => chosenOf(lists, choice) ?? []);
  return { choice, bounds: fitBounds(chosen.filter(({ f1 }) => f1 >= RIGHT_FROM).map(({ proof }) => proof)) };
}

/**
 * The weight with which right lists are chosen most often. A list has to be so much of what changes, and may have so much frame, that least is
 * lost of the right ones and of those that are chosen in their place: these count as often as no right one is found.
 */
function fitChoice(sites: readonly SiteExample[]): ResultChoice {
  const open = { changeMin: 0, framedMax: 1 };
  const worths = WEIGHTS.map((changeWeight) => meanOf(sites.map(({ lists }) => chosenOf(lists, { changeWeight, ...open })?.f1 ?? 0)));
  const best = WEIGHTS.filter((_, place) => (worths[place] ?? 0) >= Math.max(...worths) - 1e-9);
  const changeWeight = best[Math.floor((best.length - 1) / 2)] ?? 0;
  const right = sites.flatMap(({ lists }) => chosenOf(lists, { changeWeight, ...open }) ?? []).filter(({ f1 }) => f1 >= RIGHT_FROM);
  const wrong = sites.flatMap(
    ({ lists }) =>
      chosenOf(
        lists.filter(({ f1 }) => f1 < WRONG_BELOW),
        { changeWeight, ...open },
      ) ?? [],
  );
  return {
    changeWeight,
    changeMin: leastLost(
      right.map(({ compared }) => changeOf(compared.change)),
      wrong.map(({ compared }) => changeOf(compared.change)),
      WRONG_COST * (1 - right.length / (sites.length || 1)),
    ),
    framedMax: round(
      Math.min(
        FARTHEST.negativeOverlapMax,
        quantile(
          right.map(({ compared }) => compared.framed),
          1 - LOST,
        ),
      ),
      Math.ceil,
    ),
  };
}

function chosenOf(lists: readonly ListExample[], choice: ResultChoice): ListExample | undefined {
  const place = decideResults(
    lists.map(({ compared }) => compared),
    choice,
  );
  return place === undefined ? undefined : lists[place];
}

/** The bound at which the least is lost: right values below it, and wrong ones at or above, which cost `wrongCost` each. Half way between the values around it. */
function leastLost(right: readonly number[], wrong: readonly number[], wrongCost: number): number {
  const values = [...new Set([0, ...right, ...wrong])].toSorted((a, b) => a - b);
  const costs = values.map(
    (bound) => right.filter((value) => value < bound).length + wrongCost * wrong.filter((value) => value >= bound).length,
  );
  const at = costs.indexOf(Math.min(...costs));
  return round(((values[at] ?? 0) + (values[at - 1] ?? values[at] ?? 0)) / 2);
}

/** The bounds that all but LOST of what is right keeps. */
function fitBounds(right: readonly ProofMeasures[]): FittedBounds {
  const least = (of: (measures: ProofMeasures) => number) => round(quantile(right.map(of), LOST), Math.floor);
  const most = (of: (measures: ProofMeasures) => number) => round(quantile(right.map(of), 1 - LOST), Math.ceil);
  const secondOverlapMax = Math.min(
    FARTHEST.secondOverlapMax,
    most(({ overlap }) => overlap),
  );
  const unheeded = quantile(
    right.map(({ otherShare }) => otherShare),
    1 - UNHEEDED,
  );
  const wordShareMin = round(unheeded, Math.ceil);
  return {
    // The same call is answered more alike than another one is.
    repeatMin: Math.min(
      FARTHEST.repeatMin,
      most(({ sameness }) => sameness),
    ),
    filledMin: least(({ filled }) => filled),
    secondOverlapMax,
    // Two pages are as far apart as two searches are.
    pageOverlapMax: secondOverlapMax,
    shapeMin: Math.min(
      STRICTEST.shapeMin,
      least(({ shape }) => shape),
    ),
    wordShareMin,
    pageWordShareMin: wordShareMin,
    wordTellsMin: Math.max(
      FARTHEST.wordTellsMin,
      least(({ tells }) => tells),
    ),
    negativeOverlapMax: Math.min(
      FARTHEST.negativeOverlapMax,
      most(({ framed }) => framed),
    ),
    negativeShareMax: Math.min(
      FARTHEST.negativeShareMax,
      most(({ unknownRows }) => unknownRows),
    ),
  };
}

/** Whether the rules would let the list through. */
function passes({ bounds }: Fitted, { proof }: ListExample): boolean {
  return (
    proof.rows >= 2 &&
    proof.filled >= bounds.filledMin &&
    proof.overlap <= bounds.secondOverlapMax &&
    proof.shape >= bounds.shapeMin &&
    proof.tells >= bounds.wordTellsMin &&
    proof.framed <= bounds.negativeOverlapMax &&
    proof.unknownRows <= bounds.negativeShareMax
  );
}

/** 1 where a right list is chosen and proved, -1 where a wrong one is, else 0. */
function endOf(fitted: Fitted, { lists }: SiteExample): number {
  const chosen = chosenOf(lists, fitted.choice);
  if (!chosen || !passes(fitted, chosen)) return 0;
  return chosen.f1 < WRONG_BELOW ? -1 : 1;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.round((sorted.length - 1) * share)))] ?? 0;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / (values.length || 1);
}

function round(value: number, how: (value: number) => number = Math.round): number {
  return how(value * 100) / 100;
}

async function examplesOf(sites: readonly SavedSite[]): Promise<readonly SiteExample[]> {
  const examples: SiteExample[] = [];
  for (const site of sites) examples.push(await exampleOf(site));
  return examples;
}

/** What was measured of one kind of material. */
interface Measured {
  readonly name: string;
  readonly open: readonly SiteExample[];
  readonly held: readonly SiteExample[];
}

async function measureAll(folder: string): Promise<readonly Measured[]> {
  const isWhole = ({ searches }: SavedSite) => searches.length >= 3 && searches.every(({ truth }) => truth.length >= 2);
  const material = [
    { name: 'saved searches', sites: readSavedSites(folder).filter(isWhole) },
    { name: 'declared lists', sites: readSplitSites() },
  ];
  const measured: Measured[] = [];
  for (const { name, sites } of material) {
    const open = await examplesOf(sites.filter((site) => !isHeldOut(site.name)));
    measured.push({ name, open, held: await examplesOf(sites.filter((site) => isHeldOut(site.name))) });
  }
  return measured;
}

/** `--again` takes what the last run has measured. */
async function main(): Promise<void> {
  const folder = findDataset('lists');
  if (folder === undefined) return console.log('the saved searches are not here');
  const kept = join(folder, '..', 'proof-examples.json');
  if (!process.argv.includes('--again')) writeFileSync(kept, JSON.stringify(await measureAll(folder)));
  const read = JSON.parse(readFileSync(kept, 'utf8')) as readonly Measured[];
  const open = read.flatMap((each) => each.open);
  const ends = crossValidate(open, (others) => {
    const fitted = fitAll(others);
    return (example) => endOf(fitted, example);
  });
  for (const { name, open: own } of read) {
    const mine = ends.filter(({ example }) => own.includes(example));
    console.log(
      printFolds(
        `${name}, ${own.length} sites: right and proved`,
        mine.map((end) => ({ ...end, score: Number(end.score > 0) })),
      ),
    );
    console.log(
      printFolds(
        `${name}, ${own.length} sites: wrong and proved`,
        mine.map((end) => ({ ...end, score: Number(end.score < 0) })),
      ),
    );
  }
  const fitted = fitAll(open);
  console.log(fitted);
  for (const { name, held } of read) {
    if (!process.argv.includes('--held')) continue;
    const shares = [1, -1].map((end) => meanOf(held.map((example) => Number(endOf(fitted, example) === end))).toFixed(3));
    console.log(`${name}, ${held.length} sites held out: right and proved ${shares[0]}, wrong and proved ${shares[1]}`);
  }
  if (process.argv.includes('--write')) write(fitted, open.length);
}

function write({ choice, bounds }: Fitted, sites: number): void {
  const lines = (values: object) => Object.entries(values).map(([name, value]) => `  ${name}: ${value},`);
  const head = `// Written by \`node bench/quality/proof/fit.ts --write\` from ${sites} sites; not edited by hand.`;
  const boundsText = `${head}
/** The bounds of the rules of a proof. */
export const PROOF_BOUNDS = {
  /** A list has at least two rows. */
  rowsMin: 2,
${lines(bounds).join('\n')}
} as const;
`;
  const choiceText = `${head}
/** How the list of the results is told from the others of its page. */
export const RESULT_CHOICE = {
${lines(choice).join('\n')}
} as const;
`;
  writeFileSync(fileURLToPath(new URL('proof/generated/bounds.ts', GENERATED)), boundsText);
  writeFileSync(fileURLToPath(new URL('evidence/generated/result-choice.ts', GENERATED)), choiceText);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
