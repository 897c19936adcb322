// Finds again what a monitor watches: by its selector, by other selectors that found the same, by likeness; or says what became of it (D37).
import type { AnyNode, Element } from 'domhandler';
import { generateAlternates } from '../../html/selectors/alternates.ts';
import { cssPathOf, readUniqueIds } from '../../html/selectors/css-path.ts';
import { findElements, parseElementPath } from '../../html/selectors/elements.ts';
import { resolveSelector, valueOf } from '../../html/selectors/resolve.ts';
import { parseSelector } from '../../html/selectors/selector.ts';
import { detectObstacle } from '../../html/signs/challenge.ts';
import type { PageTree } from '../../html/tree.ts';
import { elementsBelow } from '../../html/walk.ts';
import type { PageDocument } from '../../page/page-document.ts';
import type { TargetBaseline, TargetSelector } from './baseline.ts';
import { comparePlace, rankCandidates, readVotes, saidBy, standingOf } from './candidates.ts';
import type { Candidate, Votes } from './candidates.ts';
import { likelyCopiesOf } from './copies.ts';
import { PAGE_ALIKE_MIN } from './generated/target-weights.ts';
import type { Judge } from './judge.ts';
import { readPageIndex } from './page-index.ts';
import type { PageIndex } from './page-index.ts';
import { resemblance, signatureOf } from './page-signature.ts';
import { agreementsOf, differencesOf, judgeFor, oddsOf, refusalsOf, shareOfOdds, trustIn } from './score.ts';
import type { Standing } from './score.ts';
import type { TargetPrint } from './target-print.ts';

/** One thing that was found. */
export interface TargetMatch {
  /** Absent for values of JSON, patterns and computations. */
  readonly node?: AnyNode;
  readonly value: string;
}

/** Something that is nearly what was looked for. */
export interface NearMiss {
  readonly selector: string;
  /** At most 200 characters. */
  readonly text: string;
  readonly score: number;
  /** What bars it from being a repair, what speaks for it and what against it. */
  readonly why: string;
}

/** Another selector, for a person or for `auto_heal` to accept. */
export interface RepairProposal {
  readonly selector: string;
  readonly alternates: readonly string[];
  readonly score: number;
  /** To the runner-up: 0 for a tie, 1 where there is none. */
  readonly gap: number;
  readonly evidence: readonly string[];
}

/** What became of a target. */
export interface Located {
  /**
   * `drift`: the page is alike and something on it may be the target, but it can't be told. `gone`: the page is alike and nothing on it may
   * be. `page_changed`: this is another page. `blocked`: something stands before the page.
   */
  readonly verdict: 'found' | 'drift' | 'gone' | 'page_changed' | 'blocked';
  /** Null where it was not found. */
  readonly via: 'selector' | 'alternate' | 'repair' | null;
  /** In document order; empty unless found. */
  readonly matches: readonly TargetMatch[];
  /** How many there are, those that were left out of a very long list included. */
  readonly count: number;
  /** How many the selector finds where that is another number than the baseline has, so that none of them was taken. */
  readonly others?: number;
  /** How sure it is that what was found is the target, from 0 to 1. */
  readonly confidence: number;
  /** Best first, at most three; empty where the selector found it. */
  readonly nearMisses: readonly NearMiss[];
  /** Where another selector passed all gates. */
  readonly proposal?: RepairProposal;
}

export interface LocateOptions {
  /** Any number of matches is right; false unless said. */
  readonly many?: boolean;
  /** The value has not changed for some checks: only then its text says that an element is the same. False unless said. */
  readonly isSteady?: boolean;
  /** What is known of the answer beside its body. */
  readonly answer?: {
    readonly status: number;
    /** Lower-case names. */
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly requestedUrl?: string;
  };
}

/** From here on what the selector finds is more likely the target than not. */
const LIKELY = 0.5;
const NEAR_MISSES_MAX = 3;
const TEXT_CHARACTERS_MAX = 200;

