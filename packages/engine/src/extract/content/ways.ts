// The way to the neighbours of a page, which manuals and archives of mail write above its text and once more below.
import type { Element } from 'domhandler';
import { isTag } from 'domhandler';
import { shownElementsBelow } from '../../html/walk.ts';
import { readLabel } from '../paging/words.ts';
import { boxHolds } from './features/box-relations.ts';
import type { Box, ContentBlock } from './outline.ts';

/**
 * The last box of a page where it leads to the very addresses that a line or a box over the heading leads to, and says which of them is the
 * next or the one before: manuals and archives of mail write the way to the neighbours of a page twice.
 */
export function waysAgain(
  blocks: readonly ContentBlock[],
  kept: readonly boolean[],
  headline: ContentBlock | undefined,
): readonly ContentBlock[] {
  const last = blocks.findLast(({ index }) => kept[index]);
  if (!headline || !last || last.index <= headline.index) return [];
  const shown = blocks.filter(({ index }) => kept[index] && index > headline.index);
  const ends = boxesBeside(last, headline)
    .map((box) => ({ ways: waysIn(box), below: shown.filter((block) => boxHolds(box, block.box)) }))
    .filter(({ ways, below }) => ways !== '' && below.length < shown.length && below.some(({ text }) => namesNeighbour(text)));
  if (ends.length === 0) return [];
  const over = waysOver(blocks, headline);
  const again = ends.find(({ ways }) => over.has(ways));
  return again?.below ?? [];
}

/** The addresses that each line, and each box, over the heading leads to. */
function waysOver(blocks: readonly ContentBlock[], headline: ContentBlock): ReadonlySet<string> {
  const boxes = new Set<Box>();
  const over = new Set<string>();
  for (const block of blocks.slice(0, headline.index)) {
    if (block.linkChars === 0) continue;
    over.add(waysOf(linksRound(block)));
    for (const box of boxesBeside(block, headline)) boxes.add(box);
  }
  for (const box of boxes) over.add(waysIn(box));
  return over;
}

/** The boxes round `block` that do not hold the heading, from the inside. */
function boxesBeside({ box }: ContentBlock, headline: ContentBlock): readonly Box[] {
  const boxes: Box[] = [];
  for (let at: Box | undefined = box; at && !boxHolds(at, headline.box); at = at.parent) boxes.push(at);
  return boxes;
}

function waysIn({ element }: Box): string {
  return waysOf(shownElementsBelow(element));
}

/** All addresses that `elements` link to, as one text; '' where they are fewer than two. */
function waysOf(elements: Iterable<Element>): string {
  const addresses = new Set<string>();
  for (const { name, attribs } of elements) if (name === 'a' && attribs['href']) addresses.add(attribs['href'].trim());
  return addresses.size < 2 ? '' : [...addresses].sort().join(' ');
}

/** The elements between the texts of a block and its box. */
function* linksRound({ texts, box }: ContentBlock): Generator<Element> {
  for (const text of texts) for (let at = text.parent; at && isTag(at) && at !== box.element; at = at.parent) yield at;
}

/** So much of a text is read for a word of direction, which stands first. */
const NEIGHBOUR_CHARACTERS = 40;

function namesNeighbour(text: string): boolean {
  const { direction, leading } = readLabel(text.slice(0, NEIGHBOUR_CHARACTERS));
  return (direction ?? leading) === 'next' || (direction ?? leading) === 'previous';
}
