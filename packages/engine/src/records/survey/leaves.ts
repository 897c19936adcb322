// Takes an item apart into its smallest values: texts, addresses, pictures, and what attributes say.
import type { AnyNode, Element } from 'domhandler';
import { isTag, isText } from 'domhandler';
import { stableClasses, stepOf } from './classes.ts';
import { readShortPrice } from '../name/price.ts';
import { readValue } from '../name/values.ts';
import { isHidden } from '../../html/hidden.ts';
import { elementsBelow } from '../../html/walk.ts';
import { isUnseen } from './survey.ts';
import { visibleText } from './text.ts';

/** A value as it stands in the markup. */
export interface Leaf {
  /** Tags and stable classes from the item down to here; equal paths are the same place in two items. */
  readonly path: string;
  readonly kind: 'text' | 'url' | 'image';
  readonly raw: string;
  readonly itemprop: string | undefined;
  /** Stable classes, nearest element first. */
  readonly classes: readonly string[];
  readonly heading: boolean;
  /** Characters of link text, for addresses. */
  readonly linkChars: number;
}

const LEAVES_MAX = 200;
/** A price is at most this much text, in at most so many elements. */
const PRICE_CHARS_MAX = 30;
const PRICE_ELEMENTS_MAX = 20;
/** A text with links in it is one value when this share of it is its own. */
const OWN_TEXT_MIN = 0.6;
const FORMAT = new Set('abbr b bdi bdo br cite code del em font i ins mark q s small strong sub sup u wbr'.split(' '));
/** Of these, those that set words off without saying more. */
const SET_OFF = new Set(['b', 'em', 'font', 'i', 'mark', 'strong', 'u']);
/** Elements that say "no longer" of what is in them (HTML, sections 4.5.5 and 4.7.2); what stands beside them is what holds now. */
const STRUCK = new Set(['del', 's', 'strike']);
/** `ins` is what came in the place of `del`, and else nothing of its own. */
/** What a label on these says is what they do. */
const ACTING = new Set(['a', 'button', 'input', 'select', 'label', 'summary']);
const WRAPPERS = new Set(['div', 'span', 'tbody', 'ins']);
const RATING_WORDS = /star|rating|review/i;

interface Place {
  readonly path: string;
  readonly classes: readonly string[];
  readonly heading: boolean;
  readonly itemprop: string | undefined;
}

/** The values of an item in document order, at most LEAVES_MAX. `roots` are its nodes. What a picture shows counts where nothing is written. */
export function leavesOf(roots: readonly AnyNode[]): Leaf[] {
  const leaves: Leaf[] = [];
  for (const root of roots) {
    const top: Place = { path: '', classes: [], heading: false, itemprop: undefined };
    if (isText(root)) addColumns(root.data, { ...top, path: '>~' }, leaves);
    if (!isTag(root)) continue;
    const place = roots.length > 1 || root.name === 'a' ? enter(top, root) : { ...top, classes: stableClasses(root.attribs['class']) };
    visit(root, place, leaves);
  }
  const isWritten = leaves.some(({ kind, path }) => kind === 'text' && !path.endsWith('@alt'));
  return leaves.filter(({ path }) => !isWritten || !path.endsWith('@alt')).slice(0, LEAVES_MAX);
}

/** What stands between a value and its neighbours. */
const DIVIDERS = /^[·•|]\s+|\s+[·•|]$/g;

/** True for a path into struck-out text. */
export function isStruck(path: string): boolean {
  return path.split('>').some((step) => STRUCK.has(/^\w+/.exec(step)?.[0] ?? ''));
}

/** Bare text of a line; columns stand at least two spaces apart. */
function addColumns(data: string, place: Place, leaves: Leaf[]): void {
  for (const column of data.split(/\s{2,}|\n/)) addText(column.trim(), place, leaves);
}

function visit(element: Element, place: Place, leaves: Leaf[]): void {
  if (leaves.length >= LEAVES_MAX) return;
  addAttributes(element, place, leaves);
  if (isUnseen(element) || isDated(element)) return;
  const whole = holdsStruck(element) ? undefined : wholeText(element);
  if (whole !== undefined) addText(momentOver(element, whole) ?? whole, place, leaves);
  else addText(runningText(element), place, leaves);
  for (const child of element.children) {
    if (!isTag(child) || (whole === undefined ? isAmidText(child) : FORMAT.has(child.name))) continue;
    if (whole === undefined) visit(child, enter(place, child), leaves);
    else addLinks(child, enter(place, child), leaves);
  }
}

/** True where a part of the text is struck out and the rest holds: two values, whatever is around them. */
function holdsStruck(element: Element): boolean {
  const tags = element.children.filter(isTag);
  return tags.some((child) =>
    STRUCK.has(child.name) ? element.children.some((other) => other !== child && hasText(other)) : holdsStruck(child),
  );
}

