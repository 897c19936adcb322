// Looks at a page's blocks with everything that their features need: the boxes round each, its heading, its like.
import { boxesOf, sharedBox, stepsToShared } from './features/box-relations.ts';
import type { AskedPhrases } from './hints.ts';
import { phraseHints } from './hints.ts';
import { LANDMARK } from './landmarks.ts';
import type { ContentBlock, Box, Outline } from './outline.ts';
import { alikeCount, isHeading, isParagraph } from './outline.ts';
import type { PageSignals } from './features/page-signals.ts';
import { share } from './features/ratios.ts';

/** What all blocks of a page share. */
export interface PageView {
  readonly outline: Outline;
  readonly signals: PageSignals;
  readonly views: readonly BlockView[];
  /** The box whose paragraphs speak most for it. */
  readonly best: Box;
  /** The smallest box that holds most of the paragraph text. */
  readonly bulk: Box;
  readonly headline: ContentBlock | undefined;
  readonly firstParagraph: number;
  readonly lastParagraph: number;
  readonly articleBody: string;
}

/** The blocks of one path. */
interface Family {
  count: number;
  chars: number;
  linkChars: number;
}

/** The blocks of one text. */
interface Copies {
  count: number;
}

/** A block with what was read before it and what stands round it. */
export interface BlockView {
  readonly block: ContentBlock;
  readonly phrases: number;
  readonly heading: ContentBlock | undefined;
  readonly headingPhrases: number;
  /** Steps up to the box that the heading lies in too; -1 without a heading. */
  readonly headingDistance: number;
  /** Name groups of its own box with inline elements, then of up to 3, 6 and all boxes. */
  readonly names: readonly [number, number, number, number];
  /** Boxes from its own to the body. */
  readonly boxes: readonly Box[];
  /** The smallest box round it that also holds the page's best box, its bulk and its headline. */
  readonly withBest: Box;
  readonly withBulk: Box;
  readonly withHeadline: Box | undefined;
  /** The smallest repeated box round it that holds more than this block. */
  readonly card: Box | undefined;
  readonly family: Family;
  /** Equal texts on the page, itself included, and those before it. */
  readonly copies: Copies;
  readonly copiesBefore: number;
  /** Blocks since the last heading or label that opens comments, and one that opens related pages; -1 for none yet. */
  readonly sinceComments: number;
  readonly sinceRelated: number;
  /** Headings since the headline that are links: titles of other pages. */
  readonly linkedHeadings: number;
  /** How many article elements have begun so far. */
  readonly articleOrdinal: number;
}

/** The view of a page's blocks, in block order. */
export function pageViewOf(outline: Outline, signals: PageSignals, phrases: AskedPhrases): PageView {
  const { blocks } = outline;
  const marks: Marks = { best: bestBox(outline), bulk: bulkBox(outline), headline: headlineOf(blocks, signals.declared.title) };
  const reading = new Reading(marks, phrases);
  return {
    outline,
    signals,
    views: blocks.map((block) => reading.view(block)),
    ...marks,
    firstParagraph: blocks.findIndex(isParagraph),
    lastParagraph: blocks.findLastIndex(isParagraph),
    articleBody: squeeze(signals.declared.articleBody),
  };
}

/** What every block is seen from. */
type Marks = Pick<PageView, 'best' | 'bulk' | 'headline'>;

/** Reads blocks from first to last and remembers what later ones need to know. */
class Reading {
  private readonly marks: Marks;
  private readonly phrases: AskedPhrases;
  private readonly copies = new Map<string, Copies>();
  private readonly families = new Map<number, Family>();
  private readonly articles = new Set<Box>();
  private heading: ContentBlock | undefined;
  private headingPhrases = 0;
  private comments = -1;
  private related = -1;
  private linkedHeadings = 0;

  constructor(marks: Marks, phrases: AskedPhrases) {
    this.marks = marks;
    this.phrases = phrases;
  }

  view(block: ContentBlock): BlockView {
    const { best, bulk, headline } = this.marks;
    const phrases = phraseHints(block.text, isHeading(block) ? this.phrases.every | this.phrases.headings : this.phrases.every);
    const boxes = boxesOf(block.box);
    this.countArticles(block, boxes);
    const copies = this.copiesOf(block);
    const view: BlockView = {
      block,
      phrases,
      heading: this.heading,
      headingPhrases: this.headingPhrases,
      headingDistance: this.heading ? stepsToShared(this.heading.box, boxes) : -1,
      names: namesOf(block, boxes),
      boxes,
      withBest: sharedBox(best, boxes),
      withBulk: sharedBox(bulk, boxes),
      withHeadline: headline && sharedBox(headline.box, boxes),
      card: boxes.find((box) => box.blocks > 1 && alikeCount(box) > 2),
      family: this.familyOf(block),
      copies,
      copiesBefore: copies.count - 1,
      sinceComments: this.comments < 0 ? -1 : block.index - this.comments,
      sinceRelated: this.related < 0 ? -1 : block.index - this.related,
      linkedHeadings: this.linkedHeadings,
      articleOrdinal: this.articles.size,
    };
    this.remember(block, phrases);
    return view;
  }

