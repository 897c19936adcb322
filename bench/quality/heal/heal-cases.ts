// Pages before and after a redesign, with the elements that somebody watches on them: what healing is fitted to and measured on.
import { load } from 'cheerio';
import type { AnyNode, ChildNode, Element } from 'domhandler';
import { isTag, isText } from 'domhandler';
import { textOf } from '../../../packages/engine/src/html/selectors/text.ts';
import type { PageTree } from '../../../packages/engine/src/html/tree.ts';
import { parseTree } from '../../../packages/engine/src/html/tree.ts';
import { elementsBelow, shownElementsBelow } from '../../../packages/engine/src/html/walk.ts';
import { detectObstacle } from '../../../packages/engine/src/html/signs/challenge.ts';
import { copiesOf } from '../../../packages/engine/src/monitor/target/copies.ts';
import { readPageIndex } from '../../../packages/engine/src/monitor/target/page-index.ts';
import { PageDocument } from '../../../packages/engine/src/page/page-document.ts';
import { shapeOfValue } from '../../../packages/engine/src/monitor/target/shape.ts';
import type { ValueShape } from '../../../packages/engine/src/monitor/target/shape.ts';
import { changeDigits, detach, pick, redesign } from './mutate.ts';
import type { Random, Redesign } from './mutate.ts';

/** What happened to the watched elements: their values stayed, or changed, or they are not there any more. */
export type Fate = 'kept' | 'changed' | 'removed';

/** One element on a page before, and the same after; `after` is undefined where it was removed. */
export interface Watched {
  readonly before: Element;
  readonly after: Element | undefined;
  /** What stood twice before the redesign (`copiesOf`), where it stands after it, while all of it says the same: as good as `after`. */
  readonly copies: readonly Element[];
  readonly shape: ValueShape;
}

/** A page at two times. */
export interface PagePair {
  /** What is never split between fitting and measuring. */
  readonly site: string;
  /** How it was changed: the name of a redesign, or of the two skins. */
  readonly change: string;
  readonly fate: Fate;
  readonly before: PageDocument;
  readonly after: PageDocument;
  readonly watched: readonly Watched[];
}

const MARK = 'data-heal-mark';
const WATCHED_MAX = 4;
const VALUE_CHARACTERS_MAX = 300;
/** Larger pages are left out: a page is read several times for each case. */
const ELEMENTS_MAX = 5_000;
const ELEMENTS_MIN = 40;

export function documentOf(html: string, url: string): PageDocument {
  return new PageDocument({ url, body: new TextEncoder().encode(html), contentType: 'text/html; charset=utf-8' });
}

/** The HTML of a tree. */
export function writePage({ root }: PageTree): string {
  return load(root).html();
}

/** The page of `html` redesigned, with up to four elements of different kinds that are watched; undefined for one that is too small or too large, and for one that nobody could watch because it asks to log in. */
export function redesignedPair(html: string, url: string, site: string, how: Redesign, fate: Fate, random: Random): PagePair | undefined {
  const before = documentOf(html, url);
  const obstacle = detectObstacle({ status: 200, headers: [], html: before.decoded.html, url });
  if (obstacle) return undefined;
  const all = [...elementsBelow(before.tree.body)];
  if (all.length < ELEMENTS_MIN || all.length > ELEMENTS_MAX) return undefined;
  const chosen = chooseWatched(before.tree, random);
  const changed = parseTree(before.decoded.html, url);
  const twins = [...elementsBelow(changed.body)];
  const index = readPageIndex(before.tree);
  const mark = (element: Element, name: string) => {
    const twin = twins[all.indexOf(element)];
    if (!twin || twin.name !== element.name) return [];
    twin.attribs[MARK] = name;
    return [twin];
  };
  const marked = chosen.flatMap((element, number) => mark(element, String(number)));
  const copies = chosen.map((element) => {
    const place = index.placeOf.get(element);
    return fate === 'kept' && place ? copiesOf(place, index).map((copy) => copy.element) : [];
  });
  for (const [number, some] of copies.entries()) for (const [at, copy] of some.entries()) mark(copy, `${number}.${at}`);
  if (fate === 'changed') for (const element of marked) changeValue(element, changed, random);
  const holders =
    fate === 'removed' ? new Set<AnyNode>() : new Set<AnyNode>(marked.flatMap((element) => [element, ...elementsBelow(element)]));
  if (fate === 'removed') for (const element of marked) detach(partToRemove(element, changed, random));
  redesign(changed, how, holders, random);
  const after = documentOf(writePage(changed), url);
  const found = takeMarks(after.tree);
  const watched = chosen.flatMap((element, number) => {
    const twin = found.get(String(number));
    if ((fate === 'removed') !== (twin === undefined)) return [];
    const stayed = (copies[number] ?? []).flatMap((_, at) => found.get(`${number}.${at}`) ?? []);
    return [{ before: element, after: twin, copies: stayed, shape: shapeOfValue(textOf(element)) }];
  });
  return { site, change: how.name, fate, before, after, watched };
}

