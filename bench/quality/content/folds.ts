// Scores main content by folds of sites, as it is on sites that no model saw.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JudgedPage } from '../../../packages/engine/src/extract/main-content.ts';
import { chooseMainContent, pageHeadline } from '../../../packages/engine/src/extract/main-content.ts';
import type { Example } from './examples.ts';
import { FOLDS, foldOf } from './examples.ts';
import type { HeldOut } from './models.ts';
import type { LabelledPage } from './pages.ts';
import type { ShingleShares } from './scores.ts';
import { shinglePage, shingleTotal, wordPage } from './scores.ts';
import { bootstrapInterval } from '../dataset.ts';

/** Where the last training left what was thought of every example, in the order of `readExamples`. */
const HELD_OUT_FILE = join(tmpdir(), 'weft-content-held-out.json');

/** A public page beside the text that was found on it. */
export interface Found {
  readonly page: LabelledPage;
  readonly fold: number;
  readonly text: string;
  readonly type: string;
}

/** A public page as the engine would read it with these judgements; undefined for a page that was not labelled by people. */
export function findHeldOut(example: Example, { types, probabilities }: HeldOut): Found | undefined {
  const { labelled } = example;
  if (!labelled) return undefined;
  const { text, pageType } = chooseMainContent(judgedPage(example, { types, probabilities }));
  return { page: labelled, fold: foldOf(example), text, type: pageType };
}

/** An example with what models think of it that never saw its site. */
export function judgedPage({ tree, outline, units, signals }: Example, { types, probabilities }: Omit<HeldOut, 'opinions'>): JudgedPage {
  return { tree, outline, units, types, probabilities, headline: pageHeadline(outline, signals) };
}

/** Keeps judgements for what is fitted on top of them. */
export function keepHeldOut(judged: readonly HeldOut[]): void {
  writeFileSync(HELD_OUT_FILE, JSON.stringify(judged));
}

/** The judgements of the last training; undefined where there was none. */
export function keptHeldOut(): readonly HeldOut[] | undefined {
  return existsSync(HELD_OUT_FILE) ? (JSON.parse(readFileSync(HELD_OUT_FILE, 'utf8')) as HeldOut[]) : undefined;
}

/** Articles and pages, the latter also by type, each with a 95 % bootstrap interval and the spread over folds. */
export function linesOf(found: readonly Found[]): readonly string[] {
  const pages = found.filter(({ page }) => page.set === 'pages');
  const types = [...new Set(pages.map(({ page }) => page.type))].sort();
  const wordLine = (name: string, is: (page: LabelledPage) => boolean) =>
    lineOf(
      name,
      pages.filter(({ page }) => is(page)),
      wordScore,
      meanOf,
    );
  return [
    lineOf(
      'articles F1',
      found.filter(({ page }) => page.set === 'articles'),
      shingleScore,
      (rows) => shingleTotal(rows).f1,
    ),
    wordLine('pages F1', () => true),
    ...types.map((type) => wordLine(`  ${type}`, (page) => page.type === type)),
    ...(['tune', 'report'] as const).map((half) => wordLine(`  ${half} half`, ({ split }) => split === half)),
    lineOf('page type found', pages, ({ page, type }) => (page.type === type ? 1 : 0), meanOf),
  ];
}

const shingleScore = ({ page, text }: Found): ShingleShares => shinglePage(page.truth, text);
const wordScore = ({ page, text }: Found): number => wordPage(page.truth, text);

function lineOf<Row extends number | ShingleShares>(
  name: string,
  found: readonly Found[],
  rowOf: (one: Found) => Row,
  total: (rows: readonly Row[]) => number,
): string {
  const rows = found.map(rowOf);
  const [low, high] = bootstrapInterval(rows, total);
  const folds = Array.from({ length: FOLDS }, (_, fold) => total(rows.filter((__, i) => found[i]?.fold === fold)));
  const mean = meanOf(folds);
  const spread = Math.sqrt(meanOf(folds.map((value) => (value - mean) ** 2)));
  return `${name.padEnd(15)} ${show(total(rows))} [${show(low)}, ${show(high)}] of ${found.length}; folds ${folds.map(show).join(' ')}, spread ${show(spread)}`;
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / (values.length || 1);
const show = (value: number): string => value.toFixed(3);