function hasText(node: AnyNode): boolean {
  if (isText(node)) return node.data.trim() !== '';
  return isTag(node) && !STRUCK.has(node.name) && node.children.some(hasText);
}

/** What a `datetime` says, the text in it says less exactly. */
function isDated(element: Element): boolean {
  const dateTime = element.attribs['datetime'];
  return dateTime !== undefined && dateTime !== '' && !element.children.some(isTag);
}

/** The day that the title of "2 minutes ago" says: it stays what it is while time goes by. */
function momentOver({ attribs }: Element, text: string): string | undefined {
  const title = attribs['title']?.trim() ?? '';
  if (title === '' || title === text) return undefined;
  const [said, titled] = [readValue(text, 'date'), readValue(title, 'date')];
  const isExact = said?.type === 'date' && said.secondsAgo !== undefined && titled?.type === 'date' && titled.iso !== undefined;
  return isExact ? title : undefined;
}

function addText(text: string, place: Place, leaves: Leaf[]): void {
  if (!/[\p{L}\p{N}★☆]/u.test(text)) return;
  leaves.push({ ...place, kind: 'text', raw: text.replaceAll(DIVIDERS, ''), linkChars: 0 });
}

/** Links and pictures inside a text that is one value. */
function addLinks(element: Element, place: Place, leaves: Leaf[]): void {
  if (isUnseen(element)) return;
  addAttributes(element, place, leaves);
  for (const child of element.children) if (isTag(child)) addLinks(child, enter(place, child), leaves);
}

function enter(place: Place, element: Element): Place {
  const classes = stableClasses(element.attribs['class']);
  const bare = classes.length === 0 && WRAPPERS.has(element.name);
  return {
    path: bare ? place.path : `${place.path}>${legOf(element)}`,
    classes: [...classes, ...place.classes].slice(0, 8),
    heading: place.heading || /^h[1-6]$/.test(element.name),
    itemprop: element.attribs['itemprop'] ?? (element.attribs['itemscope'] === undefined ? place.itemprop : undefined),
  };
}

/** Cells of a row are told apart by their column. */
function legOf(element: Element): string {
  return element.name === 'td' || element.name === 'th' ? `td[${columnOf(element)}]` : stepOf(element);
}

/** Zero-based; cells that span columns count for all of them. */
export function columnOf(cell: Element): number {
  let column = 0;
  for (let at = cell.prev; at; at = at.prev) if (isTag(at)) column += Number.parseInt(at.attribs['colspan'] ?? '1', 10) || 1;
  return column;
}

/** The text of `element` as one value; undefined when its parts are values of their own. */
function wholeText(element: Element): string | undefined {
  if (isShort(element)) {
    const pieces = piecesOf(element).join(' ');
    if (/^\D{0,6}[\d.,\s]+\D{0,6}$/.test(pieces) && readShortPrice(pieces) && !holdsName(element))
      return isLining(element) ? undefined : pieces;
  }
  if (element.children.every((child) => !isTag(child) || isFormat(child))) return visibleText([element]);
  const own = ownText(element);
  if (own === '') return undefined;
  const text = visibleText([element]);
  return own.length >= text.length * OWN_TEXT_MIN ? text : undefined;
}

/** True where a heading or a link in `element` says something else than a price: the short name of what costs it. */
function holdsName(element: Element): boolean {
  return element.children.some((child) => {
    if (!isTag(child)) return false;
    if (child.name !== 'a' && !/^h[1-6]$/.test(child.name)) return holdsName(child);
    const text = visibleText([child]);
    return /\p{L}/u.test(text) && readShortPrice(text) === undefined;
  });
}

/** True where one child element has all of the text: the value stands there, beside a struck one or alone. */
function isLining(element: Element): boolean {
  const seen = element.children.filter((child) => (isText(child) ? child.data.trim() !== '' : isTag(child) && !isUnseen(child)));
  return seen.length === 1 && isTag(seen[0] as AnyNode);
}

/** Cheaper than the text itself: stops as soon as there is too much of it. */
function isShort(element: Element): boolean {
  let room = PRICE_CHARS_MAX;
  let elements = 0;
  const pending: Element[] = [element];
  for (let next = pending.pop(); next && room >= 0; next = pending.pop()) {
    if (++elements > PRICE_ELEMENTS_MAX) return false;
    for (const child of next.children) {
      if (isText(child)) room -= child.data.trim().length;
      else if (isTag(child)) pending.push(child);
    }
  }
  return room >= 0;
}

function isFormat(element: Element): boolean {
  const plain = FORMAT.has(element.name) || (element.name === 'span' && Object.keys(element.attribs).length === 0);
  return plain && element.children.every((child) => !isTag(child) || isFormat(child));
}

