// Finds the links of a paged list: where the list goes on, and its numbered pages.
import type { AnyNode } from 'domhandler';
import { absoluteUrl } from '../../html/address.ts';
import { elementsBelow } from '../../html/walk.ts';
import type { PageTree } from '../../html/tree.ts';
import { compareAddress } from './address.ts';
import type { AddressStep } from './address.ts';
import { readCandidates } from './candidate.ts';
import type { Candidate } from './candidate.ts';
import type { LabelReading } from './words.ts';

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

/** A candidate with whether numbered links stand beside it, and whether it leads where the number after the page's own does. */
interface Placed extends Candidate {
  readonly inRun: boolean;
  readonly follows: boolean;
}

const NEXT_SCORE_MIN = 5;
/** A label longer than this is a title rather than a direction. */
const DIRECTION_CHARACTERS_MAX = 40;
/** A link without words of direction is short where it turns pages. */
const FOLLOWING_CHARACTERS_MAX = 20;
/** How far up numbered links count as beside a link. */
const RUN_DEPTH = 3;
const STEP_SCORE: Readonly<Record<AddressStep, number>> = { following: 3, later: 1, earlier: -1, same: -4, elsewhere: -1, foreign: -5 };

/** The paging links of a page. Everything is empty on a page that is not part of a list. */
export function findPaging(tree: PageTree): Paging {
  const own = URL.parse(tree.url);
  if (!own) return { next: [], pages: [], onward: undefined };
  const links = placeInRuns(readCandidates(tree, own));
  const scored = links.map((link, order) => ({ link, order, score: scoreNext(link) })).filter(({ score }) => score >= NEXT_SCORE_MIN);
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
  return candidates.map((candidate) => {
    const inRun = nearAncestors(candidate).some((above) => runs.has(above));
    return { ...candidate, inRun, follows: inRun && (candidate.step === 'following' || candidate.url === following) };
  });
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

/** How surely a link is what the page calls its next page; 0 where anything says backwards or nothing says forwards. */
function scoreNext(link: Placed): number {
  const { context, step, inRun } = link;
  if (link.number !== undefined || context.disabled || pointsBack(link)) return 0;
  // A short link among the numbers that leads where the next number does is the next link, whatever it is labelled.
  let score = scoreWords(link) || (link.follows && link.labelLength <= FOLLOWING_CHARACTERS_MAX ? 3 : 0);
  if (score === 0) return 0;
  if (link.labelLength > DIRECTION_CHARACTERS_MAX) score -= 4;
  if (context.paging || inRun) score += 2;
  // A carousel or a calendar does not number the pages of this list.
  if (context.apart && !inRun && step !== 'following') score -= 5;
  if (context.article && !inRun) score -= step === 'elsewhere' ? 10 : 2;
  return score + STEP_SCORE[step];
}

function pointsBack({ label, tokens, icon, rel }: Candidate): boolean {
  return label.direction === 'previous' || rel === 'previous' || tokens === 'previous' || icon === 'previous' || label.sign === 'left';
}

function scoreWords({ label, tokens, icon, rel }: Candidate): number {
  let score = scoreLabel(label);
  // `>>` alone leads to the last page as often as to the next; `Next >>` does not.
  if (label.doubled && label.direction !== 'next') score -= 2;
  if (tokens === 'next') score += label.direction === 'newer' ? 4 : 3;
  if (icon === 'next') score += 2;
  if (rel === 'next') score += 3;
  return score;
}

/** `older` alone is no direction: blogs put it behind a link to the left as often as to the right. */
function scoreLabel({ direction, leading, sign, onlySign }: LabelReading): number {
  const arrow = sign === 'right' ? (onlySign ? 3 : 1) : 0;
  if (direction === 'next') return 4 + arrow;
  if (direction === 'older') return arrow === 0 ? 2 : 4;
  return leading === 'next' ? 2 + arrow : arrow;
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
