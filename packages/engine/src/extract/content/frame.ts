// Takes the frame of a page out of the choice: the banner in one box with the menu, and the line of rights below the text.
import { shownElementsBelow } from '../../html/walk.ts';
import { isMenu } from './chrome.ts';
import { boxHolds } from './features/box-relations.ts';
import type { ContentBlock, Box, Outline } from './outline.ts';
import { isHeading } from './outline.ts';

/** Names and years, but no sentence beside the one that reserves all rights: what is said of a licence is text. */
const RIGHTS = /^(?:copyright\b|©|\(c\)\s)(?!.*\p{Ll}{2}[.!?]\s+(?!all rights))(?=.*\b(?:19|20)\d\d\b)/iu;

/**
 * Generators of manuals print the project over each page without a heading, so that it reads like the beginning of the text. `kept` is changed;
 * a page that says nothing else stays as it is.
 */
export function dropFrame({ blocks }: Outline, kept: boolean[], container: Box, headline: ContentBlock | undefined): void {
  const first = blocks.find(({ index }) => kept[index]);
  const banner = first && bannerRound(first, blocks, container, headline);
  const isBanner = ({ box }: ContentBlock) => banner !== undefined && boxHolds(banner, box);
  if (blocks.some((block) => kept[block.index] && !isBanner(block)))
    for (const block of blocks) if (isBanner(block)) kept[block.index] = false;
  const last = blocks.findLast(({ index }) => kept[index]);
  if (last && last !== blocks.find(({ index }) => kept[index]) && RIGHTS.test(last.text)) kept[last.index] = false;
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
