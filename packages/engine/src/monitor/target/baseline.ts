// Records what a selector finds, so that it can be recognised when the page has changed (D37).
import type { Element } from 'domhandler';
import type { JsonValue } from '../../html/loose-json.ts';
import { generateAlternates } from '../../html/selectors/alternates.ts';
import type { PageDocument } from '../../page/page-document.ts';
import { NO_VOTES, rankCandidates, saidBy } from './candidates.ts';
import { copiesOf } from './copies.ts';
import { readPageIndex } from './page-index.ts';
import type { PageIndex, Place } from './page-index.ts';
import { signatureOf } from './page-signature.ts';
import type { PageSignature } from './page-signature.ts';
import { judgeFor } from './score.ts';
import { shapeOfValue } from './shape.ts';
import type { ValueShape } from './shape.ts';
import { printTarget } from './target-print.ts';
import type { TargetPrint } from './target-print.ts';

/** A selector as users write it; a list goes on in the frame or shadow root that the part before found. */
export type TargetSelector = string | readonly string[];

/** What a selector found at one time. JSON. */
export interface TargetBaseline {
  /** RFC 3339. */
  readonly recordedAt: string;
  readonly selector: TargetSelector;
  /** How many matches there were. */
  readonly count: number;
  /** Of the first match. */
  readonly value: { readonly raw: string; readonly normalised?: JsonValue; readonly shape: ValueShape };
  /** The first element; absent where the selector finds values that are no element, such as JSON or an attribute. */
  readonly print?: TargetPrint;
  /** Other selectors that found the only match then; at most four. */
  readonly alternates: readonly string[];
  /** Elements that were nearly as like it then: what is liker to one of them is that one. At most eight. */
  readonly rivals: readonly TargetPrint[];
  /** What the page said twice: as good as the target, as long as there are as many. At most three; none where rivals hold them as well. */
  readonly copies?: readonly TargetPrint[];
  readonly page: PageSignature;
}

const RIVALS_OF_EACH = 3;
/** Elements before and behind that are looked at. */
const BESIDE_MAX = 400;

/** What of the matches is recorded. */
export interface BaselineFacts {
  readonly selector: TargetSelector;
  /** The elements that matched, in document order; empty where matches are no elements. */
  readonly elements: readonly Element[];
  /** How many matches there are; at least one. */
  readonly count: number;
  /** The first match as it is shown, and as the caller's extractor reads it. */
  readonly value: { readonly raw: string; readonly normalised?: JsonValue };
  /** RFC 3339. */
  readonly recordedAt: string;
  /** What the page answered. */
  readonly status: number;
}

/** The baseline of what was found on `page`. */
export function recordBaseline(page: PageDocument, facts: BaselineFacts): TargetBaseline {
  const { selector, elements, count, value, recordedAt, status } = facts;
  const index = readPageIndex(page.tree);
  const [first] = elements;
  const place = first && index.placeOf.get(first);
  return {
    recordedAt,
    selector,
    count,
    value: { ...value, shape: shapeOfValue(value.raw) },
    ...(place ? { print: printTarget(place, index) } : {}),
    alternates: first && count === 1 ? generateAlternates(page.tree, first).filter((alternate) => alternate !== selector) : [],
    ...(place ? othersOf(place, index) : { rivals: [] }),
    page: signatureOf(page, status),
  };
}

/** The likest other elements, by their text and without it, and those of its kind before and behind it, which move up when it goes; copies apart. */
function othersOf(place: Place, index: PageIndex): Pick<TargetBaseline, 'rivals' | 'copies'> {
  const print = printTarget(place, index);
  const said = new Set(copiesOf(place, index).map(saidBy));
  const ranked = [true, false].map((isSteady) =>
    rankCandidates(print, NO_VOTES, judgeFor(isSteady), index, RIVALS_OF_EACH + said.size + 1).flatMap((candidate) =>
      saidBy(candidate.place) === saidBy(place) ? [] : candidate.place,
    ),
  );
  const isCopy = (other: Place) => said.has(saidBy(other));
  const likest = ranked.flatMap((places) => places.filter((other) => !isCopy(other)).slice(0, RIVALS_OF_EACH));
  const copies = new Map(ranked.flatMap((places) => places.filter(isCopy).map((copy) => [saidBy(copy), copy])));
  const rivals = new Set([...likest, ...besideOf(place, index).filter((other) => !isCopy(other))]);
  const printsOf = (places: Iterable<Place>) => [...places].map((other) => printTarget(other, index));
  return { rivals: printsOf(rivals), ...(copies.size > 0 ? { copies: printsOf(copies.values()) } : {}) };
}

/** The nearest elements of the same name and classes before and behind. */
function besideOf(place: Place, index: PageIndex): readonly Place[] {
  const names = index.stableNames(place.element).join();
  const isAlike = (other: Place) =>
    other.element.name === place.element.name && index.stableNames(other.element).join() === names && saidBy(other) !== saidBy(place);
  const at = index.places.indexOf(place);
  const near = [
    index.places.slice(Math.max(0, at - BESIDE_MAX), at).findLast(isAlike),
    index.places.slice(at + 1, at + BESIDE_MAX).find(isAlike),
  ];
  return near.filter((found) => found !== undefined);
}
