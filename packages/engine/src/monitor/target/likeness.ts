// How like an element of a page is to the one that a baseline recorded, property by property.
import type { Element } from 'domhandler';
import { roleOf } from '../../html/selectors/accessible.ts';
import type { PageIndex, Place } from './page-index.ts';
import { areShapesAlike } from './shape.ts';
import {
  addressOf,
  afterOf,
  aroundOf,
  attributesOf,
  beforeOf,
  classesOf,
  depthOf,
  headingOf,
  labelWordsOf,
  sayingOf,
  shapeOfPlace,
  spelledBy,
  stableId,
  withinOf,
} from './target-print.ts';
import type { TargetPrint } from './target-print.ts';

/** What can be compared at once, for thousands of elements. */
export const QUICK_PROPERTIES = ['tag', 'text', 'alone', 'heading', 'before', 'after', 'at', 'depth', 'landmark', 'votes'] as const;
/** What takes a look at attributes, ancestors and values. */
export const SLOW_PROPERTIES = ['role', 'id', 'classes', 'attributes', 'href', 'shape', 'label', 'within', 'around'] as const;
/** The properties that are compared, in the order of their weights. */
export const PROPERTIES = [...QUICK_PROPERTIES, ...SLOW_PROPERTIES] as const;
type QuickProperty = (typeof QUICK_PROPERTIES)[number];
type SlowProperty = (typeof SLOW_PROPERTIES)[number];
export type Property = QuickProperty | SlowProperty;

/** Those that say the same as the value itself, and nothing while that changes. */
export const OWN_PROPERTIES: readonly Property[] = ['href', 'text', 'alone'];

/** For each property 1 for the same, -1 for another one, 0 where the baseline does not know it; `votes` from 0 to 1. */
export type Likeness = Readonly<Record<Property, number>>;
export type QuickLikeness = Readonly<Record<QuickProperty, number>>;

/** What a baseline says, made ready to be compared with thousands. */
export interface Wanted {
  readonly print: TargetPrint;
  readonly sets: Readonly<Record<'words' | 'heading' | 'before' | 'after' | 'within' | 'around' | 'classes', ReadonlySet<string>>>;
  /** For what says just the same, and nothing else on this page does: 1; less the more places there are. */
  readonly alone: number;
  /** How like headings of this page are: thousands of elements stand below the same. */
  readonly headings: Map<Place | undefined, number>;
}

/** `print` made ready to be compared with the elements of one page. */
export function wantedOf(print: TargetPrint, index: PageIndex): Wanted {
  const { words, heading, before, after, within, around, classes } = print;
  const sets = { words, heading, before, after, within, around, classes };
  const ready = Object.entries(sets).map(([name, list]) => [name, new Set(list)]);
  return {
    print,
    sets: Object.fromEntries(ready) as Wanted['sets'],
    alone: 2 / Math.max(1, countSaying(print, index)) - 1,
    headings: new Map(),
  };
}

/** At how many places of the page something says just what `print` says. */
function countSaying(print: TargetPrint, index: PageIndex): number {
  if (print.count === 0) return 0;
  const starts = new Set<number>();
  const [head] = print.words;
  for (const place of index.places)
    if (index.words[place.first] === head && !starts.has(place.first) && says(place, print, index)) starts.add(place.first);
  return starts.size;
}

function says(place: Place, { count, spelled }: TargetPrint, index: PageIndex): boolean {
  return place.end - place.first === count && spelledBy(place, index) === spelled;
}

/** How like the element at `place` is to what is wanted, as far as can be told at once; `votes` is the share of the alternates that find it. */
export function compareQuickly({ print, sets, headings, alone }: Wanted, place: Place, index: PageIndex, votes: number): QuickLikeness {
  const { element, first } = place;
  let heading = headings.get(place.heading);
  if (heading === undefined) headings.set(place.heading, (heading = shareInCommon(sets.heading, headingOf(place, index))));
  return {
    tag: same(element.name === print.tag),
    text: sets.words.size === 0 ? 0 : shareInCommon(sets.words, sayingOf(place, index)),
    alone: print.count === 0 ? 0 : index.words[first] === print.words[0] && says(place, print, index) ? alone : -1,
    heading,
    before: sets.before.size === 0 ? 0 : shareInCommon(sets.before, beforeOf(place, index)),
    after: sets.after.size === 0 ? 0 : shareInCommon(sets.after, afterOf(place, index)),
    at: same(place.at === print.at),
    depth: 1 - 2 * Math.min(1, Math.abs(print.depth - depthOf(place, index)) * DEPTH_SCALE),
    landmark: landmarksLike(print, place),
    votes,
  };
}