function takeMarks(tree: PageTree): ReadonlyMap<string, Element> {
  const found = new Map<string, Element>();
  for (const element of elementsBelow(tree.body)) {
    const mark = element.attribs[MARK];
    if (mark === undefined) continue;
    delete element.attribs[MARK];
    if (!found.has(mark)) found.set(mark, element);
  }
  return found;
}

/** One element of each kind that people watch, by chance. */
function chooseWatched(tree: PageTree, random: Random): readonly Element[] {
  const kinds = new Map<string, Element[]>();
  for (const element of shownElementsBelow(tree.body)) {
    const kind = kindOf(element);
    if (kind !== undefined) kinds.set(kind, [...(kinds.get(kind) ?? []), element]);
  }
  const order = [...kinds.values()].toSorted(() => random() - 0.5);
  const chosen: Element[] = [];
  for (const elements of order) {
    const element = pick(elements, random);
    const isApart = chosen.every((other) => !isWithin(element, other) && !isWithin(other, element));
    if (isApart && chosen.length < WATCHED_MAX) chosen.push(element);
  }
  return chosen;
}

/** What somebody would watch it for; undefined for boxes, empty elements and long texts. */
function kindOf(element: Element): string | undefined {
  const { name } = element;
  if (/^(?:script|style|option|noscript|svg|br|html|body|iframe|template)$/.test(name)) return undefined;
  const isBox = element.children.filter(isTag).some((child) => /^(?:div|ul|ol|table|section|p|h\d|li|tr|form)$/.test(child.name));
  if (isBox) return undefined;
  const text = textOf(element, VALUE_CHARACTERS_MAX + 1);
  if (text === '' || text.length > VALUE_CHARACTERS_MAX || !/[\p{L}\p{N}]/u.test(text)) return undefined;
  const shape = shapeOfValue(text);
  if (shape !== 'words' && shape !== 'text') return shape;
  if (/^h\d$/.test(name)) return 'heading';
  if (/^(?:td|dd|li|p|a|button|label|time)$/.test(name)) return name;
  return 'words';
}

function isWithin(node: AnyNode, other: AnyNode): boolean {
  for (let at: AnyNode | null = node; at; at = at.parent) if (at === other) return true;
  return false;
}

/** The element alone, or the item of a list that it is part of, or the section around it. */
function partToRemove(element: Element, tree: PageTree, random: Random): ChildNode {
  const chance = random();
  if (chance < 0.4) return element;
  const total = textOf(tree.body).length;
  let part: Element = element;
  for (let at = element.parent; at && isTag(at) && at.name !== 'body'; at = at.parent) {
    if (textOf(at).length > total * (chance < 0.8 ? 0.1 : 0.3)) break;
    part = at;
    const { name } = at;
    const isItem =
      /^(?:li|tr|article)$/.test(name) || (at.parent?.children ?? []).filter((child) => isTag(child) && child.name === name).length > 2;
    if (chance < 0.8 && isItem) break;
  }
  return part;
}

/** Another value of the same kind, also where attributes repeat it, and in what leads to it. */
function changeValue(element: Element, tree: PageTree, random: Random): void {
  const before = textOf(element);
  const others = [...shownElementsBelow(tree.body)]
    .filter((other) => other !== element && other.name === element.name && !isWithin(other, element))
    .map((other) => textOf(other, VALUE_CHARACTERS_MAX));
  const foreign = others.filter((text) => text !== '' && text !== before && text.length < VALUE_CHARACTERS_MAX);
  const words = /\d/.test(before) || foreign.length === 0 ? undefined : pick(foreign, random).split(/\s+/);
  changeTexts(element, words, random);
  for (const part of [element, ...elementsBelow(element)]) {
    for (const name of ['title', 'aria-label', 'content', 'value', 'datetime', 'alt'])
      if (part.attribs[name] !== undefined) part.attribs[name] = textOf(element);
    if (part.attribs['href'] !== undefined && !part.attribs['href'].startsWith('#'))
      part.attribs['href'] = part.attribs['href'].replace(/[^/?#]*([?#].*)?$/, `n${Math.floor(random() * 1e6)}`);
  }
}

/** Puts other digits, or words of `words` where there are some, into what the element says. */
export function changeTexts(element: Element, words: readonly string[] | undefined, random: Random): void {
  const pending: AnyNode[] = [element];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (!isText(node)) {
      if ('children' in node) pending.push(...node.children);
    } else if (/\d/.test(node.data)) node.data = node.data.replace(/\d+/g, (digits) => changeDigits(digits, random));
    else if (words) node.data = node.data.replace(/\p{L}+/gu, () => pick(words, random));
  }
}
