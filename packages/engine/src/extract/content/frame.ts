// Takes the frame of a page out of the choice: menu and footer, the banner in one box with the menu, and the line of rights below the text.
import type { Element, ParentNode } from 'domhandler';
import { isTag } from 'domhandler';
import { shownElementsBelow } from '../../html/walk.ts';
import { isMenu, isNamedFooter, isNamedNavigation } from './chrome.ts';
import { bitsOf } from './features/bits.ts';
import { boxHolds } from './features/box-relations.ts';
import { LANDMARK, LANDMARK_NAMES, isDeclared } from './landmarks.ts';
import type { ContentBlock, Box, Outline } from './outline.ts';
import { isHeading } from './outline.ts';
import { isCentral } from './overlays.ts';
import { waysAgain } from './ways.ts';

/** Names and years, but no sentence beside the one that reserves all rights: what is said of a licence is text. */
const RIGHTS = /^(?:copyright\b|©|\(c\)\s)(?!.*\p{Ll}{2}[.!?]\s+(?!all rights))(?=.*\b(?:19|20)\d\d\b)/iu;

/** A block of the frame, and why it is none of the content. */
export interface FrameBlock {
  readonly block: ContentBlock;
  readonly rule: string;
}

/**
 * What is kept of the frame. Generators of manuals print the project over each page without a heading, so that it reads like the beginning of the
 * text. Nothing on a page that says nothing else.
 */
export function frameIn(
  { blocks }: Outline,
  kept: readonly boolean[],
  container: Box,
  headline: ContentBlock | undefined,
): readonly FrameBlock[] {
  const again = waysAgain(blocks, kept, headline).map((block) => ({ block, rule: 'ways said over the heading' }));
  const apart = [...besideText(blocks, kept, headline), ...linksOver(blocks, kept, headline), ...again];
  const isApart = new Set(apart.map(({ block }) => block));
  const all = blocks.filter((block) => kept[block.index] && !isApart.has(block));
  const [first] = all;
  const banner = first && bannerRound(first, blocks, container, headline);
  const over = banner ? all.filter(({ box }) => boxHolds(banner, box)) : [];
  const frame = over.length < all.length ? over.map((block) => ({ block, rule: 'banner over a menu' })) : [];
  const last = all.at(-1);
  const isRights = last !== undefined && all.length > frame.length + 1 && RIGHTS.test(last.text);
  return [...apart, ...frame, ...(isRights ? [{ block: last, rule: 'line of rights' }] : [])];
}

const BESIDE = LANDMARK.nav | LANDMARK.footer;

/**
 * What stands in a menu or in the footer of a page that has a heading and something kept outside of them: where a page says little, the judges
 * take its menu for the text.
 */
function besideText(blocks: readonly ContentBlock[], kept: readonly boolean[], headline: ContentBlock | undefined): readonly FrameBlock[] {
  if (!headline || !isCentral(headline) || !blocks.some((block) => kept[block.index] && isCentral(block))) return [];
  const shown = blocks.filter((block) => kept[block.index]);
  const byLandmark = shown.flatMap((block) => {
    const bit = isDeclared(block.box) ? undefined : bitsOf(block.box.landmarks & BESIDE)[0];
    return bit === undefined ? [] : [{ block, rule: `landmark ${LANDMARK_NAMES[bit]}` }];
  });
  const isBeside = new Set(byLandmark.map(({ block }) => block));
  const central = shown.filter((block) => !isBeside.has(block));
  const byName = namedFrame(central, headline);
  const isLeft = central.filter((block) => block !== headline).length > byName.length;
  return isLeft ? [...byLandmark, ...byName] : byLandmark;
}

