// Scores next links on the public paging set: `right` on pages that have one, `silent` on pages that have none.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyNode, Element } from 'domhandler';
import { isTag } from 'domhandler';
import { findPaging } from '../../../packages/engine/src/extract/paging/paging.ts';
import { matchCss } from '../../../packages/engine/src/html/selectors/css.ts';
import { elementsBelow } from '../../../packages/engine/src/html/walk.ts';
import { parseTree } from '../../../packages/engine/src/html/tree.ts';
import type { PageTree } from '../../../packages/engine/src/html/tree.ts';
import type { Split } from '../dataset.ts';
import { bootstrapInterval, findDataset, hostKey, isSampled, splitOf } from '../dataset.ts';
import type { PagingExample } from './masked.ts';
import { encodingOf, readCsvRecords } from '../raw-pages.ts';

/** One page: what was predicted, what is true, as absolute addresses. */
export interface PagingRow {
  readonly name: string;
  readonly url: string;
  readonly split: Split;
  readonly predicted: readonly string[];
  readonly truth: readonly string[];
  /** Numbered page links, predicted and true. */
  readonly pages: { readonly predicted: readonly string[]; readonly truth: readonly string[] };
}

/** The shares and counts over some rows. */
export interface PagingScore {
  /** Share of the pages with a next link whose first prediction is a true one. */
  readonly right: number;
  /** Share of the pages without a next link for which nothing is predicted. */
  readonly silent: number;
  /** F1 of the numbered page links over all pages together. */
  readonly pagesF1: number;
  readonly count: number;
}

/** One run over the set. */
export interface PagingMeasurement {
  readonly rows: readonly PagingRow[];
  /** Pages per CPU second of the whole process, parsing included. */
  readonly pagesPerCpuSecond: number;
}

/** Runs `findPaging` over the set, or over its fixed sample; undefined where the data is absent. */
export function measurePaging(options: { readonly full: boolean }): PagingMeasurement | undefined {
  const folder = findDataset('paging');
  if (folder === undefined) return undefined;
  const before = process.cpuUsage();
  const rows = readCsvRecords(readFileSync(join(folder, 'data.csv'), 'utf8'))
    .filter((record) => record['failed'] !== '1' && (options.full || isSampled(record['File Name'] ?? '')))
    .map((record) => measurePage(folder, record));
  const used = process.cpuUsage(before);
  return { rows, pagesPerCpuSecond: rows.length / ((used.user + used.system) / 1e6) };
}

/** The pages of the set with their next links, for the program that fits the weights; empty where the data is absent. */
export function handPaging(): readonly PagingExample[] {
  const folder = findDataset('paging');
  if (folder === undefined) return [];
  const records = readCsvRecords(readFileSync(join(folder, 'data.csv'), 'utf8')).filter((record) => record['failed'] !== '1');
  return records.map((record) => {
    const url = record['Page URL'] ?? '';
    const read = () => readTree(folder, record);
    return { site: hostKey(url), id: record['File Name'] ?? '', truth: 'hand' as const, next: truthOf(read(), record['NEXT'] ?? ''), read };
  });
}

function readTree(folder: string, record: Readonly<Record<string, string>>): PageTree {
  const bytes = readFileSync(join(folder, 'html', `${record['File Name'] ?? ''}.html`));
  return parseTree(new TextDecoder(encodingOf(record['Encoding'] ?? 'utf-8')).decode(bytes), record['Page URL'] ?? '');
}

function measurePage(folder: string, record: Readonly<Record<string, string>>): PagingRow {
  const name = record['File Name'] ?? '';
  const url = record['Page URL'] ?? '';
  const tree = readTree(folder, record);
  const { next, pages } = findPaging(tree);
  return {
    name,
    url,
    split: splitOf(hostKey(url)),
    predicted: next,
    truth: truthOf(tree, record['NEXT'] ?? ''),
    pages: { predicted: pages, truth: [...new Set(truthOf(tree, record['PAGE'] ?? ''))] },
  };
}

/** The addresses of the anchors that the set's CSS names: the anchor itself, its nearest ancestor, or those inside. */
function truthOf(tree: PageTree, css: string): readonly string[] {
  if (css.trim() === '') return [];
  const anchors = matchCss(css, tree).flatMap(anchorsOf);
  return anchors.flatMap((anchor) => URL.parse(anchor.attribs['href'] ?? '', tree.baseUrl)?.href ?? []);
}

function anchorsOf(element: Element): readonly Element[] {
  for (let at: AnyNode | null = element; at; at = at.parent) if (isTag(at) && at.name === 'a') return [at];
  return [...elementsBelow(element)].filter(({ name }) => name === 'a');
}

/** Both shares over some rows. */
export function scorePaging(rows: readonly PagingRow[]): PagingScore {
  const having = rows.filter((row) => row.truth.length > 0);
  const lacking = rows.filter((row) => row.truth.length === 0);
  const right = having.filter((row) => row.predicted[0] !== undefined && row.truth.includes(row.predicted[0]));
  const silent = lacking.filter((row) => row.predicted.length === 0);
  return { right: right.length / having.length, silent: silent.length / lacking.length, pagesF1: scorePages(rows), count: rows.length };
}

function scorePages(rows: readonly PagingRow[]): number {
  const sum = (count: (row: PagingRow) => number) => rows.reduce((total, row) => total + count(row), 0);
  const found = sum(({ pages }) => pages.predicted.filter((url) => pages.truth.includes(url)).length);
  return (2 * found) / sum(({ pages }) => pages.predicted.length + pages.truth.length);
}

function report(measured: PagingMeasurement): void {
  for (const split of ['tune', 'report'] as const) {
    const rows = measured.rows.filter((row) => row.split === split);
    const score = scorePaging(rows);
    const [rightLow, rightHigh] = bootstrapInterval(rows, (some) => scorePaging(some).right);
    const [silentLow, silentHigh] = bootstrapInterval(rows, (some) => scorePaging(some).silent);
    const right = `right ${score.right.toFixed(3)} [${rightLow.toFixed(3)}, ${rightHigh.toFixed(3)}]`;
    const silent = `silent ${score.silent.toFixed(3)} [${silentLow.toFixed(3)}, ${silentHigh.toFixed(3)}]`;
    console.log(`paging ${split.padEnd(6)} ${score.count} pages  ${right}  ${silent}  numbered F1 ${score.pagesF1.toFixed(3)}`);
  }
  console.log(`paging ${measured.pagesPerCpuSecond.toFixed(1)} pages per CPU second`);
}

if (import.meta.main) {
  const measured = measurePaging({ full: !process.argv.includes('--sample') });
  if (measured) report(measured);
  else console.log('paging: the public data is absent');
}
