// Keeps what stands in boxes of the kind that holds the page's text: replies of a forum and notes of a tracker are in the same box as the first post.
import { chromeRule } from './chrome.ts';
import type { ChromePlace } from './chrome.ts';
import type { ContentBlock, Box, Outline } from './outline.ts';
import { isHeading } from './outline.ts';
import { isCentral } from './overlays.ts';

/**
 * `chosen` with the blocks that stand in boxes of the kind that holds most of what was chosen, each right below a heading of its own, and
 * that no name speaks against; a kind holds the page's text where at least `shareMin` of what was chosen stands in such boxes. Without the heading a kind is as often a layout's, and holds teasers as well.
 */
export function withKindred({ blocks }: Outline, chosen: readonly boolean[], shareMin: number): boolean[] {
  const words = new Map<string, number>();
  let all = 0;
  for (const block of blocks) {
    if (!chosen[block.index]) continue;
    const kind = kindOf(holderOf(block), block);
    all += block.words;
    if (kind !== undefined) words.set(kind, (words.get(kind) ?? 0) + block.words);
  }
  const [most] = [...words].toSorted(([, a], [, b]) => b - a);
  const kept = [...chosen];
  if (!most || most[1] < all * shareMin) return kept;
  const isHeaded = new Map<Box, boolean>();
  for (const block of blocks) {
    const holder = holderOf(block);
    const before = blocks[block.index - 1];
    if (holder && !isHeaded.has(holder)) isHeaded.set(holder, before !== undefined && isHeading(before));
    if (!holder || kept[block.index] || !isHeaded.get(holder) || kindOf(holder, block) !== most[0]) continue;
    kept[block.index] = isCentral(block) && chromeRule(block.box, NOWHERE, undefined, false) === undefined;
  }
  return kept;
}

const NOWHERE: ChromePlace = { top: undefined, heads: new Set() };

/** The nearest box with a class. */
function holderOf({ box }: ContentBlock): Box | undefined {
  let at: Box | undefined = box;
  while (at && (at.element.attribs['class'] ?? '').trim() === '') at = at.parent;
  return at?.parent && at;
}

/** Tag and class of what holds a block, and the tag of the block in it. */
function kindOf(holder: Box | undefined, { box }: ContentBlock): string | undefined {
  return holder && `${holder.element.name}.${holder.element.attribs['class']} ${box.element.name}`;
}
