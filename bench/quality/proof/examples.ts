// What a build would measure on saved searches: each list of an answer beside the other answers, right or wrong, and what the rules of a proof compare of it.
import { createHash } from 'node:crypto';
import { Document } from '../../../packages/engine/src/page/document.ts';
import { changeOf } from '../../../packages/engine/src/build/evidence/changing-lists.ts';
import type { ComparedList } from '../../../packages/engine/src/build/evidence/changing-lists.ts';
import { identifierOf } from '../../../packages/engine/src/build/draft.ts';
import { fieldSameness, filledShare, overlap, sameness, shareIn, wordShare } from '../../../packages/engine/src/build/proof/measure.ts';
import { readRows } from '../../../packages/engine/src/build/proof/read-rows.ts';
import { readChangedTexts } from '../../../packages/engine/src/records/changed-texts.ts';
import type { ListChange } from '../../../packages/engine/src/records/changed-texts.ts';
import type { RecordList } from '../../../packages/engine/src/records/list.ts';
import { applyWrapper, learnBeside, learnWrapper } from '../../../packages/engine/src/records/wrapper.ts';
import type { RowReading } from '../../../packages/engine/src/build/evidence/catalogue.ts';
import type { DocumentSource } from '../../../packages/engine/src/page/document.ts';
import type { Row } from '../../../packages/engine/src/run/reading/rows.ts';
import { scoreItems } from '../lists/score.ts';
import { withoutRows } from './saved-searches.ts';
import type { SavedSearch, SavedSite } from './saved-searches.ts';

/** One site with the lists of its first answer. */
export interface SiteExample {
  readonly site: string;
  /** Best first, as the page shows them. */
  readonly lists: readonly ListExample[];
}

/** One list: what it is chosen by, and what its proof compares. */
export interface ListExample {
  /** Of the first answer. */
  readonly f1: number;
  readonly compared: ComparedList;
  readonly proof: ProofMeasures;
}

/** What the rules of a proof measure, by what they are about. */
export interface ProofMeasures {
  readonly rows: number;
  readonly filled: number;
  /** Between the first answer and that to another word. */
  readonly overlap: number;
  readonly sameness: number;
  readonly shape: number;
  /** How much more rows speak of their own word than of any other of the site. */
  readonly tells: number;
  /** How much its rows speak of a word that they were not asked for, the most of all. */
  readonly otherShare: number;
  /** The share of its rows that the answer to an unknown word has as well, and how many that has of its own, for each of these. */
  readonly framed: number;
  readonly unknownRows: number;
}

/** So many lists of an answer are held against the others: what changes most, in the order in which a page is about them. */
const LISTS_MAX = 3;
/** A list of which less is what changes is never chosen. */
const CHANGE_MIN = 0.02;

/** A third of the sites, by name: rules and numbers are made without them, and measured on them once. */
export function isHeldOut(site: string): boolean {
  return createHash('sha256').update(`hold-v1:${site}`).digest().readUInt32BE(0) % 3 === 0;
}

/** What a build would measure on a site with three searches. */
export async function exampleOf({ name: site, searches }: SavedSite): Promise<SiteExample> {
  const [first, second, third] = searches;
  if (!first || !second || !third) return { site, lists: [] };
  const silent = { ...first, html: withoutRows(first) };
  const document = new Document(sourceOf(first));
  const changed = readChangedTexts(document.tree, new Document(sourceOf(silent)).tree);
  const lists: ListExample[] = [];
  const beside = new Document(sourceOf(second)).tree;
  const found = document.records
    .filter(({ nodes, items }) => nodes.length > 0 && items.length >= 2)
    .map((list) => learnBeside(document.tree, list, beside));
  const changing = found
    .map((list) => ({ list, change: changed.measure(list.nodes) }))
    .filter(({ change }) => changeOf(change) >= CHANGE_MIN);
  const most = changing.toSorted((a, b) => changeOf(b.change) - changeOf(a.change)).slice(0, LISTS_MAX);
  for (const each of changing) {
    if (most.includes(each)) lists.push(await listExample(each, document, { first, second, third, silent }));
  }
  return { site, lists };
}

interface Answers {
  readonly first: SavedSearch;
  readonly second: SavedSearch;
  readonly third: SavedSearch;
  readonly silent: SavedSearch;
}

async function listExample(
  { list, change }: { readonly list: RecordList; readonly change: ListChange },
  { tree }: Document,
  { first, second, third, silent }: Answers,
): Promise<ListExample> {
  const reading = { from: 'html', wrapper: learnWrapper(tree, list) } as const;
  const rowsIn = (search: SavedSearch) => readRows(reading, { ...sourceOf(search), status: 200 });
  const [a, b, c, none] = [await rowsIn(first), await rowsIn(second), await rowsIn(third), await rowsIn(silent)];
  const words = [first, second, third].map(({ word }) => word);
  const others = (rows: readonly Row[], own: string) =>
    Math.max(...words.filter((each) => each !== own).map((each) => wordShare(rows, each)));
  const tells = (rows: readonly Row[], own: string) => wordShare(rows, own) - others(rows, own);
  const required = list.fields.filter(({ filled }) => filled >= 0.8).map(({ name }) => identifierOf(name));
  return {
    f1: scoreItems(
      list.items.map(({ text }) => text),
      first.truth,
    ).f1,
    compared: {
      score: list.score,
      change,
      secondRows: b.length,
      alike: overlap(a, b, words),
      framed: shareIn(a, none, words),
    },
    proof: {
      rows: Math.min(a.length, c.length),
      filled: filledShare(c, required),
      overlap: overlap(a, c, words),
      sameness: sameness(a, c),
      shape: fieldSameness(a, c),
      tells: Math.min(tells(a, first.word), tells(c, third.word)),
      otherShare: Math.max(others(a, first.word), others(c, third.word)),
      framed: Math.max(shareIn(a, none, words), shareIn(c, none, words)),
      unknownRows: (none.length * (1 - shareIn(none, [...a, ...c], words))) / (a.length || 1),
    },
  };
}

function sourceOf({ html }: SavedSearch) {
  return { url: 'https://site.test/results', body: new TextEncoder().encode(html), contentType: 'text/html; charset=utf-8' };
}

/**
 * What people read of each item that `reading` finds: as it stands on the page, labels and buttons included, because that is what they marked.
 * Values are typed and shortened in rows, and would make a right list look like another one.
 */
export function textsShown(reading: RowReading, source: DocumentSource, rows: readonly Row[]): readonly string[] {
  if (reading.from !== 'html') return rows.map(textOfRow);
  return (applyWrapper(reading.wrapper, new Document(source).tree)?.items ?? []).map(({ text }) => text);
}

/** Addresses left out. */
function textOfRow(row: Row): string {
  return Object.values(row)
    .flat()
    .map((value) => (typeof value === 'object' && value !== null ? Object.values(value).join(' ') : String(value ?? '')))
    .filter((text) => !/^(?:https?:|data:|\/\/)/.test(text))
    .join(' ');
}
