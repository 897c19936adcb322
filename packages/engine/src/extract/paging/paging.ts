// Finds the links of a paged list: where the list goes on, and its numbered pages.
import type { AnyNode } from 'domhandler';
import { absoluteUrl } from '../../html/address.ts';
import { elementsBelow } from '../../html/walk.ts';
import type { PageTree } from '../../html/tree.ts';
import { compareAddress } from './address.ts';
import { readCandidates } from './candidate.ts';
import type { Candidate } from './candidate.ts';
import { NEXT_WEIGHTS } from './generated/next-weights.ts';
import type { NextFeature, Placed } from './next-features.ts';
import { mayLeadOn, nextFeaturesOf, pointsBack } from './next-features.ts';

/** The links by which a list that is split over pages is read to its end. */
export interface Paging {
  /** Absolute addresses of what the page itself calls its next page, best first; empty when there is none. */
  readonly next: readonly string[];
  /** Absolute addresses of the numbered page links, in document order, distinct. */
  readonly pages: readonly string[];
  /**
   * Where a crawler continues the list; undefined on its last page. The first of `next`, except where a blog calls its older
   * entries "previous" and its newer ones "next"; where nothing says next, the numbered link after the page's own.
   */
  readonly onward: string | undefined;
}

/** How far up numbered links count as beside a link. */
const RUN_DEPTH = 3;

/** How surely a link is what the page calls its next page; above 0 it is taken for it. */
export type NextScoring = (link: Placed) => number;

/** The paging links of a page. Everything is empty on a page that is not part of a list. `scoring` is for the program that fits it. */
export function findPaging(tree: PageTree, scoring: NextScoring = scoreNext): Paging {
  const own = URL.parse(tree.url);
  if (!own) return { next: [], pages: [], onward: undefined };
  const links = placeInRuns(readCandidates(tree, own));
  const leading = links.map((link, order) => ({ link, order })).filter(({ link }) => mayLeadOn(link));
  const scored = leading.map(({ link, order }) => ({ link, order, score: scoring(link) })).filter(({ score }) => score > 0);
  const next = scored.sort((a, b) => b.score - a.score || a.order - b.order).map(({ link }) => link);
  const pages = links.filter((link) => link.number !== undefined && isNumbering(link) && (link.inRun || link.context.paging));
  return { next: distinctUrls(next), pages: distinctUrls(pages), onward: findOnward(links, next, pages) ?? declaredNext(tree, own) };
}

/** A link is in a run where one of the three elements above it holds numbered links of which two follow each other. */
function placeInRuns(candidates: readonly Candidate[]): readonly Placed[] {
  const numbers = new Map<AnyNode, Set<number>>();
  for (const candidate of candidates) {
    if (candidate.number === undefined || !isNumbering(candidate)) continue;
    for (const above of nearAncestors(candidate)) numbers.set(above, (numbers.get(above) ?? new Set()).add(candidate.number));
  }
  const runs = new Set([...numbers].filter(([, found]) => [...found].some((number) => found.has(number + 1))).map(([above]) => above));
  const following = urlOfFollowing(candidates);
  const ways = waysOfLabels(candidates);
  const singles = new Set(candidates.filter(({ label }) => label.onlySign && !label.doubled).map(({ label }) => label.sign));
  const isNumbered = numbers.size > 0;
  return candidates.map((candidate) => {
    const inRun = nearAncestors(candidate).some((above) => runs.has(above));
    const follows = inRun && (candidate.step === 'following' || candidate.url === following);
    return {
      ...candidate,
      inRun,
      follows,
      ways: ways.get(candidate.said)?.size ?? 1,
      besideOthers: isNumbered || singles.has(candidate.label.sign),
    };
  });
}

/** By label, the addresses that links with it lead to: a list above and below its entries turns to one page, entries are many. */
function waysOfLabels(candidates: readonly Candidate[]): ReadonlyMap<string, ReadonlySet<string>> {
  const ways = new Map<string, Set<string>>();
  for (const { said, url } of candidates) if (said !== '') ways.set(said, (ways.get(said) ?? new Set()).add(url));
  return ways;
}

/** The address of the number after the page's own, which is the first number that is no link. */
function urlOfFollowing(candidates: readonly Candidate[]): string | undefined {
  const urls = new Map<number, string>();
  for (const { number, url, ...rest } of candidates) {
    if (number !== undefined && !urls.has(number) && isNumbering(rest)) urls.set(number, url);
  }
  let own = 1;
  while (urls.has(own)) own++;
  return urls.get(own + 1);
}

/** Days of a calendar and sizes of a page are numbers too: the address or the surroundings must speak of pages. */
function isNumbering({ step, context }: Pick<Candidate, 'step' | 'context'>): boolean {
  return !context.apart && step !== 'foreign' && (step !== 'elsewhere' || context.paging);
}

function nearAncestors({ element }: Candidate): readonly AnyNode[] {
  const above: AnyNode[] = [];
  for (let at = element.parent; at && above.length < RUN_DEPTH; at = at.parent) above.push(at);
  return above;
}

function scoreNext(link: Placed): number {
  const features = nextFeaturesOf(link);
  return FEATURES.reduce((score, name) => score + NEXT_WEIGHTS[name] * features[name], 0);
}

const FEATURES = Object.keys(NEXT_WEIGHTS) as NextFeature[];

/** The links of a page among which the next one is looked for. */
export function leadingLinks(tree: PageTree): readonly Placed[] {
  const own = URL.parse(tree.url);
  return own ? placeInRuns(readCandidates(tree, own)).filter(mayLeadOn) : [];
}

function findOnward(links: readonly Placed[], next: readonly Placed[], pages: readonly Placed[]): string | undefined {
  const first = next[0];
  if (first && first.step !== 'earlier') return first.url;
  const older = links.find(
    (link) => link.number === undefined && isOlder(link) && !link.context.apart && !link.context.article && !link.context.disabled,
  );
  return (older ?? pages.find((link) => link.step === 'following') ?? first)?.url;
}

/** Older entries: said in words, or the following page behind a link that points back. */
function isOlder(link: Placed): boolean {
  const onSite = link.step !== 'foreign' && link.step !== 'same' && link.step !== 'earlier';
  return onSite && link.context.paging && (link.label.direction === 'older' || (link.step === 'following' && pointsBack(link)));
}

/** `<link rel="next">`, where its address names the following page. */
function declaredNext(tree: PageTree, own: URL): string | undefined {
  for (const element of elementsBelow(tree.head)) {
    if (element.name !== 'link' || !/(?:^|\s)next(?:\s|$)/i.test(element.attribs['rel'] ?? '')) continue;
    const url = absoluteUrl(element.attribs['href'], tree);
    const target = url === undefined ? null : URL.parse(url);
    if (target && compareAddress(target, own) === 'following') return target.href;
  }
  return undefined;
}

function distinctUrls(links: readonly Candidate[]): readonly string[] {
  return [...new Set(links.map(({ url }) => url))];
}
