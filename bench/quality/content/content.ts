// Measures main content on two public sets, beside readability on linkedom in the same run. The weights have seen both halves: what holds
// on other sites is what train-content.ts measures.
// Run: node bench/quality/content/content.ts [--full]
import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { findMainContent } from '../../../packages/engine/src/extract/main-content.ts';
import { blockText } from '../../../packages/engine/src/html/text.ts';
import { parseTree } from '../../../packages/engine/src/html/tree.ts';
import type { LabelledPage } from './pages.ts';
import { decodePage, loadPages } from './pages.ts';
import { shinglePage, shingleTotal, wordPage } from './scores.ts';
import type { ShingleShares } from './scores.ts';
import { bootstrapInterval, isSampled } from '../dataset.ts';
import type { Split } from '../dataset.ts';

/** A score and its 95 % bootstrap interval. */
export interface Interval {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly pages: number;
}

/** What one extractor reaches. */
export interface ContentScores {
  /** F1 of four-word shingles on news pages. */
  readonly articles: Readonly<Record<Split | 'all', Interval>>;
  /** Mean F1 of words on pages of seven types. */
  readonly pages: Readonly<Record<Split | 'all', Interval>>;
  /** The same by type: `all`, then each half. */
  readonly types: Readonly<Record<string, Readonly<Record<Split | 'all', Interval>>>>;
  /** Share of pages whose type was found. */
  readonly typeAccuracy: Readonly<Record<Split | 'all', Interval>>;
  /** Pages per CPU second of the whole process, from bytes to text. */
  readonly pagesPerSecond: number;
}

/** Weft and its rival, measured on the same pages in the same run. */
export interface ContentMeasurement {
  readonly weft: ContentScores;
  readonly readability: Omit<ContentScores, 'typeAccuracy'>;
}

interface Found {
  readonly page: LabelledPage;
  readonly text: string;
  readonly type: string | undefined;
}

interface Extractor {
  (html: string, url: string): Extraction;
}

interface Extraction {
  /** Called when the clock has stopped: the rival's HTML is turned into block text at nobody's cost. */
  readonly text: () => string;
  readonly type?: string;
}

/** Measures the fixed sample, or all pages when `full`; undefined where the public data is absent. */
export function measureContent(options: { readonly full: boolean }): ContentMeasurement | undefined {
  const pages = [...loadPages('articles'), ...loadPages('pages')].filter((page) => options.full || isSampled(page.id));
  if (pages.length === 0) return undefined;
  return { weft: measure(pages, extractWithWeft), readability: measure(pages, extractWithReadability) };
}

const extractWithWeft: Extractor = (html, url) => {
  const { text, pageType } = findMainContent(parseTree(html, url));
  return { text: () => text, type: pageType };
};

const extractWithReadability: Extractor = (html) => {
  const { document } = parseHTML(html);
  const content = new Readability(document).parse()?.content ?? '';
  return { text: () => blockText([parseTree(content, 'https://page.invalid/').body]) };
};

function measure(pages: readonly LabelledPage[], extract: Extractor): ContentScores {
  let cpuMicroseconds = 0;
  const found = pages.map((page): Found => {
    const bytes = page.bytes();
    const before = process.cpuUsage();
    const { text, type } = attempt(extract, bytes, page.url);
    const used = process.cpuUsage(before);
    cpuMicroseconds += used.user + used.system;
    return { page, text: text(), type };
  });
  return { ...score(found), pagesPerSecond: pages.length / (cpuMicroseconds / 1e6) };
}

/** A page that an extractor fails on counts as empty. */
function attempt(extract: Extractor, bytes: Uint8Array, url: string): Extraction {
  try {
    return extract(decodePage(bytes), url);
  } catch {
    return { text: () => '' };
  }
}

function score(found: readonly Found[]): Omit<ContentScores, 'pagesPerSecond'> {
  const articles = found.filter(({ page }) => page.set === 'articles');
  const typed = found.filter(({ page }) => page.set === 'pages');
  const types = [...new Set(typed.map(({ page }) => page.type))].sort();
  return {
    articles: byHalf(
      articles,
      ({ page, text }) => shinglePage(page.truth, text),
      (rows) => shingleTotal(rows).f1,
    ),
    pages: byHalf(typed, wordScore, meanOf),
    types: Object.fromEntries(
      types.map((type) => [
        type,
        byHalf(
          typed.filter(({ page }) => page.type === type),
          wordScore,
          meanOf,
        ),
      ]),
    ),
    typeAccuracy: byHalf(typed, ({ page, type }) => (page.type === type ? 1 : 0), meanOf),
  };
}

const wordScore = ({ page, text }: Found): number => wordPage(page.truth, text);
const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / (values.length || 1);

function byHalf<Row extends number | ShingleShares>(
  found: readonly Found[],
  rowOf: (one: Found) => Row,
  total: (rows: readonly Row[]) => number,
): Record<Split | 'all', Interval> {
  const interval = (part: readonly Found[]): Interval => {
    const rows = part.map(rowOf);
    const [low, high] = bootstrapInterval(rows, total);
    return { value: total(rows), low, high, pages: rows.length };
  };
  return {
    all: interval(found),
    tune: interval(found.filter(({ page }) => page.split === 'tune')),
    report: interval(found.filter(({ page }) => page.split === 'report')),
  };
}

function print({ weft, readability }: ContentMeasurement): void {
  const show = (name: string, ours: Record<Split | 'all', Interval>, theirs?: Record<Split | 'all', Interval>) => {
    const cells = (['all', 'tune', 'report'] as const).map((half) => {
      const { value, low, high, pages } = ours[half];
      return `${half} ${value.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}] of ${pages}`;
    });
    console.log(`${name.padEnd(16)} ${cells.join('   ')}   readability ${theirs ? theirs.all.value.toFixed(3) : '-'}`);
  };
  show('articles F1', weft.articles, readability.articles);
  show('pages F1', weft.pages, readability.pages);
  for (const [type, scores] of Object.entries(weft.types)) show(`  ${type}`, scores, readability.types[type]);
  show('type accuracy', weft.typeAccuracy);
  console.log('The weights learned from both halves. On sites not seen, by folds of hosts, they reach what the head of');
  console.log('packages/engine/src/extract/content/generated/first-weights.ts says (bench/quality/content/train.ts --measure).');
  const ratio = weft.pagesPerSecond / readability.pagesPerSecond;
  console.log(
    `pages per CPU second: ${weft.pagesPerSecond.toFixed(1)}, readability + linkedom ${readability.pagesPerSecond.toFixed(1)}, ratio ${ratio.toFixed(2)}`,
  );
}

if (import.meta.main) {
  const measurement = measureContent({ full: process.argv.includes('--full') });
  if (measurement) print(measurement);
  else console.log('The public pages are not on this machine.');
}