  private countArticles(block: ContentBlock, boxes: readonly Box[]): void {
    if ((block.box.landmarks & LANDMARK.article) === 0) return;
    for (const box of boxes) if (box.element.name === 'article') this.articles.add(box);
  }

  private familyOf({ path, text, linkChars }: ContentBlock): Family {
    let family = this.families.get(path);
    if (!family) this.families.set(path, (family = { count: 0, chars: 0, linkChars: 0 }));
    family.count++;
    family.chars += text.length;
    family.linkChars += linkChars;
    return family;
  }

  private copiesOf({ text }: ContentBlock): Copies {
    let copies = this.copies.get(text);
    if (!copies) this.copies.set(text, (copies = { count: 0 }));
    copies.count++;
    return copies;
  }

  private remember(block: ContentBlock, phrases: number): void {
    const { text, index, linkChars, box } = block;
    const heads = isHeading(block);
    if (text.length < 60 && (COMMENTS.test(text) || (heads && /\bcomments?\b/i.test(text)))) this.comments = index;
    if (!heads) return;
    if (RELATED.test(text)) this.related = index;
    this.heading = block;
    this.headingPhrases = phrases;
    this.linkedHeadings = box.element.name === 'h1' ? 0 : this.linkedHeadings + (linkChars > text.length / 2 ? 1 : 0);
  }
}

const COMMENTS =
  /^(?:\d+ |all |\w+ )?(?:comments?|responses?|replies|kommentare?|commentaires|comentarios|reacties|discussion)\b|^(?:leave|post|write|add|join) (?:a |the )?(?:comment|reply|conversation|discussion)|\b\d+ (?:comments|responses|thoughts on)\b/i;
const RELATED =
  /\b(?:related|you may|you might|recommended|more (?:from|in|on|stories|news|like)|popular|trending|latest|most read|read next|up next|similar|also|around the web|don't miss|keep reading|mais|weitere|à lire|te puede)\b/i;

function namesOf(block: ContentBlock, boxes: readonly Box[]): BlockView['names'] {
  let all = block.inlineHints | block.box.hints;
  const names: [number, number, number, number] = [all, 0, 0, 0];
  // The body's own names describe the whole page, so they are not hints here.
  for (let i = 1; i < boxes.length - 1; i++) {
    if (i === 3) names[1] = all;
    if (i === 6) names[2] = all;
    all |= (boxes[i] as Box).hints;
  }
  names[1] ||= all;
  names[2] ||= all;
  names[3] = all;
  return names;
}

function bestBox(outline: Outline): Box {
  let best = outline.body;
  let bestScore = -1;
  for (const box of ancestorBoxes(outline)) {
    const score = box.score * (1 - share(box.linkChars, box.chars));
    if (score > bestScore) {
      bestScore = score;
      best = box;
    }
  }
  return best;
}

function bulkBox(outline: Outline): Box {
  let bulk = outline.body;
  for (const box of ancestorBoxes(outline)) {
    if (box.depth > bulk.depth && box.paragraphChars >= outline.body.paragraphChars * 0.6 && box.paragraphChars > 0) bulk = box;
  }
  return bulk;
}

function ancestorBoxes(outline: Outline): Set<Box> {
  const boxes = new Set<Box>();
  for (const block of outline.blocks) {
    for (let box: Box | undefined = block.box; box && !boxes.has(box); box = box.parent) boxes.add(box);
  }
  return boxes;
}

/** The h1 that the title repeats, else the first h1, else the first heading that the title repeats. */
export function headlineOf(blocks: readonly ContentBlock[], title: string): ContentBlock | undefined {
  const titled = (block: ContentBlock) => block.text.length > 3 && title.includes(block.text);
  const h1 = blocks.filter((block) => block.box.element.name === 'h1');
  return h1.find(titled) ?? h1[0] ?? blocks.find((block) => /^h[23]$/.test(block.box.element.name) && titled(block));
}

/** Letters and digits alone, so that two writings of one text agree. */
export const squeeze = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, '');
