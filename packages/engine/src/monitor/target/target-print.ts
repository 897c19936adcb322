// What tells one element of a page from all others: by what it is, what names it and what stands around it.
import type { Element } from 'domhandler';
import { roleOf } from '../../html/selectors/accessible.ts';
import { labelOf } from '../../html/selectors/alternates.ts';
import { valueOf } from '../../html/selectors/resolve.ts';
import { isStableValue } from '../../html/selectors/stable.ts';
import { attribute, parentOf } from '../../html/walk.ts';
import type { PageIndex, Place } from './page-index.ts';
import { wordsOf } from './page-index.ts';
import { shapeOfValue } from './shape.ts';
import type { ValueShape } from './shape.ts';

/** An element as it stood on one page. Lists of words are as `wordsOf` writes them. */
export interface TargetPrint {
  readonly tag: string;
  readonly role?: string;
  readonly id?: string;
  readonly classes: readonly string[];
  /** Others that an author wrote, without states, styles and long values. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Host and path of the address that it leads to. */
  readonly href?: string;
  /** Ids and classes of what holds it, nearest first. */
  readonly around: readonly string[];
  /** Place among siblings of its name, from 0. */
  readonly at: number;
  /** The nearest landmark that holds it, and all that do, nearest first; empty outside of all. */
  readonly landmark: string;
  readonly landmarks?: readonly string[];
  readonly label: readonly string[];
  readonly heading: readonly string[];
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** What else the smallest block around it says. */
  readonly within: readonly string[];
  readonly words: readonly string[];
  /** How many words it says, and the first of them with their digits. */
  readonly count: number;
  readonly spelled: string;
  /** Share of the page's words that stand before it. */
  readonly depth: number;
  readonly shape: ValueShape;
}

/** Words that are kept of what an element says, and of what stands beside it. */
const WORDS_MAX = 40;
const NEIGHBOURS = 8;
const NAME_WORDS_MAX = 16;
/** A block says more than the element itself does by so many words. */
const BLOCK_WORDS_MIN = 4;
const AROUND_MAX = 12;
const ANCESTORS_MAX = 8;
const ATTRIBUTES_MAX = 12;
const VALUE_CHARACTERS_MAX = 120;
const SHAPED_CHARACTERS_MAX = 400;
const LABEL_DEPTH_MAX = 3;
/** States and styles; the others have members of their own. */
const LEFT_OUT =
  /^(?:id|class|style|href|src|srcset|value|role|hidden|tabindex|width|height|on.*|aria-(?:expanded|hidden|selected|current|pressed|checked|busy|live|describedby|controls|labelledby|owns)|data-(?:v-|react|shadow|frame).*)$/;

/** The print of the element at `place`. */
export function printTarget(place: Place, index: PageIndex): TargetPrint {
  const { element, first, end, landmarks } = place;
  const role = roleOf(element);
  const id = stableId(element, index);
  const href = addressOf(element, index);
  return {
    tag: element.name,
    ...(role === undefined ? {} : { role }),
    ...(id === undefined ? {} : { id }),
    classes: classesOf(element, index),
    attributes: attributesOf(element),
    ...(href === undefined ? {} : { href }),
    around: aroundOf(element, index),
    at: place.at,
    landmark: landmarks[0] ?? '',
    ...(landmarks.length > 1 ? { landmarks } : {}),
    label: labelWordsOf(place, index),
    heading: headingOf(place, index),
    before: beforeOf(place, index),
    after: afterOf(place, index),
    within: withinOf(place, index),
    words: sayingOf(place, index),
    count: end - first,
    spelled: spelledBy(place, index),
    depth: Math.round(depthOf(place, index) * 1000) / 1000,
    shape: shapeOfPlace(place),
  };
}

/** The shape of what the element at `place` says, or of the value that it holds. */
export function shapeOfPlace(place: Place): ValueShape {
  return shapeOfValue(valueOf(place.element, SHAPED_CHARACTERS_MAX));
}

