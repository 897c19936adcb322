// How well and how fast pages are read, beside others in the same run: the fixed sample of the public sets, all of them with
// --full, our own small pages where the sets are absent.
import { load } from 'cheerio';
import { parseTree } from '@weft/engine/page';
import { loadPages, decodePage } from '../../quality/content/pages.ts';
import type { LabelledPage } from '../../quality/content/pages.ts';
import { isSampled } from '../../quality/dataset.ts';
import { measureMarkdown } from '../../quality/content/markdown.ts';
import { contentRows } from '../extract/content-rows.ts';
import { loadOwnPages, ownViewRows } from '../extract/own-pages.ts';
import { viewRows } from '../extract/view-rows.ts';
import { compareCpuMs } from '../measure.ts';
import type { BenchOptions, BenchRow } from '../row.ts';

export const isSlow = true;

const PARSED_PAGES = 20;
const PARSE_ROUNDS = 5;

/** Quality first, then speed. */
export async function bench({ full }: BenchOptions): Promise<BenchRow[]> {
  const pages = [...loadPages('articles'), ...loadPages('pages')].filter(({ id }) => full || isSampled(id));
  if (pages.length === 0) {
    const own = loadOwnPages();
    return [...(await contentRows(own, ['all'])), ...ownViewRows(own), parseRow(own)];
  }
  const halves = full ? (['all', 'tune', 'report'] as const) : (['all'] as const);
  return [...(await contentRows(pages, halves)), ...viewRows({ full, halves }), ...(await markdownRows(full)), parseRow(pages)];
}

async function markdownRows(full: boolean): Promise<BenchRow[]> {
  const speed = await measureMarkdown({ full });
  if (!speed) return [];
  const { fromBytes, fromTree } = speed;
  const row = (name: string, value: number, rival: string, rivalValue: number): BenchRow => ({
    name: `Markdown, ${name}`,
    value,
    unit: 'pages/CPU s',
    rival,
    rivalValue,
    target: '>= 1x',
  });
  return [
    row('from HTML', fromBytes.ours, 'turndown', fromBytes.turndown),
    ...(fromBytes.mdream === undefined ? [] : [row('from HTML', fromBytes.ours, 'mdream', fromBytes.mdream)]),
    row('from a tree', fromTree.ours, 'turndown', fromTree.turndown),
  ];
}

function parseRow(pages: readonly LabelledPage[]): BenchRow {
  const texts = pages.slice(0, PARSED_PAGES).map((page) => decodePage(page.bytes()));
  const [ownMs, rivalMs] = compareCpuMs(
    () => texts.forEach((html) => parseTree(html, 'https://page.test/')),
    () => texts.forEach((html) => load(html)),
    PARSE_ROUNDS,
  );
  const perSecond = (ms: number) => (texts.length / ms) * 1000;
  return {
    name: 'parse into a tree',
    value: perSecond(ownMs),
    unit: 'pages/CPU s',
    rival: 'cheerio',
    rivalValue: perSecond(rivalMs),
    target: '>= 1x',
  };
}
