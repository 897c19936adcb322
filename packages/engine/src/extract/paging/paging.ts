// Finds the links of a paged list: where the list goes on, and its numbered pages.
import type { Element } from 'domhandler';
import { isTag } from 'domhandler';
import { absoluteUrl, attribute, collapse, elementsBelow, textOf } from '../../html/selectors/walk.ts';
import type { PageTree } from '../../html/tree.ts';
import { compareAddress } from './address.ts';
import type { AddressStep } from './address.ts';
import { directionOfIcon, directionOfTokens, readLabel } from './words.ts';
import type { LabelReading } from './words.ts';

export interface Paging {
  /** Absolute addresses of what the page itself calls its next page, best first; empty when there is none. */
  readonly next: readonly string[];
  /** Absolute addresses of the numbered page links, in document order, distinct. */
  readonly pages: readonly string[];
  /**
   * Where a listing goes on: older entries where the page orders by time and calls them "previous", else the first of `next`,
   * else the numbered link after the current page.
   */
  readonly onward: string | undefined;
}

/** A link with what is known about where it leads. */
interface Candidate {
  readonly url: string;
  readonly element: Element;
  readonly label: LabelReading;
  readonly labelLength: number;
  readonly number: number | undefined;
  readonly tokens: 'next' | 'previous' | undefined;
  readonly icon: 'next' | 'previous' | undefined;
  readonly rel: 'next' | 'previous' | undefined;
  readonly step: AddressStep;
  readonly context: Context;
}

interface Context {
  /** Inside something whose class, id or label speaks of paging. */
  readonly paging: boolean;
  /** Inside a carousel, calendar, gallery or player. */
  readonly apart: boolean;
  /** Inside the links from one article to its neighbours. */
  readonly article: boolean;
  /** Marked as not usable. */
  readonly disabled: boolean;
}

const LABEL_CHARACTERS_MAX = 60;
const NEXT_SCORE_MIN = 5;
const PAGING_HINT = /pagin|pager|paging|page-?nav|pagenav|page-?num|page-?link|pages(?![a-z])|nav-?links|nav-?(?:below|above)|next|navigation|loop/i;
const APART_HINT = /carousel|slider|slide|slick|swiper|calendar|datepicker|gallery|lightbox|fancybox|player|ticker|testimonial|rotator|banner|month|wizard/i;
const ARTICLE_HINT = /post-?nav(?!igation-link)|single|entry-nav|nav-single|adjacent|article-nav|post-?navigation|post_?pagin|nextpost(?![a-z])|next-post(?!s)/i;

/** The paging links of a page. Both lists are empty on a page that is not part of a list. */
export function findPaging(tree: PageTree): Paging {
  const own = URL.parse(tree.url);
  if (!own) return { next: [], pages: [], onward: undefined };
  const candidates = [...candidatesOf(tree, own)];
  const scored = candidates
    .map((candidate, order) => ({ candidate, order, score: scoreNext(candidate) }))
    .filter(({ score }) => score >= NEXT_SCORE_MIN)
    .sort((a, b) => b.score - a.score || a.order - b.order);
  const next = distinct(scored.map(({ candidate }) => candidate.url));
  const pages = distinct(candidates.filter((candidate) => candidate.number !== undefined && candidate.context.paging).map(({ url }) => url));
  return { next, pages, onward: next[0] };
}

function* candidatesOf(tree: PageTree, own: URL): Generator<Candidate> {
  for (const element of elementsBelow(tree.body)) {
    if (element.name !== 'a' && element.name !== 'area') continue;
    const url = addressOf(element, tree);
    if (url === undefined) continue;
    const candidate = readCandidate(element, url, own);
    if (candidate) yield candidate;
  }
}

function addressOf(element: Element, tree: PageTree): string | undefined {
  const href = attribute(element, 'href');
  if (href === undefined || href.startsWith('#')) return absoluteUrl(attribute(element, 'data-href'), tree);
  return absoluteUrl(href, tree) ?? absoluteUrl(attribute(element, 'data-href'), tree);
}