/** `#id` of an element, where it will mean the same tomorrow. */
export function stableId(element: Element, index: PageIndex): string | undefined {
  const [first] = index.stableNames(element);
  return first?.startsWith('#') ? first : undefined;
}

export function classesOf(element: Element, index: PageIndex): readonly string[] {
  const names = index.stableNames(element);
  return names[0]?.startsWith('#') ? names.slice(1) : names;
}

export function attributesOf(element: Element): Readonly<Record<string, string>> {
  const kept = Object.entries(element.attribs).filter(
    ([name, value]) => value.length <= VALUE_CHARACTERS_MAX && !LEFT_OUT.test(name) && (!name.startsWith('data-') || isStableValue(value)),
  );
  return Object.fromEntries(kept.slice(0, ATTRIBUTES_MAX));
}

/** Where a link leads, without what a session adds to it. */
export function addressOf(element: Element, { tree }: PageIndex): string | undefined {
  const href = attribute(element, 'href');
  const url = href === undefined ? null : URL.parse(href, tree.baseUrl);
  return url && /^https?:$/.test(url.protocol) ? (url.host + url.pathname).slice(0, VALUE_CHARACTERS_MAX) : undefined;
}

export function aroundOf(element: Element, index: PageIndex): readonly string[] {
  const names: string[] = [];
  let depth = 0;
  for (let at = parentOf(element); at && at.name !== 'body' && depth < ANCESTORS_MAX; at = parentOf(at), depth++) {
    names.push(...index.stableNames(at));
    if (names.length >= AROUND_MAX) break;
  }
  return names.slice(0, AROUND_MAX);
}

/** The words that name what stands at `place`: of the element, or of what holds nothing else. */
export function labelWordsOf(place: Place, index: PageIndex): readonly string[] {
  let at: Element | undefined = place.element;
  for (let depth = 0; at && depth < LABEL_DEPTH_MAX; depth++) {
    const here = index.placeOf.get(at);
    if (!here || here.first !== place.first || here.end !== place.end) return [];
    const label = labelOf(at, index.tree);
    if (label !== '') return wordsOf(label).slice(0, NAME_WORDS_MAX);
    at = parentOf(at);
  }
  return [];
}

export function headingOf({ heading }: Place, { words }: PageIndex): readonly string[] {
  return heading ? words.slice(heading.first, Math.min(heading.end, heading.first + NAME_WORDS_MAX)) : [];
}

export function beforeOf({ first }: Place, { words }: PageIndex): readonly string[] {
  return words.slice(Math.max(0, first - NEIGHBOURS), first);
}

export function afterOf({ end }: Place, { words }: PageIndex): readonly string[] {
  return words.slice(end, end + NEIGHBOURS);
}

/** What the smallest block around the element says that says more than the element: the row of a list, the card of a product. */
export function withinOf(place: Place, index: PageIndex): readonly string[] {
  const own = place.end - place.first;
  let depth = 0;
  for (let at = parentOf(place.element); at && depth < ANCESTORS_MAX; at = parentOf(at), depth++) {
    const block = index.placeOf.get(at);
    if (!block) return [];
    if (block.end - block.first < own + BLOCK_WORDS_MIN) continue;
    const before = index.words.slice(Math.max(block.first, place.first - WORDS_MAX), place.first);
    return [...before, ...index.words.slice(place.end, Math.min(block.end, place.end + WORDS_MAX))];
  }
  return [];
}

export function depthOf({ first }: Place, { words }: PageIndex): number {
  return first / (words.length || 1);
}

/** The first words of an element. */
export function sayingOf({ first, end }: Place, { words }: PageIndex): readonly string[] {
  return words.slice(first, Math.min(end, first + WORDS_MAX));
}

/** The first words of an element with their digits, on one line. */
export function spelledBy({ first, end }: Place, { spelled }: PageIndex): string {
  return spelled.slice(first, Math.min(end, first + WORDS_MAX)).join(' ');
}
