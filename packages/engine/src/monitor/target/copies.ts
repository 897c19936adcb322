// Tells what a page says twice, such as a menu for wide screens and one for small ones: whichever copy is watched, it says the same.
import type { Element } from 'domhandler';
import { attribute, elementsBelow, parentOf } from '../../html/walk.ts';
import { shareInCommon } from './likeness.ts';
import type { PageIndex, Place } from './page-index.ts';
import { addressOf, withinOf } from './target-print.ts';

/** Words that a block says besides the element: fewer also stand around things of which each is another. */
const BLOCK_WORDS_MIN = 12;
const BLOCK_WORDS_MAX = 2_000;
/** What is there more often is no copy that a page keeps for another screen. */
export const COPIES_MAX = 3;
/** From three quarters in common on blocks of a redesigned page are the same. */
const ALIKE = 0.5;

/** The other places that say just what `place` says, in a block that says and leads to just the same; none where there are more than COPIES_MAX. */
export function copiesOf(place: Place, index: PageIndex): readonly Place[] {
  const others = placesSaying(place, index);
  const block = others.length === 0 ? undefined : blockOf(place, index);
  return few(block === undefined ? [] : others.filter((other) => blockOf(other, index) === block));
}

/** What may be the copies of `place` on a page that was redesigned since, each by itself: what says the same, leads to the same, and stands in a block that is alike. */
export function likelyCopiesOf(place: Place, index: PageIndex): readonly Place[] {
  const address = leadsTo(place, index);
  const within = new Set(withinOf(place, index));
  const isAlike = (other: Place) => leadsTo(other, index) === address && shareInCommon(within, withinOf(other, index)) >= ALIKE;
  return few(placesSaying(place, index).filter(isAlike));
}

function few(copies: readonly Place[]): readonly Place[] {
  return copies.length > COPIES_MAX ? [] : copies;
}

/** Where else the same words stand, with their digits; of elements that say nothing but what one of them says, that one. */
function placesSaying(place: Place, { places, spelled }: PageIndex): readonly Place[] {
  const count = place.end - place.first;
  if (count === 0) return [];
  const found = new Map<number, Place>();
  for (const other of places) {
    if (other.end - other.first !== count || other.first === place.first || spelled[other.first] !== spelled[place.first]) continue;
    if (isSaidAt(spelled, place, other)) found.set(other.first, other);
  }
  return [...found.values()];
}

function isSaidAt(spelled: readonly string[], place: Place, other: Place): boolean {
  for (let at = 1; at < place.end - place.first; at++) if (spelled[place.first + at] !== spelled[other.first + at]) return false;
  return true;
}

/** The smallest block around that says enough more, with where the element stands in it and where it leads; undefined where there is none. */
function blockOf(place: Place, index: PageIndex): string | undefined {
  const own = place.end - place.first;
  for (let at = parentOf(place.element); at; at = parentOf(at)) {
    const block = index.placeOf.get(at);
    if (!block || block.end - block.first > own + BLOCK_WORDS_MAX) return undefined;
    if (block.end - block.first < own + BLOCK_WORDS_MIN) continue;
    const addresses = [...elementsBelow(at)].flatMap((element) => attribute(element, 'href') ?? []);
    const words = index.spelled.slice(block.first, block.end);
    return JSON.stringify([place.first - block.first, linkAround(at, index), addresses, words]);
  }
  return undefined;
}

/** The address of the link that the element is, holds nothing but, or lies in. */
function leadsTo(place: Place, index: PageIndex): string | undefined {
  const below = [...elementsBelow(place.element)].find((element) => attribute(element, 'href') !== undefined);
  return linkAround(place.element, index) ?? (below && addressOf(below, index));
}

function linkAround(element: Element, index: PageIndex): string | undefined {
  for (let at: Element | undefined = element; at; at = parentOf(at)) {
    const address = addressOf(at, index);
    if (address !== undefined) return address;
  }
  return undefined;
}
