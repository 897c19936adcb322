// Makes truth for lists out of what pages declare of themselves: microdata, microformats, <article>, JSON-LD and embedded states. The marks go, the answer stays.
import type { Element } from 'domhandler';
import { isTag, isText } from 'domhandler';
import { readStructuredData } from '../../../packages/engine/src/extract/structured/structured.ts';
import type { PageTree } from '../../../packages/engine/src/html/tree.ts';
import { elementsBelow } from '../../../packages/engine/src/html/walk.ts';
import { isUnseen } from '../../../packages/engine/src/records/survey/survey.ts';
import { visibleText } from '../../../packages/engine/src/records/survey/text.ts';
import { type Truth, normalise } from './score.ts';

/** The rows that a page declares, and by what. */
export interface DeclaredList {
  readonly by: 'microdata' | 'microformats' | 'article' | 'json';
  /** Row by row what stands for it: a whole record (`whole`), or only the link to it. */
  readonly rows: readonly (readonly Element[])[];
  readonly whole: boolean;
}

const ROWS_MIN = 4;
/** A list that a page is about holds this share of its text. */
const SHARE_MIN = 0.3;
/** The same for the text of their links alone. */
const LINKED_MIN = 0.1;
/** Types of what lies around lists, or describes the page. */
const ASIDE_TYPES =
  /breadcrumb|navigation|image|video|webpage|website|wp(?:header|footer|sidebar)|rating|offer$|person$|organization$|postaladdress|contactpoint|propertyvalue/i;
/** Scopes whose parts are records. */
const HOLDERS =
  /itemlist|collectionpage|searchresultspage|webpage|blog$|catalog|website|faqpage|qapage|question$|discussionforumposting|breadcrumblist|profilepage/i;
/** Root class names of microformats.org, version 1 and 2. */
const ROOTS = /^(?:hentry|h-entry|hproduct|h-product|vevent|h-event|hreview|h-review|hrecipe|h-recipe|h-feed-item)$/;

/** What the page declares its list to be; undefined where it declares none, or one that is a small part of the page. */
export function declaredList(tree: PageTree): DeclaredList | undefined {
  const total = normalise(visibleText([tree.body])).length;
  const options = [...microdataLists(tree), ...microformatLists(tree), ...articleLists(tree)]
    .map((rows) => ({ ...rows, rows: rows.rows.filter(isShown) }))
    .filter(({ rows }) => rows.length >= ROWS_MIN);
  const best = options.map((list) => ({ list, chars: charsOf(list) })).toSorted((a, b) => b.chars - a.chars)[0];
  if (best && best.chars >= total * SHARE_MIN) return best.list;
  return jsonList(tree, total * LINKED_MIN);
}

function charsOf({ rows }: DeclaredList): number {
  return rows.reduce((sum, row) => sum + normalise(visibleText(row)).length, 0);
}

function isShown(row: readonly Element[]): boolean {
  return normalise(visibleText(row)).length >= 4 && row.every((element) => !isInUnseen(element));
}

function isInUnseen(element: Element): boolean {
  for (let at: Element['parent'] = element; at && isTag(at); at = at.parent) if (isUnseen(at)) return true;
  return false;
}

function microdataLists(tree: PageTree): DeclaredList[] {
  const groups = new Map<string, Element[]>();
  for (const element of elementsBelow(tree.body)) {
    const type = element.attribs['itemtype'];
    if (type === undefined || ASIDE_TYPES.test(type)) continue;
    const holder = scopeAround(element);
    const holderType = holder?.attribs['itemtype'] ?? '';
    if (holder && !HOLDERS.test(holderType)) continue;
    if (/breadcrumb/i.test(holderType)) continue;
    const key = type.trim();
    groups.set(key, [...(groups.get(key) ?? []), element]);
  }
  return [...groups.values()].map((elements) => ({ by: 'microdata', whole: true, rows: elements.map((element) => [element]) }));
}

function scopeAround(element: Element): Element | undefined {
  for (let at = element.parent; at && isTag(at); at = at.parent) if (at.attribs['itemscope'] !== undefined) return at;
  return undefined;
}

function microformatLists(tree: PageTree): DeclaredList[] {
  const groups = new Map<string, Element[]>();
  for (const element of elementsBelow(tree.body)) {
    const root = (element.attribs['class'] ?? '').split(/\s+/).find((token) => ROOTS.test(token));
    if (root !== undefined) groups.set(root, [...(groups.get(root) ?? []), element]);
  }
  return [...groups.values()].map((elements) => ({ by: 'microformats', whole: true, rows: outermost(elements).map((one) => [one]) }));
}

/** HTML: an `article` is a composition of its own, so many of them side by side are the entries of a list. */
function articleLists(tree: PageTree): DeclaredList[] {
  const articles = outermost(
    [...elementsBelow(tree.body)].filter(({ name, attribs }) => name === 'article' || attribs['role'] === 'article'),
  );
  const inMain = articles.filter((element) => !isAside(element));
  return [{ by: 'article', whole: true, rows: inMain.map((element) => [element]) }];
}

