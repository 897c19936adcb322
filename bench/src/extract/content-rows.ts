// Scores main content of labelled pages for every extractor in one run: quality, and pages per CPU second.
import { shinglePage, shingleTotal, wordPage } from '../../quality/content/scores.ts';
import type { LabelledPage } from '../../quality/content/pages.ts';
import { decodePage } from '../../quality/content/pages.ts';
import { bootstrapInterval } from '../../quality/dataset.ts';
import type { Split } from '../../quality/dataset.ts';
import type { BenchRow } from '../row.ts';
import { CONTENT_EXTRACTORS } from './content-extractors.ts';
import type { ContentExtractor } from './content-extractors.ts';

interface Found {
  readonly page: LabelledPage;
  readonly text: string;
  readonly type: string | undefined;
}

interface Measured {
  readonly name: string;
  readonly found: readonly Found[];
  readonly pagesPerSecond: number;
}

type Half = Split | 'all';
type Score = (found: readonly Found[]) => number;

/** Pages that each extractor reads unmeasured first, so that compiling is no part of the speed. */
const WARM_PAGES = 10;

/** One row for each score and half, beside each rival; `halves` says which. */
export async function contentRows(pages: readonly LabelledPage[], halves: readonly Half[]): Promise<BenchRow[]> {
  const measured: Measured[] = [];
  for (const extractor of CONTENT_EXTRACTORS) measured.push(await measure(extractor, pages));
  const [ours, ...rivals] = measured;
  if (!ours) return [];
  const types = [...new Set(pages.filter(({ set }) => set === 'pages').map(({ type }) => type))].sort();
  const parts: readonly (readonly [name: string, is: (page: LabelledPage) => boolean, score: Score])[] = [
    ['articles', ({ set }) => set === 'articles', shingleScore],
    ['pages of seven types', ({ set }) => set === 'pages', wordScore],
    ...types.map((type) => [`  ${type}`, (page: LabelledPage) => page.set === 'pages' && page.type === type, wordScore] as const),
  ];
  return [
    ...parts.flatMap(([name, is, score]) => halves.flatMap((half) => scoreRows(name, half, is, score, ours, rivals))),
    ...halves.flatMap((half) => typeRows(half, ours)),
    ...rivals.map(({ name, pagesPerSecond }) => ({
      name: 'main content, from decoded HTML',
      value: ours.pagesPerSecond,
      unit: 'pages/CPU s',
      rival: name,
      rivalValue: pagesPerSecond,
      target: '>= 1x',
    })),
  ];
}

async function measure(extractor: ContentExtractor, pages: readonly LabelledPage[]): Promise<Measured> {
  for (const page of pages.slice(0, WARM_PAGES)) await attempt(extractor, page);
  const found: Found[] = [];
  let micros = 0;
  for (const page of pages) {
    const bytes = page.bytes();
    const before = process.cpuUsage();
    const { text, type } = await attempt(extractor, { ...page, bytes: () => bytes });
    const { user, system } = process.cpuUsage(before);
    micros += user + system;
    found.push({ page, text: text(), type });
  }
  return { name: extractor.name, found, pagesPerSecond: pages.length / (micros / 1e6) };
}

/** A page that an extractor fails on counts as empty. */
async function attempt(extractor: ContentExtractor, page: LabelledPage) {
  try {
    return await extractor.extract(decodePage(page.bytes()), page.url);
  } catch {
    return { text: () => '', type: undefined };
  }
}

const shingleScore: Score = (found) => shingleTotal(found.map(({ page, text }) => shinglePage(page.truth, text))).f1;
const wordScore: Score = (found) => found.reduce((sum, { page, text }) => sum + wordPage(page.truth, text), 0) / (found.length || 1);
const typeScore: Score = (found) => found.filter(({ page, type }) => page.type === type).length / (found.length || 1);

function scoreRows(
  name: string,
  half: Half,
  is: (page: LabelledPage) => boolean,
  score: Score,
  ours: Measured,
  rivals: readonly Measured[],
): BenchRow[] {
  const part = ({ found }: Measured) => found.filter(({ page }) => is(page) && isIn(half, page));
  const own = part(ours);
  if (own.length === 0) return [];
  const row = { name: `${name}, ${half} ${intervalOf(own, score)}`, value: score(own), unit: 'F1' };
  return rivals.map((rival) => ({ ...row, rival: rival.name, rivalValue: score(part(rival)) }));
}

function typeRows(half: Half, { found }: Measured): BenchRow[] {
  const part = found.filter(({ page }) => page.set === 'pages' && isIn(half, page));
  return part.length === 0 ? [] : [{ name: `page type, ${half} ${intervalOf(part, typeScore)}`, value: typeScore(part), unit: 'right' }];
}

function isIn(half: Half, { split }: LabelledPage): boolean {
  return half === 'all' || split === half;
}

function intervalOf(found: readonly Found[], score: Score): string {
  return `${shownInterval(bootstrapInterval(found, score, 200))} of ${found.length}`;
}

/** `[0.912, 0.957]`. */
export function shownInterval([low, high]: readonly [low: number, high: number]): string {
  return `[${low.toFixed(3)}, ${high.toFixed(3)}]`;
}
