// Ranks the elements of a page by how like they are to what a baseline recorded.
import type { Element } from 'domhandler';
import { findElements, parseElementPath } from '../../html/selectors/elements.ts';
import type { Judge } from './judge.ts';
import { QUICK_PROPERTIES, compareFully, compareQuickly, knownSlowly, wantedOf } from './likeness.ts';
import type { Likeness, QuickLikeness } from './likeness.ts';
import type { PageIndex, Place } from './page-index.ts';
import { judgeFor, oddsOf } from './score.ts';
import type { Standing } from './score.ts';
import type { TargetPrint } from './target-print.ts';

/** An element that was held against a print. */
export interface Compared {
  readonly place: Place;
  readonly likeness: Likeness;
}

/** An element that may be the target. */
export interface Candidate extends Compared {
  /** Log odds that it is. */
  readonly odds: number;
}

/** Elements that a reader never sees, or that hold the whole page. */
const PASSED_OVER: ReadonlySet<string> = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'link',
  'meta',
  'br',
  'hr',
  'body',
  'wbr',
  'source',
  'path',
]);
/** An element that says so many times as much as the target holds it at best. */
const LENGTH_FACTOR = 6;
const LENGTH_SPARE = 20;

/** The share of the alternates that find each element, of those that find one alone. */
export type Votes = ReadonlyMap<Element, number>;
export const NO_VOTES: Votes = new Map();

/** What `alternates` find; those that quote `value` say nothing while it changes. */
export function readVotes(alternates: readonly string[], value: string, isSteady: boolean, { tree }: PageIndex): Votes {
  const asked = alternates.filter((alternate) => isSteady || value === '' || !alternate.includes(value));
  const votes = new Map<Element, number>();
  for (const alternate of asked) {
    const { elements } = findElements(parseElementPath(alternate), tree);
    const [only] = elements;
    if (only && elements.length === 1) votes.set(only, (votes.get(only) ?? 0) + 1 / asked.length);
  }
  return votes;
}

/** One place held against a print. */
export function comparePlace(print: TargetPrint, place: Place, votes: Votes, index: PageIndex): Likeness {
  const wanted = wantedOf(print, index);
  return compareFully(wanted, place, index, compareQuickly(wanted, place, index, votes.get(place.element) ?? 0));
}

/** Equal for elements of which one holds nothing but the other; those without words stand for themselves. */
export function saidBy({ element, first, end }: Place): string | Element {
  return end > first ? `${first}-${end}` : element;
}

/**
 * The candidates of a page, best first, at most `count`. Of elements that say the same words at the same place the likest stands for all.
 * All are compared quickly, and fully only those that can still be among the first `deciding`: behind them some may be missing.
 */
export function rankCandidates(
  print: TargetPrint,
  votes: Votes,
  judge: Judge,
  index: PageIndex,
  count: number,
  deciding = 2,
): readonly Candidate[] {
  const rest = knownSlowly(print).reduce((sum, property) => sum + judge.weights[property], 0);
  const wanted = wantedOf(print, index);
  const best = new Map<string | Element, Candidate>();
  let bar = Number.NEGATIVE_INFINITY;
  for (const { place, quick, odds: begun } of compareAll(print, votes, judge, index)) {
    if (begun + rest < bar) break;
    const likeness = compareFully(wanted, place, index, quick);
    const odds = oddsOf(likeness, judge);
    const key = saidBy(place);
    if (odds <= (best.get(key)?.odds ?? Number.NEGATIVE_INFINITY)) continue;
    best.set(key, { place, likeness, odds });
    if (odds > bar) bar = oddsAt(deciding, best.values());
  }
  return [...best.values()].toSorted((a, b) => b.odds - a.odds).slice(0, count);
}

/** The odds of the candidate at that place from the top, from 1; below all where there are fewer. */
function oddsAt(place: number, candidates: Iterable<Candidate>): number {
  const top: number[] = [];
  for (const { odds } of candidates) {
    if (top.length === place && odds <= (top[place - 1] as number)) continue;
    top.splice(top.findLastIndex((other) => other >= odds) + 1, 0, odds);
    if (top.length > place) top.pop();
  }
  return top[place - 1] ?? Number.NEGATIVE_INFINITY;
}

/** How the best candidate stands beside the next one, and beside what it might be instead. */
export function standingOf(
  best: Candidate,
  next: Candidate | undefined,
  rivals: readonly TargetPrint[],
  judge: Judge,
  index: PageIndex,
): Standing {
  // Also where the value changes, what says the same as a rival is the rival.
  const likest = rivals.flatMap((rival) => {
    const likeness = comparePlace(rival, best.place, NO_VOTES, index);
    return [oddsOf(likeness, judge), oddsOf(likeness, judgeFor(true))];
  });
  return { odds: best.odds, gap: next ? best.odds - next.odds : Number.POSITIVE_INFINITY, margin: best.odds - Math.max(...likest) };
}

/** An element of which is known what can be told at once. */
export interface Begun {
  readonly place: Place;
  readonly quick: QuickLikeness;
  readonly odds: number;
}

/** The elements of a page that may be what `print` shows, quickly compared, the likest first. */
export function compareAll(print: TargetPrint, votes: Votes, judge: Judge, index: PageIndex): readonly Begun[] {
  const wanted = wantedOf(print, index);
  const wordsMax = print.words.length * LENGTH_FACTOR + LENGTH_SPARE;
  const begun: Begun[] = [];
  for (const place of index.places) {
    if (place.end - place.first > wordsMax || PASSED_OVER.has(place.element.name)) continue;
    const quick = compareQuickly(wanted, place, index, votes.get(place.element) ?? 0);
    let odds = judge.base;
    for (const property of QUICK_PROPERTIES) odds += judge.weights[property] * quick[property];
    begun.push({ place, quick, odds });
  }
  return begun.toSorted((a, b) => b.odds - a.odds);
}
