// Finds where a page's own text begins, and tells how every block stands to that place: teasers of other pages and
// comments read like the text itself, but stand elsewhere in the tree.
import { boxHolds, boxesOf, sharedBox } from './features/box-relations.ts';
import { log, share } from './features/ratios.ts';
import { LANDMARK } from './landmarks.ts';
import type { ContentBlock, Box } from './outline.ts';
import { isParagraph } from './outline.ts';

/** The lead's features of a block, in order. */
export const LEAD_NAMES: readonly string[] = [
  'lead.stepsFromBlock',
  'lead.stepsFromLead',
  'lead.sharedChars',
  'lead.sharedLinkShare',
  'lead.sharedBlocks',
  'lead.samePath',
  'lead.wordsSince',
  'lead.linkCharsSince',
  'lead.blocksSinceParagraph',
  'lead.blocksSinceBox',
  'lead.articleHolds',
];

const APART = LANDMARK.nav | LANDMARK.header | LANDMARK.footer | LANDMARK.aside | LANDMARK.dialog;
const NO_LEAD: readonly number[] = LEAD_NAMES.map(() => -2);

/** One row of LEAD_NAMES.length numbers per block; the lead is the first paragraph after `headline`. */
export function leadFeaturesOf(blocks: readonly ContentBlock[], headline: ContentBlock | undefined): readonly (readonly number[])[] {
  const lead = leadAfter(blocks, headline?.index ?? 0) ?? leadAfter(blocks, 0);
  if (!lead) return blocks.map(() => NO_LEAD);
  const places = new Places(lead);
  return blocks.map((block) => places.of(block));
}

/** The first paragraph from `from` on that no landmark sets apart. */
function leadAfter(blocks: readonly ContentBlock[], from: number): ContentBlock | undefined {
  for (let i = from; i < blocks.length; i++) {
    const block = blocks[i] as ContentBlock;
    if (isParagraph(block) && (block.box.landmarks & APART) === 0) return block;
  }
  return undefined;
}

/** Reads blocks from first to last and remembers what came since the lead. */
class Places {
  private readonly lead: ContentBlock;
  private readonly leadBoxes: readonly Box[];
  /** The box whose paragraphs the lead is one of. */
  private readonly home: Box;
  private words = 0;
  private linkChars = 0;
  private sinceParagraph = 0;
  private sinceHome = 0;

  constructor(lead: ContentBlock) {
    this.lead = lead;
    this.leadBoxes = boxesOf(lead.box);
    this.home = lead.box.element.name === 'p' ? (lead.box.parent ?? lead.box) : lead.box;
  }

  of(block: ContentBlock): readonly number[] {
    const lead = this.lead;
    const shared = sharedBox(block.box, this.leadBoxes);
    const isAfter = block.index > lead.index;
    if (isAfter) this.sinceHome = boxHolds(this.home, block.box) ? 0 : this.sinceHome + 1;
    const row = [
      block.box.depth - shared.depth,
      lead.box.depth - shared.depth,
      log(shared.chars),
      share(shared.linkChars, shared.chars),
      log(shared.blocks),
      block.path === lead.path ? 1 : 0,
      isAfter ? log(this.words) : -log(lead.index - block.index),
      isAfter ? log(this.linkChars) : -1,
      isAfter ? log(this.sinceParagraph) : -1,
      isAfter ? log(this.sinceHome) : -1,
      articleHolds(block.box, lead.box),
    ];
    if (block.index >= lead.index) this.pass(block);
    return row;
  }

  private pass(block: ContentBlock): void {
    this.words += block.words;
    this.linkChars += block.linkChars;
    this.sinceParagraph = isParagraph(block) ? 0 : this.sinceParagraph + 1;
  }
}

/** 1 where the nearest article element round a block holds the lead too, 0 where it does not, -1 where there is none. */
function articleHolds(box: Box, lead: Box): number {
  for (let at: Box | undefined = box; at; at = at.parent) if (at.element.name === 'article') return boxHolds(at, lead) ? 1 : 0;
  return -1;
}
