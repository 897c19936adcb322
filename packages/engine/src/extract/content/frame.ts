// Takes the frame of a page out of the choice: the banner in one box with the menu, and the line of rights below the text.
import { shownElementsBelow } from '../../html/walk.ts';
import { isMenu } from './chrome.ts';
import { boxHolds } from './features/box-relations.ts';
import type { ContentBlock, Box, Outline } from './outline.ts';
import { isHeading } from './outline.ts';

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
  const all = blocks.filter(({ index }) => kept[index]);
  const [first] = all;
  const banner = first && bannerRound(first, blocks, container, headline);
  const over = banner ? all.filter(({ box }) => boxHolds(banner, box)) : [];
  const frame = over.length < all.length ? over.map((block) => ({ block, rule: 'banner over a menu' })) : [];
  const last = all.at(-1);
  const isRights = last !== undefined && all.length > frame.length + 1 && RIGHTS.test(last.text);
  return isRights ? [...frame, { block: last, rule: 'line of rights' }] : frame;
}

/** The largest box round `first`, below the container, that holds a menu and neither a heading nor a paragraph. */
function bannerRound(
  first: ContentBlock,
  blocks: readonly ContentBlock[],
  container: Box,
  headline: ContentBlock | undefined,
): Box | undefined {
  const isText = (block: ContentBlock) => block === headline || isHeading(block) || block.box.element.name === 'p';
  let banner: Box | undefined;
  for (let box: Box | undefined = first.box; box && box !== container; box = box.parent) {
    const own: Box = box;
    if (blocks.some((block) => isText(block) && boxHolds(own, block.box))) break;
    if ([...shownElementsBelow(own.element)].some(isMenu)) banner = own;
  }
  return banner;
}
