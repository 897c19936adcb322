// Finds footnotes by what every engine does alike: a short mark leads to a note, and the note leads back to the mark.
import type { AnyNode, Element } from 'domhandler';
import { isTag, isText } from 'domhandler';
import { APART_ELEMENTS } from '../html/elements.ts';
import { findOnce } from '../html/tree.ts';
import type { PageTree } from '../html/tree.ts';
import { furnitureOf } from './furniture.ts';
import { parentOf, shownElementsBelow, textContentOf } from '../html/walk.ts';
import { decodeLoosely } from '../url/decode-loosely.ts';

/** The footnotes of a page. */
export interface Footnotes {
  /** The label of the note that an element refers to, with its brackets and its raising. */
  readonly references: ReadonlyMap<AnyNode, string>;
  /** The label of each element that holds a note. */
  readonly bodies: ReadonlyMap<AnyNode, string>;
  /** What leads back from the notes, with the marks beside it. */
  readonly backs: ReadonlySet<AnyNode>;
}

const NONE: Footnotes = { references: new Map(), bodies: new Map(), backs: new Set() };
/** A number, a letter or a sign, in brackets or not, or a short group with a number: `[note 1]`. */
const MARK = /^[\s[(]*(?:[\da-z]{1,4}|[*†‡§¶]{1,3}|[a-z]{1,10} \d{1,3})[\s\]).:]*$/i;
/** What stands beside a mark without being text. */
const BESIDE = /^(?:[\s[\](){}.,:;^|*↑↩⤴\u200b]|\ufe0e|\ufe0f)*$/u;
/** A link, or an element round or in it, can carry the name that leads back to it. */
const STEPS_MAX = 2;
const BODIES = new Set(['li', 'div', 'aside', 'p', 'section', 'table', 'dl', 'blockquote', 'dd', 'dt', 'article', 'footer']);

interface FragmentLink {
  readonly element: Element;
  readonly fragment: string;
  readonly place: number;
}

const FOUND = Symbol('notes');

/** The footnotes of a page, empty for most. */
export function footnotesOf(tree: PageTree): Footnotes {
  return findOnce(tree, FOUND, findFootnotes);
}

function findFootnotes(tree: PageTree): Footnotes {
  const links = furnitureOf(tree).fragmentLinks.flatMap(fragmentLink);
  const marks = links.filter(({ element }) => MARK.test(textContentOf(element)));
  if (marks.length === 0) return NONE;
  const places = placesOf(tree.body);
  const markAt = new Map<Element, FragmentLink[]>();
  for (const mark of marks) for (const element of namesOf(mark.element)) markAt.set(element, [...(markAt.get(element) ?? []), mark]);
  const found = new Found(places);
  for (const back of links) {
    const place = places.get(back.fragment);
    for (const mark of (place && markAt.get(place)) ?? []) found.pair(mark, back);
  }
  return found.footnotes();
}

function fragmentLink(element: Element, place: number): FragmentLink[] {
  const href = element.attribs['href']?.trim() ?? '';
  return href.startsWith('#') && href.length > 1 ? [{ element, fragment: decodeLoosely(href.slice(1)), place }] : [];
}

function placesOf(body: Element): ReadonlyMap<string, Element> {
  const places = new Map<string, Element>();
  for (const element of shownElementsBelow(body)) {
    const name = element.attribs['id'] ?? (element.name === 'a' ? element.attribs['name'] : undefined);
    if (name !== undefined && !places.has(name)) places.set(name, element);
  }
  return places;
}

/** The elements whose name can stand for the link. */
function namesOf(link: Element): Element[] {
  const names = [link, ...link.children.filter(isTag)];
  for (let at = parentOf(link), i = 0; at && i < STEPS_MAX && !APART_ELEMENTS.has(at.name); at = parentOf(at), i++) names.push(at);
  if (link.prev && isTag(link.prev) && link.prev.name === 'a') names.push(link.prev);
  return names;
}

/** Gathers pairs of marks and the links that lead back to them. */
class Found {
  private readonly places: ReadonlyMap<string, Element>;
  private readonly labels = new Map<Element, string>();
  private readonly backs = new Map<Element, Set<AnyNode>>();
  private readonly marks: { readonly element: Element; readonly body: Element }[] = [];
  /** Elements that hold several notes are none. */
  private readonly targets = new Map<Element, Element>();

  constructor(places: ReadonlyMap<string, Element>) {
    this.places = places;
  }

  pair(mark: FragmentLink, back: FragmentLink): void {
    const target = this.places.get(mark.fragment);
    const body = target && bodyOf(target);
    if (!target || !body || back.place <= mark.place || isAround(body, mark.element)) return;
    const holder = target.name === 'dt' ? target : body;
    if (!isAround(holder, back.element) || (this.targets.get(body) ?? target) !== target) return;
    this.targets.set(body, target);
    const backs = this.backs.get(body) ?? new Set();
    this.backs.set(body, backs.add(target.name === 'dt' ? target : back.element));
    if (!this.labels.has(body)) this.labels.set(body, this.newLabel(textContentOf(mark.element)));
    this.marks.push({ element: mark.element, body });
  }

  private newLabel(text: string): string {
    const taken = new Set(this.labels.values());
    const said = text.replace(/[^\da-z]+/gi, '');
    if (said !== '' && !taken.has(said)) return said;
    let number = taken.size + 1;
    while (taken.has(String(number))) number++;
    return String(number);
  }

  footnotes(): Footnotes {
    const references = new Map<AnyNode, string>();
    for (const { element, body } of this.marks) references.set(widest(element, new Set([element]), undefined), this.labels.get(body) ?? '');
    const backs = new Set<AnyNode>();
    for (const [body, links] of this.backs) for (const link of links) backs.add(widest(link, links, body));
    return { references, bodies: this.labels, backs };
  }
}

/** What a note is written in: its target, the definition behind a term, or the block round a bare anchor. */
function bodyOf(target: Element): Element | undefined {
  if (target.name === 'dt') {
    let next = target.next;
    while (next && !isTag(next)) next = next.next;
    return next && isTag(next) && next.name === 'dd' ? next : undefined;
  }
  let at: Element | undefined = target;
  while (at && !APART_ELEMENTS.has(at.name)) at = parentOf(at);
  return at && BODIES.has(at.name) ? at : undefined;
}

function isAround(element: AnyNode, inner: AnyNode): boolean {
  for (let at: AnyNode | null = inner; at; at = at.parent) if (at === element) return true;
  return false;
}

/** The outermost element in the line, below `top`, that says nothing but the `marks` and the signs beside them. */
function widest(mark: AnyNode, marks: ReadonlySet<AnyNode>, top: Element | undefined): AnyNode {
  let found = mark;
  for (let at = parentOf(mark); at && at !== top && !APART_ELEMENTS.has(at.name) && BESIDE.test(textWithout(at, marks)); at = parentOf(at))
    found = at;
  return found;
}

function textWithout(element: Element, marks: ReadonlySet<AnyNode>): string {
  let text = '';
  for (const child of element.children) {
    if (marks.has(child)) continue;
    if (isText(child)) text += child.data;
    else if (isTag(child)) text += textWithout(child, marks);
  }
  return text;
}
