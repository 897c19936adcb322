// Scores form types on the public forms set: F1 of `search` and `login`, and how many forms of all kinds are named right.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findForms } from '../../packages/engine/src/extract/forms/forms.ts';
import { parseTree } from '../../packages/engine/src/html/tree.ts';
import { FOLDS, deviationOf, foldOf } from './choices.ts';
import type { Split } from './dataset.ts';
import { bootstrapInterval, findDataset, hostKey, isSampled, splitOf } from './dataset.ts';

/** One page: predicted types and true codes, both in document order. */
export interface FormsRow {
  readonly name: string;
  readonly host: string;
  readonly split: Split;
  readonly predicted: readonly string[];
  readonly truth: readonly string[];
}

/** The scores over some rows. */
export interface FormsScore {
  readonly searchF1: number;
  readonly loginF1: number;
  /** Share of all annotated forms whose kind is right. */
  readonly accuracy: number;
  /** Pages whose number of forms differs from the truth; left out of the scores. */
  readonly skipped: number;
  readonly count: number;
}

/** One run over the set. */
export interface FormsMeasurement {
  readonly rows: readonly FormsRow[];
  /** Pages per CPU second of the whole process, parsing included. */
  readonly pagesPerCpuSecond: number;
}

/** The set's codes in our words; several of ours may stand for one of theirs. */
const CODES: Readonly<Record<string, readonly string[]>> = {
  s: ['search'],
  l: ['login'],
  r: ['registration'],
  p: ['password_reset'],
  c: ['contact', 'comment'],
  m: ['newsletter'],
  b: ['order'],
};
const OTHER = ['other', 'poll', 'captcha'];

/** Runs `findForms` over the set, or over its fixed sample; undefined where the data is absent. */
export function measureForms(options: { readonly full: boolean }): FormsMeasurement | undefined {
  const folder = findDataset('forms');
  if (folder === undefined) return undefined;
  const index = readIndex(join(folder, 'index.json'));
  const before = process.cpuUsage();
  const rows = [...index]
    .filter(([name]) => options.full || isSampled(name))
    .map(([name, page]) => {
      const forms = findForms(parseTree(readFileSync(join(folder, name), 'utf8'), page.url));
      return {
        name,
        host: hostKey(page.url),
        split: splitOf(hostKey(page.url)),
        predicted: forms.map(({ type }) => type),
        truth: page.forms,
      };
    });
  const used = process.cpuUsage(before);
  return { rows, pagesPerCpuSecond: rows.length / ((used.user + used.system) / 1e6) };
}

interface IndexedPage {
  readonly url: string;
  readonly forms: readonly string[];
}

function readIndex(path: string): ReadonlyMap<string, IndexedPage> {
  const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'));
  return new Map(Object.entries(parsed as Record<string, IndexedPage>));
}

/** All scores over some rows. */
export function scoreForms(rows: readonly FormsRow[]): FormsScore {
  const comparable = rows.filter((row) => row.predicted.length === row.truth.length);
  const pairs = comparable.flatMap((row) => row.truth.map((code, i) => ({ code, said: row.predicted[i] ?? '' })));
  const annotated = pairs.filter(({ code }) => code !== 'X' && code !== '-');
  const right = annotated.filter(({ code, said }) => (CODES[code] ?? OTHER).includes(said));
  return {
    searchF1: f1(annotated, 's', 'search'),
    loginF1: f1(annotated, 'l', 'login'),
    accuracy: right.length / annotated.length,
    skipped: rows.length - comparable.length,
    count: rows.length,
  };
}

function f1(pairs: readonly { readonly code: string; readonly said: string }[], code: string, type: string): number {
  const both = pairs.filter((pair) => pair.code === code && pair.said === type).length;
  const either = pairs.filter((pair) => pair.code === code).length + pairs.filter((pair) => pair.said === type).length;
  return (2 * both) / either;
}

function report(measured: FormsMeasurement): void {
  for (const split of ['tune', 'report'] as const) {
    const rows = measured.rows.filter((row) => row.split === split);
    const score = scoreForms(rows);
    const show = (name: 'searchF1' | 'loginF1' | 'accuracy') => {
      const [low, high] = bootstrapInterval(rows, (some) => scoreForms(some)[name], 200);
      return `${name} ${score[name].toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
    };
    console.log(
      `forms ${split.padEnd(6)} ${score.count} pages  ${show('searchF1')}  ${show('loginF1')}  ${show('accuracy')}  skipped ${score.skipped}`,
    );
  }
  for (const name of ['searchF1', 'loginF1', 'accuracy'] as const) {
    const folds = Array.from({ length: FOLDS }, (_, fold) => scoreForms(measured.rows.filter((row) => foldOf(row.host, 0) === fold))[name]);
    const shown = folds.map((figure) => figure.toFixed(3)).join(' ');
    console.log(`forms by host ${name.padEnd(8)} folds ${shown}  deviation ${deviationOf(folds).toFixed(3)}`);
  }
  console.log(`forms ${measured.pagesPerCpuSecond.toFixed(1)} pages per CPU second`);
}

if (import.meta.main) {
  const measured = measureForms({ full: !process.argv.includes('--sample') });
  if (measured) report(measured);
  else console.log('forms: the public data is absent');
}