function ownText(element: Element): string {
  return element.children.map(ownTextOf).join('').replace(/\s+/g, ' ').trim();
}

/** The text of `element` itself, with what is only set off in it: the words that were searched for, in most results. */
function runningText(element: Element): string {
  const text = element.children.map((child) => (isTag(child) && isAmidText(child) ? visibleText([child]) : ownTextOf(child))).join('');
  return text.replace(/\s+/g, ' ').trim();
}

function ownTextOf(node: AnyNode): string {
  return isText(node) && !isHidden(node) ? node.data : ' ';
}

/** True for what is set off between two stretches of text: a value of its own stands at an end, as a label does. */
function isAmidText(element: Element): boolean {
  if (!SET_OFF.has(element.name) || element.attribs['itemprop'] !== undefined || element.children.some(isTag)) return false;
  return [element.prev, element.next].every((beside) => beside !== null && isText(beside) && beside.data.trim() !== '');
}

function piecesOf(element: Element): string[] {
  return element.children.flatMap((child) => {
    if (isText(child)) return isHidden(child) || child.data.trim() === '' ? [] : [child.data.trim()];
    return isTag(child) && !isUnseen(child) ? piecesOf(child) : [];
  });
}

function addAttributes(element: Element, place: Place, leaves: Leaf[]): void {
  const { name, attribs } = element;
  const add = (kind: Leaf['kind'], attribute: string, raw: string, linkChars = 0) =>
    leaves.push({ ...place, path: `${place.path}@${attribute}`, kind, raw, linkChars });
  const href = attribs['href']?.trim() ?? '';
  if (name === 'a' && href !== '' && !/^(?:#|javascript:)/i.test(href)) add('url', 'href', href, visibleText([element]).length);
  if (name === 'img') {
    const source = imageSource(attribs);
    if (source !== undefined) add('image', 'src', source);
    if ((attribs['alt'] ?? '').trim().length > 2) add('text', 'alt', (attribs['alt'] ?? '').trim());
  }
  const sign = signIn(element);
  if (sign !== undefined) add('text', 'sign', sign);
  const dateTime = attribs['datetime'];
  if (dateTime !== undefined && dateTime !== '') add('text', 'datetime', dateTime);
  if (attribs['itemprop'] !== undefined && attribs['content'] !== undefined) add('text', 'content', attribs['content']);
  addRating(element, place, add);
}

/** What a sign says that is all there is in a cell of a table: a tick for yes, a flag for a country. */
function signIn(cell: Element): string | undefined {
  if ((cell.name !== 'td' && cell.name !== 'th') || visibleText([cell]) !== '') return undefined;
  const labels = [...elementsBelow(cell)].flatMap(({ name, attribs }) => {
    if (ACTING.has(name)) return [];
    const label = (attribs['alt'] || attribs['aria-label'] || attribs['title'])?.trim() ?? '';
    return /[\p{L}\p{N}]/u.test(label) ? [label] : [];
  });
  return labels.length === 1 ? labels[0] : undefined;
}

/** Stars that are drawn, not written: the label, or the width of the bar. */
function addRating(element: Element, place: Place, add: (kind: Leaf['kind'], attribute: string, raw: string) => void): void {
  const { attribs } = element;
  for (const attribute of ['aria-label', 'title', 'alt']) {
    const label = attribs[attribute] ?? '';
    if (label.length < 60 && /\d.*(?:out of|\/\s?5|stars?\b|von 5|sur 5|de 5|su 5)/i.test(label)) return void add('text', attribute, label);
  }
  const bar = /^\s*(width:\s*\d+(?:\.\d+)?%)/.exec(attribs['style'] ?? '')?.[1];
  if (bar !== undefined && place.classes.some((token) => RATING_WORDS.test(token))) add('text', 'style', bar);
}

/** The largest of `srcset`, else a lazily loaded address, else `src`; placeholders in the page itself do not count. */
function imageSource(attribs: Element['attribs']): string | undefined {
  const sets = [attribs['srcset'], attribs['data-srcset']].filter((set) => set !== undefined && set !== '');
  const largest = sets.map((set) => largestOf(set ?? '')).find((url) => url !== undefined);
  const lazy = ['data-src', 'data-original', 'data-lazy-src', 'data-lazy', 'data-image', 'src'].map((name) => attribs[name]?.trim());
  return largest ?? lazy.find((url) => url !== undefined && url !== '' && !url.startsWith('data:'));
}

function largestOf(srcset: string): string | undefined {
  const entries = srcset.split(/,\s+/).map((entry) => entry.trim().split(/\s+/));
  const sized = entries.map(([url = '', size = '1x']) => ({ url, size: Number.parseFloat(size) || 1 }));
  const usable = sized.filter(({ url }) => url !== '' && !url.startsWith('data:'));
  return usable.toSorted((a, b) => b.size - a.size)[0]?.url;
}