function readCandidate(element: Element, url: string, own: URL): Candidate | undefined {
  const text = textOf(element, LABEL_CHARACTERS_MAX + 1);
  const label = text === '' ? hiddenLabel(element) : text;
  const number = /^[[(]?\s*(\d{1,5})\s*[\])]?$/.exec(text)?.[1];
  const target = URL.parse(url);
  if (!target) return undefined;
  return {
    url,
    element,
    label: mergeLabels(readLabel(label.slice(0, LABEL_CHARACTERS_MAX)), element),
    labelLength: label.length,
    number: number === undefined ? undefined : Number(number),
    tokens: directionOfTokens(ownTokens(element)),
    icon: iconOf(element),
    rel: directionOfTokens(element.attribs['rel'] ?? ''),
    step: compareAddress(target, own),
    context: contextOf(element),
  };
}

/** A label that is not shown as text: the picture's `alt`, `aria-label`, `title`. */
function hiddenLabel(element: Element): string {
  for (const below of elementsBelow(element)) if (below.name === 'img' && attribute(below, 'alt')) return collapse(below.attribs['alt'] ?? '');
  return attribute(element, 'aria-label') ?? attribute(element, 'title') ?? '';
}

/** Where the visible text says nothing, `aria-label` and `title` may. */
function mergeLabels(label: LabelReading, element: Element): LabelReading {
  if (label.direction) return label;
  const spoken = readLabel(collapse(element.attribs['aria-label'] ?? element.attribs['title'] ?? '').slice(0, LABEL_CHARACTERS_MAX));
  return { ...label, direction: spoken.direction };
}

function ownTokens(element: Element): string {
  const parts = [element.attribs['class'], element.attribs['id']];
  const parent = element.parent;
  if (parent && isTag(parent) && onlyLinkIn(parent)) parts.push(parent.attribs['class'], parent.attribs['id']);
  for (const below of elementsBelow(element)) parts.push(below.attribs['class'], below.attribs['id']);
  return parts.filter((part) => part !== undefined).join(' ');
}

function onlyLinkIn(parent: Element): boolean {
  let links = 0;
  for (const below of elementsBelow(parent)) if (below.name === 'a' && ++links > 1) return false;
  return links === 1;
}

function iconOf(element: Element): 'next' | 'previous' | undefined {
  const parent = element.parent;
  const scope = parent && isTag(parent) && onlyLinkIn(parent) ? parent : element;
  for (const below of elementsBelow(scope)) {
    if (below === element) continue;
    const direction = directionOfIcon(`${below.attribs['class'] ?? ''} ${below.attribs['src'] ?? ''} ${below.attribs['href'] ?? ''}`);
    if (direction) return direction;
  }
  return undefined;
}

function contextOf(element: Element): Context {
  let paging = false;
  let apart = false;
  let article = false;
  let depth = 0;
  for (let at: Element['parent'] | Element = element; at && isTag(at) && depth < 6; at = at.parent, depth++) {
    if (at.name === 'body') break;
    const tokens = `${at.attribs['class'] ?? ''} ${at.attribs['id'] ?? ''} ${at.attribs['aria-label'] ?? ''} ${at.attribs['role'] ?? ''}`;
    paging ||= depth < 5 && PAGING_HINT.test(tokens);
    apart ||= APART_HINT.test(tokens);
    article ||= ARTICLE_HINT.test(tokens);
  }
  const disabled = /disabled/i.test(element.attribs['class'] ?? '') || element.attribs['aria-disabled'] === 'true';
  return { paging, apart, article, disabled };
}

function scoreNext(candidate: Candidate): number {
  const { label, tokens, icon, rel, step, context } = candidate;
  if (candidate.number !== undefined || context.disabled) return 0;
  if (label.direction === 'previous' || rel === 'previous') return 0;
  const backwards = tokens === 'previous' || icon === 'previous' || label.sign === 'left';
  if (backwards) return 0;
  let score = 0;
  if (label.direction === 'next') score += 4;
  if (label.direction === 'older') score += 3;
  if (label.sign === 'right') score += label.onlySign ? 3 : 1;
  if (label.doubled) score -= 2;
  if (tokens === 'next') score += 3;
  if (icon === 'next') score += 2;
  if (rel === 'next') score += 3;
  if (score === 0) return 0;
  if (candidate.labelLength > 40) score -= 4;
  if (context.paging) score += 2;
  if (context.apart) score -= 5;
  if (context.article) score -= step === 'elsewhere' ? 5 : 2;
  return score + STEP_SCORE[step];
}

const STEP_SCORE: Readonly<Record<AddressStep, number>> = { following: 3, later: 1, earlier: -1, same: -4, elsewhere: -1, foreign: -5 };

function distinct(urls: readonly string[]): readonly string[] {
  return [...new Set(urls)];
}