function isAside(element: Element): boolean {
  for (let at = element.parent; at && isTag(at); at = at.parent) if (['aside', 'nav', 'footer', 'header'].includes(at.name)) return true;
  return false;
}

function outermost(elements: readonly Element[]): Element[] {
  const all = new Set(elements);
  return elements.filter((element) => {
    for (let at = element.parent; at && isTag(at); at = at.parent) if (all.has(at)) return false;
    return true;
  });
}

type JsonObject = Readonly<Record<string, unknown>>;

/** The largest group of objects in JSON-LD or a state of which nearly every one is linked on the page. */
function jsonList(tree: PageTree, charsMin: number): DeclaredList | undefined {
  const { jsonLd, states } = readStructuredData(tree);
  const links = linksOf(tree);
  let best: Element[][] = [];
  for (const group of [...groupsIn(jsonLd), ...states.flatMap(({ value }) => groupsIn(value))]) {
    const rows = group.map((object) => anchorsOf(object, links, tree.baseUrl)).filter((anchors) => anchors.length > 0);
    const distinct = new Set(rows.map((anchors) => anchors[0]));
    if (rows.length < group.length * 0.8 || distinct.size < Math.max(ROWS_MIN, rows.length * 0.9)) continue;
    if (linkedChars(rows) > linkedChars(best)) best = rows;
  }
  return best.length < ROWS_MIN || linkedChars(best) < charsMin ? undefined : { by: 'json', whole: false, rows: best };
}

function linkedChars(rows: readonly (readonly Element[])[]): number {
  return rows.reduce((sum, anchors) => sum + Math.max(0, ...anchors.map((anchor) => visibleText([anchor]).length)), 0);
}

function linksOf(tree: PageTree): Map<string, Element[]> {
  const links = new Map<string, Element[]>();
  for (const element of elementsBelow(tree.body)) {
    if (element.name !== 'a' || element.attribs['href'] === undefined || isAside(element) || isInUnseen(element)) continue;
    const url = URL.parse(element.attribs['href'], tree.baseUrl);
    if (!url || !url.protocol.startsWith('http')) continue;
    const key = keyOf(url);
    links.set(key, [...(links.get(key) ?? []), element]);
  }
  return links;
}

function keyOf(url: URL): string {
  return `${url.hostname.replace(/^www\./, '')}${url.pathname.replace(/\/$/, '')}`.toLowerCase();
}

function anchorsOf(object: JsonObject, links: ReadonlyMap<string, Element[]>, base: string): Element[] {
  const inner = typeof object['item'] === 'object' && object['item'] !== null ? (object['item'] as JsonObject) : {};
  for (const holder of [object, inner, (object['node'] ?? {}) as JsonObject]) {
    for (const value of [
      holder['url'],
      holder['@id'],
      holder['item'],
      holder['link'],
      holder['href'],
      holder['path'],
      holder['permalink'],
      holder['canonicalUrl'],
    ]) {
      if (typeof value !== 'string' || !/^(?:https?:|\/)/.test(value)) continue;
      const url = URL.parse(value, base);
      if (!url || url.pathname.length < 2) continue;
      const found = links.get(keyOf(url));
      if (found) return found;
    }
  }
  return [];
}

function groupsIn(value: unknown, depth = 0, groups: JsonObject[][] = []): JsonObject[][] {
  if (typeof value !== 'object' || value === null || depth > 14 || groups.length > 5000) return groups;
  if (!Array.isArray(value) && /Breadcrumb|SiteNavigation/.test(String((value as JsonObject)['@type'] ?? ''))) return groups;
  if (Array.isArray(value)) {
    const objects = value.filter((one): one is JsonObject => typeof one === 'object' && one !== null && !Array.isArray(one));
    if (objects.length >= ROWS_MIN) groups.push(objects);
  }
  for (const child of Object.values(value)) groupsIn(child, depth + 1, groups);
  return groups;
}

/** Takes away what declared the list: nothing but the look of the page is left to find it by. */
export function maskMarks(tree: PageTree): void {
  for (const element of elementsBelow(tree.root)) {
    for (const name of Object.keys(element.attribs)) if (/^item(?:scope|type|prop|id|ref)$/.test(name)) delete element.attribs[name];
    if (element.attribs['role'] === 'article') delete element.attribs['role'];
    const tokens = (element.attribs['class'] ?? '').split(/\s+/);
    if (tokens.some((token) => ROOTS.test(token))) element.attribs['class'] = tokens.filter((token) => !ROOTS.test(token)).join(' ');
    if (element.name === 'article') element.name = 'div';
  }
}

/** The rows of a list of whole records as texts, for scoreItems. */
export function textsOfRows(list: DeclaredList): Truth {
  return list.rows
    .map((row) =>
      row
        .flatMap(textsIn)
        .map(normalise)
        .filter((text) => text.length >= 2),
    )
    .filter((row) => row.join('').length >= 4);
}

function textsIn(element: Element): string[] {
  if (isUnseen(element)) return [];
  return element.children.flatMap((child) => (isText(child) ? [child.data] : isTag(child) ? textsIn(child) : []));
}
