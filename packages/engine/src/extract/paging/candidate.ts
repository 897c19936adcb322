// Reads what one link says about where it leads: its words, signs, icons, class names, address and surroundings.
import type { AnyNode, Element } from 'domhandler';
import { isTag } from 'domhandler';
import { textOf } from '../../html/selectors/text.ts';
import { collapse } from '../../html/text.ts';
import { absoluteUrl } from '../../html/address.ts';
import { attribute, elementsBelow, textContentOf } from '../../html/walk.ts';
import type { PageTree } from '../../html/tree.ts';
import { compareAddress } from './address.ts';
import type { AddressStep } from './address.ts';
import { directionOfIcon, directionOfTokens, readLabel } from './words.ts';
import type { LabelReading } from './words.ts';

/** One link, with everything about it that may tell whether it leads to the next page. */
export interface Candidate {
  /** Absolute, http or https. */
  readonly url: string;
  readonly element: Element;
  readonly label: LabelReading;
  /** The label as it is written. */
  readonly said: string;
  /** Characters of the label; long labels are titles. */
  readonly labelLength: number;
  /** The page number that is the whole label. */
  readonly number: number | undefined;
  /** What `class`, `id`, and picture names say. */
  readonly tokens: 'next' | 'previous' | undefined;
  readonly icon: 'next' | 'previous' | undefined;
  readonly rel: 'next' | 'previous' | undefined;
  readonly step: AddressStep;
  readonly context: Context;
}

/** What the names around a link say. */
export interface Context {
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
/** How far up the names of surrounding elements are read. */
const CONTEXT_DEPTH = 6;
const PAGING_HINT =
  /pagin|pager|paging|page-?nav|page-?num|page-?link|pages(?![a-z])|nav-?links|nav-?(?:below|above)|next|navigation|loop/i;
const APART_HINT =
  /carousel|slider|slide|slick|swiper|calendar|datepicker|gallery|lightbox|fancybox|(?:video|audio|media|music|jw|flow)-?player|ticker|testimonial|rotator|banner|month|wizard|comment-?nav/i;
const ARTICLE_HINT =
  /post-?nav|entry-nav|nav-single|single-nav|adjacent|article-nav|post_?pagin|nextpost(?![a-z])|next-post(?!s)|related|recommend/i;

/** Every link of the body that has an http(s) address, in document order. */
export function readCandidates(tree: PageTree, own: URL): readonly Candidate[] {
  const candidates: Candidate[] = [];
  for (const element of elementsBelow(tree.body)) {
    if (element.name !== 'a' && element.name !== 'area') continue;
    const url = addressOf(element, tree);
    const target = url === undefined ? null : URL.parse(url);
    if (target) candidates.push(readCandidate(element, target, own));
  }
  return candidates;
}

/** The link's address, or the one that a script would follow in its stead. */
function addressOf(element: Element, tree: PageTree): string | undefined {
  const href = attribute(element, 'href');
  const address = href?.startsWith('#') ? undefined : absoluteUrl(href, tree);
  return address ?? absoluteUrl(attribute(element, 'data-href') ?? attribute(element, 'data-url'), tree);
}

function readCandidate(element: Element, target: URL, own: URL): Candidate {
  const text = textOf(element, LABEL_CHARACTERS_MAX + 1);
  const label = text === '' ? hiddenLabel(element) : text;
  const scope = scopeOf(element);
  return {
    url: target.href,
    element,
    label: withSpokenDirection(readLabel(label.slice(0, LABEL_CHARACTERS_MAX)), element),
    said: label,
    labelLength: label.length,
    number: numberOf(text),
    tokens: directionOfTokens(tokensOf(element, scope)),
    icon: iconOf(element, scope),
    rel: directionOfTokens(element.attribs['rel'] ?? ''),
    step: compareAddress(target, own),
    context: contextOf(element, scope),
  };
}

function numberOf(text: string): number | undefined {
  const digits = /^[[(]?\s*(\d{1,3}(?:[.,\u00a0]\d{3})+|\d{1,6})\s*[\])]?$/.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits.replace(/\D/g, ''));
}

/** A label that is not shown as text: the picture's `alt`, `aria-label`, `title`. */
function hiddenLabel(element: Element): string {
  for (const below of elementsBelow(element))
    if (below.name === 'img' && attribute(below, 'alt')) return collapse(below.attribs['alt'] ?? '');
  return attribute(element, 'aria-label') ?? attribute(element, 'title') ?? labelOfIcon(element);
}

/** What a drawn icon says of itself: `aria-label`, `title`, or the title inside it (SVG 2, section 5.7). */
function labelOfIcon(element: Element): string {
  for (const below of elementsBelow(element)) {
    const said = below.name === 'title' ? textContentOf(below) : (attribute(below, 'aria-label') ?? attribute(below, 'title'));
    if (said !== undefined && said.trim() !== '') return collapse(said);
  }
  return '';
}

/** Where the visible text says nothing, `aria-label` and `title` may. */
function withSpokenDirection(label: LabelReading, element: Element): LabelReading {
  if (label.direction) return label;
  const spoken = collapse(element.attribs['aria-label'] ?? element.attribs['title'] ?? '');
  const { direction, page, leading } = readLabel(spoken.slice(0, LABEL_CHARACTERS_MAX));
  return { ...label, direction, page: label.page || page, leading: label.leading ?? leading };
}

/** The parent where the link is all that it links to, else the link itself: `<li class="next"><a>`. */
function scopeOf(element: Element): Element {
  const parent = element.parent;
  if (!parent || !isTag(parent)) return element;
  let links = 0;
  for (const below of elementsBelow(parent)) if (below.name === 'a' && ++links > 1) return element;
  return parent;
}

function tokensOf(element: Element, scope: Element): string {
  const named = [scope, element, ...elementsBelow(element)];
  return named.flatMap(({ attribs }) => [attribs['class'] ?? '', attribs['id'] ?? '', fileName(attribs['src'])]).join(' ');
}

function fileName(src: string | undefined): string {
  return src === undefined || src.startsWith('data:') ? '' : (src.split(/[?#]/)[0]?.split('/').pop() ?? '');
}

function iconOf(element: Element, scope: Element): 'next' | 'previous' | undefined {
  for (const { attribs } of elementsBelow(scope)) {
    const direction =
      attribs === element.attribs
        ? undefined
        : directionOfIcon(`${attribs['class'] ?? ''} ${fileName(attribs['src'])} ${attribs['href'] ?? ''} ${attribs['data-icon'] ?? ''}`);
    if (direction) return direction;
  }
  return undefined;
}

function contextOf(element: Element, scope: Element): Context {
  const names = namesAround(element);
  return {
    paging: PAGING_HINT.test(names),
    apart: APART_HINT.test(names),
    article: ARTICLE_HINT.test(names),
    disabled:
      /disabled/i.test(`${element.attribs['class'] ?? ''} ${scope.attribs['class'] ?? ''}`) || element.attribs['aria-disabled'] === 'true',
  };
}

/** Class names, ids, labels and roles of the element and what is around it, below `<body>`. */
function namesAround(element: Element): string {
  let names = '';
  let at: AnyNode | null = element;
  for (let depth = 0; at && isTag(at) && at.name !== 'body' && depth < CONTEXT_DEPTH; at = at.parent, depth++) {
    names += ` ${at.attribs['class'] ?? ''} ${at.attribs['id'] ?? ''} ${at.attribs['aria-label'] ?? ''}`;
  }
  return names;
}
