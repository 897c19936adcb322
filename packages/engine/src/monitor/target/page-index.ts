// Reads a page once for everything that tells its elements apart: where their words stand, under which heading, in which part.
import type { AnyNode, Element } from 'domhandler';
import { isTag } from 'domhandler';
import { headingLevel, roleOf } from '../../html/selectors/accessible.ts';
import { readSpans } from '../../html/selectors/spans.ts';
import { isStableName } from '../../html/selectors/stable.ts';
import { findOnce } from '../../html/tree.ts';
import type { PageTree } from '../../html/tree.ts';
import { attribute, tokensOf } from '../../html/walk.ts';

/** Where an element stands. */
export interface Place {
  readonly element: Element;
  /** Its words among those of the page: from `first` up to and without `end`. */
  readonly first: number;
  readonly end: number;
  /** Its place among siblings of its name, from 0. */
  readonly at: number;
  /** The roles of the landmarks that hold it, the nearest first; empty outside of all. */
  readonly landmarks: readonly string[];
  /** The heading that stands before it and does not hold it; undefined above the first. */
  readonly heading: Place | undefined;
}

/** What a page says, word by word, and who says it. */
export interface PageIndex {
  readonly tree: PageTree;
  /** In document order, in small letters, digits as `#`: numbers change, and their length rarely does. */
  readonly words: readonly string[];
  /** The same with their digits. */
  readonly spelled: readonly string[];
  /** In document order; at most PLACES_MAX. */
  readonly places: readonly Place[];
  readonly placeOf: ReadonlyMap<AnyNode, Place>;
  /** Ids and classes of an element that are likely to stay, as `#id` and `.class`; read once, since they are asked for of everything below. */
  stableNames(element: Element): readonly string[];
}

/** Elements further down a page are not looked at: what a hostile page can make a search cost ends here. */
export const PLACES_MAX = 30_000;
/** Landmarks of ARIA 1.2 that pages have one or few of; `form` and `region` come and go with names. */
const LANDMARKS: ReadonlySet<string> = new Set(['main', 'navigation', 'banner', 'contentinfo', 'complementary', 'search', 'dialog']);
const NO_LANDMARKS: readonly string[] = [];
const CLASSES_MAX = 8;
const PAGE_INDEX = Symbol('places of words');

/** The index of a page, made once. */
export function readPageIndex(tree: PageTree): PageIndex {
  return findOnce(tree, PAGE_INDEX, readIndex);
}

/** The words of `text`, as the index has them. */
export function wordsOf(text: string): readonly string[] {
  return (text.toLowerCase().match(WORD) ?? []).map(maskDigits);
}

const WORD = /[\p{L}\p{N}]+/gu;

function maskDigits(word: string): string {
  return word.replace(/\p{N}/gu, '#');
}

function readIndex(tree: PageTree): PageIndex {
  const { text, spans } = readSpans(tree.body, (piece) => piece.toLowerCase());
  const words: string[] = [];
  const spelled: string[] = [];
  const starts: number[] = [];
  for (const match of text.matchAll(WORD)) {
    words.push(maskDigits(match[0]));
    spelled.push(match[0]);
    starts.push(match.index);
  }
  const places: Place[] = [];
  const siblings = new Map<AnyNode, Map<string, number>>();
  const placeOf = new Map<AnyNode, Place>();
  let heading: Place | undefined;
  for (const { element, start, end } of spans.slice(0, PLACES_MAX)) {
    const first = firstFrom(starts, start);
    const parent = element.parent ? placeOf.get(element.parent) : undefined;
    const role = roleOf(element) ?? '';
    const outer = parent?.landmarks ?? NO_LANDMARKS;
    const place: Place = {
      element,
      first,
      end: firstFrom(starts, end),
      at: element.parent ? countSibling(siblings, element.parent, element.name) : 0,
      landmarks: LANDMARKS.has(role) ? [role, ...outer] : outer,
      heading: heading && holds(heading.element, element) ? heading.heading : heading,
    };
    places.push(place);
    placeOf.set(element, place);
    if (role === 'heading' && headingLevel(element) !== undefined && place.end > first) heading = place;
  }
  return { tree, words, spelled, places, placeOf, stableNames: stableNamesReader() };
}

/** Few names stand on many elements. */
function stableNamesReader(): PageIndex['stableNames'] {
  const judged = new Map<string, boolean>();
  const isStable = (name: string) => {
    const known = judged.get(name) ?? isStableName(name);
    judged.set(name, known);
    return known;
  };
  const read = new Map<Element, readonly string[]>();
  return (element) => {
    const known = read.get(element);
    if (known) return known;
    const id = attribute(element, 'id');
    const classes = tokensOf(element, 'class').filter(isStable).slice(0, CLASSES_MAX);
    const names = [...(id !== undefined && isStable(id) ? [`#${id}`] : []), ...classes.map((token) => `.${token}`)];
    read.set(element, names);
    return names;
  };
}

/** How many siblings of that name came before. */
function countSibling(siblings: Map<AnyNode, Map<string, number>>, parent: AnyNode, name: string): number {
  const counts = siblings.get(parent) ?? new Map<string, number>();
  siblings.set(parent, counts);
  const before = counts.get(name) ?? 0;
  counts.set(name, before + 1);
  return before;
}

/** The index of the first of `starts`, which grow, that is not below `offset`. */
function firstFrom(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] as number) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Headings are shallow: whoever lies in one is found within a few steps. */
function holds(heading: Element, element: Element): boolean {
  let steps = 0;
  for (let at: AnyNode | null = element.parent; at && isTag(at) && steps < HEADING_DEPTH_MAX; at = at.parent, steps++)
    if (at === heading) return true;
  return false;
}

const HEADING_DEPTH_MAX = 8;