/** Menus by a plain name, most of which is links, and what stands in a footer by its id with nothing behind it: programs older than `<nav>`. */
function namedFrame(blocks: readonly ContentBlock[], headline: ContentBlock): readonly FrameBlock[] {
  const isWithin = ({ box }: ContentBlock, isNamed: (box: Box) => boolean): boolean => {
    for (let at: Box | undefined = box; at && !boxHolds(at, headline.box); at = at.parent) if (isNamed(at)) return true;
    return false;
  };
  const isFooter = (block: ContentBlock) => isWithin(block, ({ element }) => isNamedFooter(element));
  const last = blocks.findLastIndex((block) => !isFooter(block));
  const menus = new Map<Box, boolean>();
  const isMenuOfLinks = (box: Box): boolean => {
    const known = menus.get(box);
    if (known !== undefined) return known;
    const found = isNamedNavigation(box.element) && isMostlyLinks(blocks.filter((one) => boxHolds(box, one.box)));
    menus.set(box, found);
    return found;
  };
  return blocks.flatMap((block, i) => {
    if (isDeclared(block.box)) return [];
    if (i > last) return [{ block, rule: 'named footer' }];
    return isWithin(block, isMenuOfLinks) ? [{ block, rule: 'named navigation' }] : [];
  });
}

/** Whether more is said by links than beside them, headings apart. */
function isMostlyLinks(blocks: readonly ContentBlock[]): boolean {
  const said = blocks.filter((block) => !isHeading(block));
  const sum = (of: (block: ContentBlock) => number) => said.reduce((total, block) => total + of(block), 0);
  return sum(({ linkChars }) => linkChars) * 2 > sum(({ text }) => text.length);
}

/** From this share of its letters on a box is nothing but links. */
const LINKED_MIN = 0.8;

/** Boxes and loose lines of links over the heading of a page, which lead through its site. */
function linksOver(blocks: readonly ContentBlock[], kept: readonly boolean[], headline: ContentBlock | undefined): readonly FrameBlock[] {
  if (!headline || !isCentral(headline) || !blocks.some(({ index }) => index > headline.index && kept[index])) return [];
  return blocks
    .slice(0, headline.index)
    .flatMap((block) => (kept[block.index] && isLinksOver(block, headline) ? [{ block, rule: 'links over the heading' }] : []));
}

function isLinksOver({ box, linkChars, text }: ContentBlock, headline: ContentBlock): boolean {
  let isLinks = boxHolds(box, headline.box) && linkChars >= text.length * LINKED_MIN;
  for (let at: Box | undefined = box; at && !boxHolds(at, headline.box); at = at.parent) isLinks = at.linkChars >= at.chars * LINKED_MIN;
  return isLinks;
}

/** The largest box round `first`, below the container, that holds a menu and neither a heading nor a paragraph. */
function bannerRound(
  first: ContentBlock,
  blocks: readonly ContentBlock[],
  container: Box,
  headline: ContentBlock | undefined,
): Box | undefined {
  const isText = (block: ContentBlock) => block === headline || isHeading(block) || block.box.element.name === 'p';
  let around: ReadonlySet<Element> | undefined;
  let banner: Box | undefined;
  for (let box: Box | undefined = first.box; box && box !== container; box = box.parent) {
    const own: Box = box;
    if (blocks.some((block) => isText(block) && boxHolds(own, block.box))) break;
    if ((around ??= roundMenus(container)).has(own.element)) banner = own;
  }
  return banner;
}

/** So many elements of a kind with a menu each are the cards of a list; two may be the two bars of a banner. */
const CARDS_MIN = 3;

/** All elements round the menus of the container, but for those which the cards of a list have, with what can be done to each. */
function roundMenus({ element: top }: Box): ReadonlySet<Element> {
  const menus = [...shownElementsBelow(top)].filter(isMenu).map((menu) => elementsRound(menu, top));
  const holders = new Set(menus.flat());
  const counts = new Map<ParentNode | null, Map<string, number>>();
  const kindOf = ({ name, attribs }: Element) => `${name}.${attribs['class'] ?? ''}`;
  for (const holder of holders) {
    const alike = counts.get(holder.parent) ?? new Map<string, number>();
    counts.set(holder.parent, alike.set(kindOf(holder), (alike.get(kindOf(holder)) ?? 0) + 1));
  }
  const isCard = (holder: Element) => (counts.get(holder.parent)?.get(kindOf(holder)) ?? 0) >= CARDS_MIN;
  const cards = new Set([...holders].filter(isCard));
  return new Set(menus.filter((round) => !round.some((element) => cards.has(element))).flat());
}

function elementsRound(inner: Element, top: Element): readonly Element[] {
  const found: Element[] = [];
  for (let at: ParentNode | null = inner.parent; at && isTag(at) && at !== top; at = at.parent) found.push(at);
  return found;
}
