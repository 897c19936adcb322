// Pages that declare their list, served as searches: each of three words is answered with a third of the rows, any other with none of them.
import { createHash } from 'node:crypto';
import { Element, Text } from 'domhandler';
import { parseTree } from '../../../packages/engine/src/html/tree.ts';
import type { PageTree } from '../../../packages/engine/src/html/tree.ts';
import { elementsBelow } from '../../../packages/engine/src/html/walk.ts';
import { hostKey } from '../dataset.ts';
import { declaredList, maskMarks, textsOfRows } from '../lists/masked.ts';
import { loadRawPages } from '../raw-pages.ts';
import { detach, htmlOf } from './saved-searches.ts';
import type { SavedSearch, SavedSite } from './saved-searches.ts';

const WORDS = ['first third', 'second third', 'last third'];
/** Three answers of three rows. */
const ROWS_MIN = 9;
const ADS_EVERY = 3;

/** The sites, one page of each, in the order of a hash of their names; each is changed by that hash: class names, one more element around, advertisements between rows. */
export function readSplitSites(): readonly SavedSite[] {
  const pages = new Map(loadRawPages().map((page) => [hostKey(page.url), page]));
  const sites = [...pages].flatMap(([name, page]) => {
    const html = page.html();
    const list = declaredList(parseTree(html, page.url));
    if (!list?.whole || list.rows.length < ROWS_MIN) return [];
    return [{ name, searches: WORDS.map((word, part): SavedSearch => splitPage(html, page.url, name, word, part)) }];
  });
  const usable = sites.filter(({ searches }) => searches.every(({ truth }) => truth.length >= 3));
  return usable.toSorted((a, b) => numberOf(a.name) - numberOf(b.name));
}

function splitPage(html: string, url: string, name: string, word: string, part: number): SavedSearch {
  const tree = parseTree(html, url, { includeHidden: true });
  const list = declaredList(tree);
  if (!list) return { word, html: '', truth: [] };
  maskMarks(tree);
  const rows = list.rows.filter((_, place) => place % WORDS.length === part);
  const gone = list.rows.filter((row) => !rows.includes(row));
  const truth = textsOfRows({ ...list, rows });
  for (const element of gone.flat()) detach(element);
  mutate(
    tree,
    rows.map(([head]) => head as Element),
    numberOf(name),
  );
  return { word, html: htmlOf(tree), truth };
}

/** By the bits of `seed`: other class names, an element more around each row, advertisements between rows. */
function mutate(tree: PageTree, heads: readonly Element[], seed: number): void {
  if (seed & 1) for (const { attribs } of elementsBelow(tree.body)) if (attribs['class']) attribs['class'] = hashed(attribs['class']);
  if (seed & 2) for (const head of heads) if (head.name === 'div') wrap(head);
  if (seed & 4) for (const [place, head] of heads.entries()) if (place % ADS_EVERY === 1) putBehind(head, advertisement(place));
}

function hashed(classes: string): string {
  const tokens = classes.split(/\s+/).filter((token) => token !== '');
  return tokens.map((token) => `c${createHash('sha256').update(token).digest('hex').slice(0, 6)}`).join(' ');
}

function wrap(element: Element): void {
  const around = new Element('div', {}, []);
  putBehind(element, around);
  detach(element);
  element.parent = around;
  around.children.push(element);
}

function advertisement(place: number): Element {
  const title = new Element('h4', {}, [new Text(`Sponsored: offer number ${place}`)]);
  return new Element('div', { class: 'partner' }, [
    title,
    new Element('a', { href: `/out/${place}` }, [new Text('Find out more about it today')]),
  ]);
}

function putBehind(element: Element, added: Element): void {
  const { parent, next } = element;
  if (!parent) return;
  parent.children.splice(parent.children.indexOf(element) + 1, 0, added);
  Object.assign(added, { parent, prev: element, next });
  element.next = added;
  if (next) next.prev = added;
}

function numberOf(name: string): number {
  return createHash('sha256').update(`split-v1:${name}`).digest().readUInt32BE(0);
}
