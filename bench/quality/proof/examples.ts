// What the rules of a proof would measure on the saved searches: each list that a page shows, right or wrong, for each pair of a site's words.
import { Document } from '../../../packages/engine/src/page/document.ts';
import { fieldSameness, filledShare, overlap, wordShare } from '../../../packages/engine/src/build/proof/measure.ts';
import { learnWrapper } from '../../../packages/engine/src/records/wrapper.ts';
import { identifierOf } from '../../../packages/engine/src/build/draft.ts';
import { readRows } from '../../../packages/engine/src/build/proof/read-rows.ts';
import type { Row } from '../../../packages/engine/src/run/reading/rows.ts';
import { withoutRows } from './saved-searches.ts';
import type { SavedSearch, SavedSite } from './saved-searches.ts';
import { scoreItems } from '../lists/score.ts';

/** One list with two words. */
export interface ProofExample {
  readonly site: string;
  /** Its place among the lists of its page, from 0 on. */
  readonly rank: number;
  /** The lesser of the F1 of both answers. */
  readonly f1: number;
  readonly rows: number;
  readonly overlap: number;
  readonly shape: number;
  readonly filled: number;
  /** The lesser of the shares of rows that hold their own word. */
  readonly own: number;
  /** How much more rows speak of their own word than of any other of the site. */
  readonly tells: number;
  /** How much its rows speak of a word that they were not asked for, the most of all. */
  readonly otherShare: number;
  /** Rows on the page that answers what nobody knows, and the share of them that are rows of the first answer. */
  readonly negativeRows: number;
  readonly negativeOverlap: number;
}

const LISTS_MAX = 3;

/** The examples of a site. */
export async function examplesOf({ name: site, searches }: SavedSite): Promise<readonly ProofExample[]> {
  const found: ProofExample[] = [];
  const [first, second] = searches;
  if (!first || !second) return [];
  const words = searches.map(({ word }) => word);
  found.push(...(await examplesOfPair(site, first, second, words)));
  return found;
}

async function examplesOfPair(
  site: string,
  first: SavedSearch,
  second: SavedSearch,
  all: readonly string[],
): Promise<readonly ProofExample[]> {
  const document = new Document(sourceOf(first));
  const silent = { ...first, html: withoutRows(first) };
  const found: ProofExample[] = [];
  for (const [rank, list] of document.records.slice(0, LISTS_MAX).entries()) {
    if (list.nodes.length === 0 || list.items.length < 2) continue;
    const reading = { from: 'html', wrapper: learnWrapper(document.tree, list) } as const;
    const [a, b] = [await rowsOf(reading, first), await rowsOf(reading, second)];
    const required = list.fields.filter(({ filled }) => filled >= 0.8).map(({ name }) => identifierOf(name));
    const words = [first.word, second.word] as const;
    const own = [wordShare(a, words[0]), wordShare(b, words[1])] as const;
    const otherOf = (rows: readonly Row[], word: string) =>
      Math.max(...all.filter((each) => each !== word).map((each) => wordShare(rows, each)));
    const negative = await rowsOf(reading, silent);
    found.push({
      site,
      rank,
      f1: Math.min(scoreOf(a, first), scoreOf(b, second)),
      rows: Math.min(a.length, b.length),
      overlap: overlap(a, b, words),
      shape: fieldSameness(a, b),
      filled: filledShare(b, required),
      own: Math.min(...own),
      tells: Math.min(own[0] - otherOf(a, words[0]), own[1] - otherOf(b, words[1])),
      otherShare: Math.max(otherOf(a, words[0]), otherOf(b, words[1])),
      negativeRows: negative.length,
      negativeOverlap: Math.max(overlap(negative, a, words), overlap(negative, b, words)),
    });
  }
  return found;
}

function sourceOf({ html }: SavedSearch) {
  return { url: 'https://site.test/results', body: new TextEncoder().encode(html), contentType: 'text/html; charset=utf-8' };
}

async function rowsOf(reading: Parameters<typeof readRows>[0], search: SavedSearch): Promise<readonly Row[]> {
  return await readRows(reading, { ...sourceOf(search), status: 200 });
}

function scoreOf(rows: readonly Row[], { truth }: SavedSearch): number {
  return scoreItems(rows.map(textOfRow), truth).f1;
}

/** What people read of a row: addresses left out. */
export function textOfRow(row: Row): string {
  return Object.values(row)
    .flat()
    .map((value) => (typeof value === 'object' && value !== null ? Object.values(value).join(' ') : String(value ?? '')))
    .filter((text) => !/^(?:https?:|data:|\/\/)/.test(text))
    .join(' ');
}