/**
 * Looks for what `selector` means on `page`. Without a baseline there is only the selector. Nothing is remembered and no selector is
 * rewritten. Throws PageError `selector` where it can't be read or run.
 */
export function locate(
  page: PageDocument,
  selector: TargetSelector,
  baseline: TargetBaseline | undefined,
  options: LocateOptions = {},
): Located {
  const found = resolve(selector, page.tree);
  const fits = found.count > 0 && (baseline === undefined || options.many === true || found.count === baseline.count);
  const { print } = baseline ?? {};
  if (!baseline || !print || baseline.count > 1 || options.many === true) {
    if (standsBefore(page, options)) return nothing('blocked');
    if (fits) return { verdict: 'found', via: 'selector', confidence: 1, nearMisses: [], ...found };
    return withOthers(nothing(baseline ? withoutTarget(page, baseline, options, found.count > 0) : 'gone'), found.count);
  }
  const located = locateOne({ page, baseline, print, options, found, fits });
  return fits ? located : withOthers(located, found.count);
}

function withOthers(located: Located, count: number): Located {
  return located.verdict === 'drift' && count > 0 ? { ...located, others: count } : located;
}

interface Search {
  readonly page: PageDocument;
  readonly baseline: TargetBaseline;
  readonly print: TargetPrint;
  readonly options: LocateOptions;
  readonly found: { readonly matches: readonly TargetMatch[]; readonly count: number };
  readonly fits: boolean;
}

function locateOne(search: Search): Located {
  const { page, baseline, print, options, found, fits } = search;
  const index = readPageIndex(page.tree);
  const votes = readVotes(baseline.alternates, baseline.value.raw, options.isSteady === true, index);
  const node = fits ? found.matches[0]?.node : undefined;
  const place = node && index.placeOf.get(node);
  // A value may change at any time, so that what the selector finds is judged without it.
  const likeness = place && comparePlace(print, place, votes, index);
  const confidence = likeness ? shareOfOdds(oddsOf(likeness, judgeFor(false))) : 0;
  const byItself = { verdict: 'found', via: 'selector', confidence, nearMisses: [], ...found } as const;
  const isLikely = confidence >= LIKELY;
  if (isLikely && likeness && likeness.shape >= 0 && likeness.label >= 0) return byItself;
  if (standsBefore(page, options)) return nothing('blocked');
  const { best, isNear, nearMisses, proposal } = searchPage(search, votes, index);
  if (fits) {
    // What the selector finds is unlike, and something else passes every gate: neither is taken for the value.
    if (best && proposal && saidBy(best) !== (place && saidBy(place))) return { ...nothing('drift'), nearMisses, proposal };
    return !isLikely && isFar(page, baseline, options) ? { ...nothing('page_changed'), nearMisses } : { ...byItself, nearMisses };
  }
  if (!best || !proposal) return { ...nothing(withoutTarget(page, baseline, options, isNear || found.count > 0)), nearMisses };
  const match = { node: best.element, value: valueOf(best.element) };
  const via = (votes.get(best.element) ?? 0) > 0 ? 'alternate' : 'repair';
  return { verdict: 'found', via, matches: [match], count: 1, confidence: proposal.score, nearMisses, proposal };
}