/** A menu in a banner whose own landmark went is still in the banner: only what has no landmark in common is elsewhere. */
function landmarksLike({ landmark, landmarks = [landmark] }: TargetPrint, place: Place): number {
  const [nearest] = place.landmarks;
  if (landmark === '' || nearest === undefined) return 0;
  if (nearest === landmark) return 1;
  return place.landmarks.some((name) => landmarks.includes(name)) ? 0 : -1;
}

/** A quarter of a page away is another place. */
const DEPTH_SCALE = 4;

/** The rest of what `compareQuickly` began. */
export function compareFully(wanted: Wanted, place: Place, index: PageIndex, quick: QuickLikeness): Likeness {
  const { print, sets } = wanted;
  const { element } = place;
  return {
    ...quick,
    role: print.role === undefined ? 0 : same(roleOf(element) === print.role),
    id: print.id === undefined ? 0 : same(stableId(element, index) === print.id),
    classes: sets.classes.size === 0 ? 0 : shareInCommon(sets.classes, classesOf(element, index)),
    attributes: attributesLike(print.attributes, element),
    href: print.href === undefined ? 0 : addressesLike(print.href, addressOf(element, index)),
    shape: same(areShapesAlike(print.shape, shapeOfPlace(place))),
    label: print.label.length === 0 ? 0 : same(labelWordsOf(place, index).join(' ') === print.label.join(' ')),
    within: sets.within.size === 0 ? 0 : shareInCommon(sets.within, withinOf(place, index)),
    around: sets.around.size === 0 ? 0 : shareInCommon(sets.around, aroundOf(element, index)),
  };
}

function same(isSame: boolean): number {
  return isSame ? 1 : -1;
}

/** The slow properties that the baseline knows: only they can raise what is known at once. */
export function knownSlowly({ role, id, classes, attributes, href, label, within, around }: TargetPrint): readonly SlowProperty[] {
  const known: Readonly<Record<SlowProperty, boolean>> = {
    role: role !== undefined,
    id: id !== undefined,
    classes: classes.length > 0,
    attributes: Object.keys(attributes).length > 0,
    href: href !== undefined,
    shape: true,
    label: label.length > 0,
    within: within.length > 0,
    around: around.length > 0,
  };
  return SLOW_PROPERTIES.filter((property) => known[property]);
}

/** What both have of what either has (Dice), from -1 to 1; 0 where nothing is wanted. */
export function shareInCommon(wanted: ReadonlySet<string>, found: readonly string[]): number {
  if (wanted.size === 0) return 0;
  let common = 0;
  let size = 0;
  // Lists are short: looking back is quicker than a set.
  for (let i = 0; i < found.length; i++) {
    const word = found[i] as string;
    if (found.indexOf(word) < i) continue;
    size++;
    if (wanted.has(word)) common++;
  }
  return (4 * common) / (wanted.size + size) - 1;
}

function attributesLike(wanted: Readonly<Record<string, string>>, element: Element): number {
  const names = Object.keys(wanted);
  if (names.length === 0) return 0;
  const found = attributesOf(element);
  const common = names.filter((name) => found[name] === wanted[name]).length;
  return (4 * common) / (names.length + Object.keys(found).length) - 1;
}

/** How much of two addresses is the same from the front. */
function addressesLike(wanted: string, found: string | undefined): number {
  if (found === undefined) return -1;
  const [a, b] = [wanted.split('/'), found.split('/')];
  let common = 0;
  while (common < a.length && a[common] === b[common]) common++;
  return (4 * common) / (a.length + b.length) - 1;
}
