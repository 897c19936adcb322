// Counts what the text of a page is made of: paragraphs, prices, dates, labels, repeated boxes.
import { LANDMARK } from '../landmarks.ts';
import type { ContentBlock, Box, Outline } from '../outline.ts';
import { isHeading, isParagraph } from '../outline.ts';

/** Counts of blocks, or sums of characters. */
export interface TextFacts {
  readonly paragraphs: number;
  readonly paragraphChars: number;
  readonly longest: number;
  readonly linkChars: number;
  readonly prices: number;
  readonly dates: number;
  readonly cartWords: number;
  readonly shortBlocks: number;
  readonly headings: number;
  readonly inArticle: number;
  readonly inMain: number;
  readonly inNav: number;
  readonly inPre: number;
  readonly questions: number;
  readonly links: number;
  readonly forumWords: number;
  readonly filterWords: number;
  readonly callWords: number;
  readonly alikeMax: number;
  readonly alikeChars: number;
}

const PRICE = /[$€£¥₹]\s?\d|\d[\d.,]*\s?(?:€|£|kr|zł|USD|EUR)(?:\s|$)/;
const DATE = /\b(?:19|20)\d\d\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d/i;
const CART = /\badd to (?:cart|bag|basket)|\bbuy now|\bin den warenkorb|\bajouter au panier/i;
const FORUM = /\b(?:joined|replies|posts|thread|topic|forum|members?|reply|quote)\b/i;
const FILTER = /\b(?:filters?|sort(?:ed)? by|results|showing|refine)\b/i;
const CALL =
  /\b(?:contact us|get a quote|free consultation|request a demo|book a|get started|schedule|call (?:us|now)|apply now|free trial|our (?:team|services|clients|experts))\b/i;

/** The counts over all blocks of a page. */
export function textFactsOf(outline: Outline): TextFacts {
  const facts = { ...NO_TEXT };
  for (const block of outline.blocks) {
    const size = block.text.length;
    facts.linkChars += block.linkChars;
    if (block.linkChars > 0) facts.links++;
    if (size > facts.longest) facts.longest = size;
    if (isParagraph(block)) {
      facts.paragraphs++;
      facts.paragraphChars += size;
    }
    addWords(facts, block);
    addPlaces(facts, block.box.landmarks, size);
    if (isHeading(block)) facts.headings++;
  }
  addRepetition(facts, outline);
  return facts;
}

type Counted = { -readonly [name in keyof TextFacts]: number };
const NO_TEXT: TextFacts = {
  paragraphs: 0,
  paragraphChars: 0,
  longest: 0,
  linkChars: 0,
  prices: 0,
  dates: 0,
  cartWords: 0,
  shortBlocks: 0,
  headings: 0,
  inArticle: 0,
  inMain: 0,
  inNav: 0,
  inPre: 0,
  questions: 0,
  links: 0,
  forumWords: 0,
  filterWords: 0,
  callWords: 0,
  alikeMax: 0,
  alikeChars: 0,
};

function addWords(facts: Counted, { text, counts }: ContentBlock): void {
  if (text.endsWith('?')) facts.questions++;
  if (text.length < 25) facts.shortBlocks++;
  if (text.length > 120) return;
  if (counts.digits > 0 && PRICE.test(text)) facts.prices++;
  if (counts.digits > 0 && DATE.test(text)) facts.dates++;
  if (CART.test(text)) facts.cartWords++;
  if (FORUM.test(text)) facts.forumWords++;
  if (FILTER.test(text)) facts.filterWords++;
  if (CALL.test(text)) facts.callWords++;
}

function addPlaces(facts: Counted, landmarks: number, size: number): void {
  if ((landmarks & LANDMARK.article) !== 0) facts.inArticle += size;
  if ((landmarks & LANDMARK.main) !== 0) facts.inMain += size;
  if ((landmarks & (LANDMARK.nav | LANDMARK.header | LANDMARK.footer | LANDMARK.aside)) !== 0) facts.inNav += size;
  if ((landmarks & LANDMARK.pre) !== 0) facts.inPre += size;
}

/** How many boxes round a block may be one of a family. */
const BOXES_MAX = 4;

/** The largest family of boxes of one kind that holds some text each: cards, rows, posts. */
function addRepetition(facts: Counted, outline: Outline): void {
  const families = new Map<number, { count: number; chars: number }>();
  const isSeen = new Uint8Array(outline.boxCount);
  for (const block of outline.blocks) {
    let box: Box | undefined = block.box;
    for (let up = 0; box?.parent && up < BOXES_MAX; up++, box = box.parent) {
      if (isSeen[box.index] === 1) continue;
      isSeen[box.index] = 1;
      if (box.chars >= 40 && box.blocks >= 2) addToFamily(facts, families, box, box.parent.index * outline.boxCount + box.kind);
    }
  }
}

function addToFamily(facts: Counted, families: Map<number, { count: number; chars: number }>, box: Box, key: number): void {
  const family = families.get(key) ?? { count: 0, chars: 0 };
  families.set(key, family);
  family.count++;
  family.chars += box.chars;
  if (family.count < 3 || family.chars <= facts.alikeChars) return;
  facts.alikeChars = family.chars;
  facts.alikeMax = family.count;
}
