// Saved result pages of one site served live: a form offers their words, each answers its page, and any other word the page without its list.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyNode, Element, ParentNode } from 'domhandler';
import { isTag } from 'domhandler';
import { typedValue } from '../../../packages/engine/src/run/reading/typed.ts';
import { parseTree } from '../../../packages/engine/src/html/tree.ts';
import type { PageTree } from '../../../packages/engine/src/html/tree.ts';
import { decodePage, normalise, readTruth } from '../lists/score.ts';
import type { Truth } from '../lists/score.ts';
import { serveOnLoopback } from '../../../tests/sites/on-loopback.ts';
import type { LoopbackServer } from '../../../tests/sites/on-loopback.ts';

/** One saved answer. */
export interface SavedSearch {
  readonly word: string;
  readonly html: string;
  readonly truth: Truth;
}

/** A site with its saved answers. */
export interface SavedSite {
  readonly name: string;
  readonly searches: readonly SavedSearch[];
}

/** A row is removed with the smallest element that has this much of its text. */
const COVER_MIN = 0.6;
/** An element with more text than this many times its row holds other things too. */
const LENGTH_MAX = 3;

/** The sites of a folder, of which each folder of a site holds folders named `1- some words-keyword`. */
export function readSavedSites(folder: string): readonly SavedSite[] {
  const homes = readdirSync(folder).flatMap((kind) =>
    readdirSync(join(folder, kind)).map((name) => ({ name, home: join(folder, kind, name) })),
  );
  return homes.map(({ name, home }) => ({
    name,
    searches: readdirSync(home)
      .toSorted()
      .map((query) => readSearch(join(home, query), query)),
  }));
}

function readSearch(folder: string, query: string): SavedSearch {
  const file = readdirSync(folder).find((name) => /\.(?:x?html?|xht)$/.test(name)) ?? '';
  const word = query
    .replace(/^\d+-\s*/, '')
    .replace(/-?keyword$/, '')
    .trim();
  return {
    word,
    html: decodePage(readFileSync(join(folder, file))),
    truth: readTruth(decodePage(readFileSync(join(folder, 'data records.csv')))),
  };
}

/** Serves a site: `/` has the form, `/results?q=` the answers. */
export async function serveSavedSite({ searches }: SavedSite): Promise<LoopbackServer> {
  const byWord = new Map(searches.map(({ word, html }) => [word.toLowerCase(), html]));
  const [first] = searches;
  const empty = first ? withoutRows(first) : '';
  const options = searches.map(({ word }) => `<option value="${word.replaceAll('"', '&quot;')}">`).join('');
  const home = `<!doctype html><title>Search</title><h1>Search</h1><form action="/results" role="search"><label for="q">Search</label><input id="q" name="q" type="search" list="words"><datalist id="words">${options}</datalist><button>Search</button></form>`;
  return await serveOnLoopback((request, response) => {
    const url = new URL(request.url ?? '/', 'http://site.test');
    const body =
      url.pathname === '/'
        ? home
        : url.pathname === '/results'
          ? (byWord.get((url.searchParams.get('q') ?? '').toLowerCase()) ?? empty)
          : undefined;
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(body ?? 'Not found');
  });
}

/** The page of a search without the rows that it is known to have. */
export function withoutRows({ html, truth }: SavedSearch): string {
  const tree = parseTree(html, 'https://site.test/', { includeHidden: true });
  const texts = new Map<AnyNode, string>();
  const elements = textsBelow(tree.root, texts);
  for (const row of truth) {
    const total = row.reduce((sum, cell) => sum + cell.length, 0);
    const holders = elements.filter((element) => {
      const text = texts.get(element) ?? '';
      if (text.length > LENGTH_MAX * total + 200) return false;
      const latin = latinOf(text);
      const said = row.filter((cell) => text.includes(cell) || latin.includes(cell));
      return said.reduce((sum, cell) => sum + cell.length, 0) >= COVER_MIN * total;
    });
    for (const holder of holders) for (const alike of [holder, ...siblingsLike(holder)]) detach(alike);
  }
  return htmlOf(tree);
}

/** Some marks were written down without the letters of other scripts. */
function latinOf(text: string): string {
  return text.replaceAll(/[^\p{Script=Latin}\p{N}]+/gu, '');
}

/** The page as it is written. */
export function htmlOf(tree: PageTree): string {
  const top = tree.root.children.find((node): node is Element => isTag(node));
  const written = top && typedValue({ node: top, value: '' }, { type: 'html' }, 'https://site.test/');
  return typeof written === 'string' ? `<!doctype html>${written}` : '';
}

/** Takes an element off its page. */
export function detach(element: Element): void {
  const { parent, prev, next } = element;
  if (!parent) return;
  parent.children.splice(parent.children.indexOf(element), 1);
  if (prev) prev.next = next;
  if (next) next.prev = prev;
  element.parent = null;
}

/** Rows that nobody marked, beside one that somebody did. */
function siblingsLike({ name, attribs, parent }: Element): readonly Element[] {
  const beside = (parent?.children ?? []).filter((node): node is Element => isTag(node as AnyNode));
  return beside.filter((each) => each.name === name && each.attribs['class'] === attribs['class'] && attribs['class'] !== undefined);
}

function textsBelow(top: ParentNode, texts: Map<AnyNode, string>): Element[] {
  const elements: Element[] = [];
  const read = (node: AnyNode): string => {
    if (node.type === 'text') return node.data;
    if (!('children' in node)) return '';
    const text = node.children.map(read).join(' ');
    texts.set(node, normalise(text));
    if (isTag(node) && node.name !== 'html' && node.name !== 'body') elements.push(node);
    return text;
  };
  for (const child of top.children) read(child as AnyNode);
  return elements;
}
