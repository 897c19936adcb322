// Measures list detection and wrappers on the public result pages. Runs alone: node bench/quality/lists/lists.ts [--full]
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseTree } from '../../../packages/engine/src/html/tree.ts';
import { findRecordLists } from '../../../packages/engine/src/records/detect.ts';
import type { RecordList } from '../../../packages/engine/src/records/list.ts';
import { type Wrapper, applyWrapper, learnWrapper } from '../../../packages/engine/src/records/wrapper.ts';
import { type Split, bootstrapInterval, findDataset, isSampled, splitOf } from '../dataset.ts';
import { type Truth, decodePage, readTruth, scoreItems } from './score.ts';

interface PageFiles {
  readonly site: string;
  readonly split: Split;
  readonly html: string;
  readonly truth: Truth;
}

interface PageRow {
  readonly split: Split;
  readonly f1: number;
  readonly precision: number;
  readonly recall: number;
  readonly bestOfThree: number;
  readonly cpuMs: number;
}

interface WrapperRow {
  readonly split: Split;
  readonly f1: number;
}

export interface ListsHalf {
  readonly pages: number;
  readonly f1: number;
  /** 95 % bootstrap interval of `f1`. */
  readonly f1Interval: readonly [low: number, high: number];
  readonly precision: number;
  readonly recall: number;
  readonly bestOfThree: number;
  readonly wrapperPairs: number;
  readonly wrapperF1: number;
  readonly wrapperInterval: readonly [low: number, high: number];
}

export interface ListsResult {
  readonly halves: Readonly<Record<Split | 'all', ListsHalf>>;
  /** Parsing and detection, CPU of the whole process. */
  readonly cpuMsMedian: number;
  readonly cpuMsP95: number;
}

/** Scores the whole set, or the fixed sample of sites; undefined where the data is absent. */
export function measureLists(options: { readonly full: boolean }): ListsResult | undefined {
  const folder = findDataset('lists');
  if (folder === undefined) return undefined;
  const pages: PageRow[] = [];
  const wrappers: WrapperRow[] = [];
  for (const site of sitesIn(folder)) {
    if (!options.full && !isSampled(site.name)) continue;
    const measured = site.pages.map(measurePage);
    pages.push(...measured.map(({ row }) => row).filter((row) => row !== undefined));
    wrappers.push(...measureWrappers(site.pages, measured));
  }
  const cpu = pages.map(({ cpuMs }) => cpuMs).toSorted((a, b) => a - b);
  const half = (is: (row: { split: Split }) => boolean) => summarise(pages.filter(is), wrappers.filter(is));
  return {
    halves: { tune: half((row) => row.split === 'tune'), report: half((row) => row.split === 'report'), all: half(() => true) },
    cpuMsMedian: cpu[cpu.length >> 1] ?? 0,
    cpuMsP95: cpu[Math.floor(cpu.length * 0.95)] ?? 0,
  };
}

function sitesIn(folder: string): { name: string; pages: PageFiles[] }[] {
  const names = readdirSync(folder).flatMap((category) => readdirSync(join(folder, category)).map((name) => ({ category, name })));
  return names.map(({ category, name }) => {
    const home = join(folder, category, name);
    return { name, pages: readdirSync(home).map((query) => readPage(join(home, query), name)) };
  });
}

function readPage(folder: string, site: string): PageFiles {
  const file = readdirSync(folder).find((name) => /\.(?:x?html?|xht)$/.test(name)) ?? '';
  const truth = readTruth(decodePage(readFileSync(join(folder, 'data records.csv'))));
  return { site, split: splitOf(site), html: decodePage(readFileSync(join(folder, file))), truth };
}

interface Measured {
  readonly row: PageRow | undefined;
  readonly wrapper: Wrapper | undefined;
}

function measurePage({ html, truth, split }: PageFiles): Measured {
  const before = process.cpuUsage();
  const tree = parseTree(html, 'https://page.test/');
  const lists = findRecordLists(tree);
  const { user, system } = process.cpuUsage(before);
  const [top] = lists;
  // The wrapper goes through JSON as it would through a store.
  const wrapper = top && (JSON.parse(JSON.stringify(learnWrapper(tree, top))) as Wrapper);
  if (truth.length < 2) return { row: undefined, wrapper };
  const scores = lists.slice(0, 3).map((list) => scoreItems(textsOf(list), truth));
  const { f1, precision, recall } = scores[0] ?? { f1: 0, precision: 0, recall: 0 };
  const bestOfThree = Math.max(0, ...scores.map((score) => score.f1));
  return { row: { split, f1, precision, recall, bestOfThree, cpuMs: (user + system) / 1000 }, wrapper };
}

/** Every wrapper on the pages of the site's other queries. */
function measureWrappers(pages: readonly PageFiles[], measured: readonly Measured[]): WrapperRow[] {
  return pages.flatMap((page, at) => {
    if (page.truth.length < 2) return [];
    const tree = parseTree(page.html, 'https://page.test/');
    return measured
      .filter((_, from) => from !== at)
      .map(({ wrapper }) => {
        const list = wrapper && applyWrapper(wrapper, tree);
        return { split: page.split, f1: list ? scoreItems(textsOf(list), page.truth).f1 : 0 };
      });
  });
}

function textsOf(list: RecordList): string[] {
  return list.items.map(({ text }) => text);
}

function summarise(pages: readonly PageRow[], wrappers: readonly WrapperRow[]): ListsHalf {
  const meanF1 = (rows: readonly { readonly f1: number }[]) => mean(rows.map(({ f1 }) => f1));
  return {
    pages: pages.length,
    f1: meanF1(pages),
    f1Interval: bootstrapInterval(pages, meanF1),
    precision: mean(pages.map(({ precision }) => precision)),
    recall: mean(pages.map(({ recall }) => recall)),
    bestOfThree: mean(pages.map(({ bestOfThree }) => bestOfThree)),
    wrapperPairs: wrappers.length,
    wrapperF1: meanF1(wrappers),
    wrapperInterval: bootstrapInterval(wrappers, meanF1),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / (values.length || 1);
}

function print(result: ListsResult): void {
  const share = (value: number) => value.toFixed(3);
  const interval = ([low, high]: readonly [number, number]) => `[${share(low)}, ${share(high)}]`;
  for (const [name, half] of Object.entries(result.halves)) {
    const top = `F1 ${share(half.f1)} ${interval(half.f1Interval)} P ${share(half.precision)} R ${share(half.recall)}`;
    const wrapper = `wrapper F1 ${share(half.wrapperF1)} ${interval(half.wrapperInterval)} of ${half.wrapperPairs}`;
    console.log(`${name.padEnd(7)} ${String(half.pages).padStart(4)} pages  ${top}  best of 3 ${share(half.bestOfThree)}  ${wrapper}`);
  }
  console.log(`CPU ms per page, parsing included: median ${result.cpuMsMedian.toFixed(1)}, p95 ${result.cpuMsP95.toFixed(1)}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const result = measureLists({ full: process.argv.includes('--full') });
  if (result) print(result);
  else console.log('The lists data is not here.');
}