/** The likest element of the page, whether it may be the target, and the proposal that it makes where it passes all gates. */
function searchPage({ page: { tree }, baseline, print, options }: Search, votes: Votes, index: PageIndex) {
  const judge = judgeFor(options.isSteady === true);
  const { copies = [], rivals } = baseline;
  const all = rankCandidates(print, votes, judge, index, NEAR_MISSES_MAX + copies.length, 2 + copies.length);
  const [best] = all;
  if (!best) return { best: undefined, isNear: false, nearMisses: [], proposal: undefined };
  const asGood = copies.length === 0 ? [] : likelyCopiesOf(best.place, index);
  // Where one is missing, nobody knows which.
  const areThere = asGood.length === copies.length;
  const passedOver = new Set(areThere ? asGood.map(saidBy) : []);
  const ranked = all.filter(({ place }) => !passedOver.has(saidBy(place))).slice(0, NEAR_MISSES_MAX);
  const standing = standingOf(best, ranked[1], areThere ? rivals : [...copies, ...rivals], judge, index);
  const refusals = refusalsOf(best.likeness, standing, judge);
  const nearMisses = ranked.map((candidate) => nearMiss(candidate, candidate === best ? refusals : [], judge, tree));
  const proposal = refusals.length === 0 ? proposalOf(best, standing, judge, tree) : undefined;
  return { best: best.place, isNear: shareOfOdds(best.odds) >= judge.nearMin, nearMisses, proposal };
}

function resolve(selector: TargetSelector, tree: PageTree): Search['found'] {
  if (typeof selector === 'string') {
    const { matches, count } = resolveSelector(parseSelector(selector), tree);
    return { matches: matches.map(({ node, value }) => ({ ...(node ? { node } : {}), value })), count };
  }
  const { elements } = findElements(parseElementPath(selector), tree);
  return { matches: elements.map((node) => ({ node, value: valueOf(node) })), count: elements.length };
}

function nothing(verdict: Exclude<Located['verdict'], 'found'>): Located {
  return { verdict, via: null, matches: [], count: 0, confidence: 0, nearMisses: [] };
}

/** What to say of a page on which the target was not found. */
function withoutTarget(
  page: PageDocument,
  baseline: TargetBaseline,
  options: LocateOptions,
  isNear: boolean,
): Exclude<Located['verdict'], 'found'> {
  if (standsBefore(page, options)) return 'blocked';
  if (isFar(page, baseline, options)) return asksPasswordNow(page, baseline, options) ? 'blocked' : 'page_changed';
  return isNear ? 'drift' : 'gone';
}

function standsBefore(page: PageDocument, { answer }: LocateOptions): boolean {
  const { url } = page.source;
  const requested = answer?.requestedUrl === undefined ? {} : { requestedUrl: answer.requestedUrl };
  const obstacle = detectObstacle({
    status: answer?.status ?? 200,
    headers: answer?.headers ?? [],
    html: page.decoded.html,
    url,
    ...requested,
  });
  return obstacle !== undefined && obstacle.kind !== 'empty';
}

function isFar(page: PageDocument, baseline: TargetBaseline, { answer }: LocateOptions): boolean {
  return resemblance(baseline.page, signatureOf(page, answer?.status ?? 200)) < PAGE_ALIKE_MIN;
}

function asksPasswordNow(page: PageDocument, baseline: TargetBaseline, { answer }: LocateOptions): boolean {
  return !baseline.page.asksPassword && signatureOf(page, answer?.status ?? 200).asksPassword;
}

function proposalOf(best: Candidate, standing: Standing, judge: Judge, tree: PageTree): RepairProposal {
  const [selector = cssOf(best.place.element, tree), ...alternates] = generateAlternates(tree, best.place.element);
  // The wire knows a gap from 0 for a tie to 1 for nothing near.
  return {
    selector,
    alternates,
    score: trustIn(standing, judge),
    gap: 1 - Math.exp(-standing.gap),
    evidence: agreementsOf(best.likeness, judge),
  };
}

function nearMiss({ place, likeness, odds }: Candidate, refusals: readonly string[], judge: Judge, tree: PageTree): NearMiss {
  const why = [...refusals, ...agreementsOf(likeness, judge), ...differencesOf(likeness, judge)].join(', ');
  return {
    selector: cssOf(place.element, tree),
    text: valueOf(place.element, TEXT_CHARACTERS_MAX).slice(0, TEXT_CHARACTERS_MAX),
    score: shareOfOdds(odds),
    why,
  };
}

function cssOf(element: Element, tree: PageTree): string {
  return cssPathOf(element, readUniqueIds(elementsBelow(tree.root)));
}
