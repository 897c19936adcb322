// The features of a block that are read one by one: of itself, of its place, of the card that it lies in, of its neighbours.
import type { BlockView, PageView } from '../block-view.ts';
import { squeeze } from '../block-view.ts';
import { boxHolds, stepsToShared } from './box-relations.ts';
import { PHRASE_GROUP_NAMES } from '../hints.ts';
import type { ContentBlock } from '../outline.ts';
import { alikeCount, isParagraph } from '../outline.ts';
import { log, share } from './ratios.ts';

type Feature = (view: BlockView, page: PageView) => number;

const chars = (view: BlockView | undefined) => (view ? log(view.block.text.length) : -1);
const linkShare = (view: BlockView | undefined) => (view ? share(view.block.linkChars, view.block.text.length) : -1);
const neighbour = (view: BlockView, page: PageView, by: number) => page.views[view.block.index + by];

const OWN: Readonly<Record<string, Feature>> = {
  chars: (v) => log(v.block.text.length),
  words: (v) => log(v.block.words),
  linkShare: (v) => linkShare(v),
  commas: (v) => v.block.counts.commas,
  sentences: (v) => v.block.counts.sentences,
  ending: (v) => endingOf(v.block.text),
  wordLength: (v) => share(v.block.text.length, v.block.words),
  digitShare: (v) => share(v.block.counts.digits, v.block.text.length),
  capitalShare: (v) => share(v.block.counts.capitals, v.block.words),
  symbolShare: (v) => share(v.block.counts.symbols, v.block.text.length),
  tag: (v) => tagOf(v.block.box.element.name),
  price: (v) => (/[$€£¥₹]\s?\d|\d\s?[€£]/.test(v.block.text) ? 1 : 0),
  date: (v) =>
    v.block.text.length < 120 && /\b(?:19|20)\d\d\b|\d{1,2}:\d\d|\b(?:minutes|hours|days|weeks|months|years) ago/.test(v.block.text)
      ? 1
      : 0,
  depth: (v) => v.block.box.depth,
  inlineTag: (v) => inlineOf(v.block),
  copies: (v) => v.copies.count,
  copiesBefore: (v) => v.copiesBefore,
  isHeadline: (v, p) => (v.block === p.headline ? 1 : 0),
  inTitle: (v, p) => (v.block.text.length > 3 && p.signals.declared.title.includes(v.block.text) ? 1 : 0),
  inDescription: (v, p) => (v.block.text.length > 20 && p.signals.declared.description.includes(v.block.text.slice(0, 80)) ? 1 : 0),
  inArticleBody: (v, p) => articleBodyMatch(v.block.text, p.articleBody),
};

const PLACE: Readonly<Record<string, Feature>> = {
  position: (v, p) => share(v.block.charsBefore, p.outline.chars),
  positionFromEnd: (v, p) => log(p.outline.chars - v.block.charsBefore - v.block.text.length),
  index: (v) => log(v.block.index),
  indexFromEnd: (v, p) => log(p.outline.blocks.length - v.block.index),
  fromHeadline: (v, p) => (p.headline ? signedLog(v.block.index - p.headline.index) : -99),
  fromFirstParagraph: (v, p) => signedLog(v.block.index - p.firstParagraph),
  fromLastParagraph: (v, p) => signedLog(v.block.index - p.lastParagraph),
  fromHeading: (v) => (v.heading ? log(v.block.index - v.heading.index) : -1),
  headingTag: (v) => (v.heading ? tagOf(v.heading.box.element.name) : -1),
  headingDistance: (v) => v.headingDistance,
  stepsToBest: (v) => v.block.box.depth - v.withBest.depth,
  inBest: (v, p) => (v.withBest === p.best ? 1 : 0),
  bestDepth: (v, p) => p.best.depth - v.withBest.depth,
  sharedWithBest: (v, p) => share(v.withBest.chars, p.outline.chars),
  inBulk: (v, p) => (v.withBulk === p.bulk ? 1 : 0),
  bulkDepth: (v, p) => p.bulk.depth - v.withBulk.depth,
  sharedWithBulk: (v, p) => share(v.withBulk.chars, p.outline.chars),
  sharedWithHeadline: (v, p) => (v.withHeadline ? share(v.withHeadline.chars, p.outline.chars) : -1),
  headlineDepth: (v, p) => (v.withHeadline && p.headline ? p.headline.box.depth - v.withHeadline.depth : -1),
  pathCount: (v) => log(v.family.count),
  pathChars: (v, p) => share(v.family.chars, p.outline.chars),
  pathMean: (v) => log(share(v.family.chars, v.family.count)),
  pathLinkShare: (v) => share(v.family.linkChars, v.family.chars),
};

/** The repeated unit it lies in: a card, a row, a post. */
const CARD: Readonly<Record<string, Feature>> = {
  'card.height': (v) => (v.card ? v.block.box.depth - v.card.depth : -1),
  'card.alike': (v) => (v.card ? log(alikeCount(v.card)) : -1),
  'card.chars': (v) => (v.card ? log(v.card.chars) : -1),
  'card.blocks': (v) => (v.card ? log(v.card.blocks) : -1),
  'card.linkShare': (v) => (v.card ? share(v.card.linkChars, v.card.chars) : -1),
  'card.images': (v) => (v.card ? log(v.card.images) : -1),
  'card.paragraphShare': (v) => (v.card ? share(v.card.paragraphChars, v.card.chars) : -1),
  'card.familyShare': (v, p) => (v.card ? share(v.card.parent?.chars ?? 0, p.outline.chars) : -1),
  'card.familyLinkShare': (v) => (v.card?.parent ? share(v.card.parent.linkChars, v.card.parent.chars) : -1),
  'card.beforeHeadline': (v, p) => (v.card && p.headline ? signedLog(v.block.index - p.headline.index) : -99),
  'card.withHeadline': (v, p) => (v.card && p.headline && boxHolds(v.card, p.headline.box) ? 1 : 0),
  'card.name': (v) => (v.card ? tagOf(v.card.element.name) : -1),
};

const SINCE: Readonly<Record<string, Feature>> = {
  sinceComments: (v) => (v.sinceComments < 0 ? -1 : log(v.sinceComments)),
  sinceRelated: (v) => (v.sinceRelated < 0 ? -1 : log(v.sinceRelated)),
  articleOrdinal: (v) => v.articleOrdinal,
  linkedHeadings: (v) => log(v.linkedHeadings),
  headingLinkShare: (v) => (v.heading ? share(v.heading.linkChars, v.heading.text.length) : -1),
  headingIsHeadline: (v, p) => (v.heading && v.heading === p.headline ? 1 : 0),
  headingChars: (v) => (v.heading ? log(v.heading.text.length) : -1),
  ...Object.fromEntries(
    ['comments', 'forum', 'byline', 'more', 'shop', 'cookie'].map((name): [string, Feature] => {
      const bit = PHRASE_GROUP_NAMES.indexOf(name);
      return [`near.${name}`, (v, p) => phrasesAround(v.block.index, p, bit)];
    }),
  ),
  charsSinceHeadline: (v, p) => (p.headline ? signedLog(v.block.charsBefore - p.headline.charsBefore) : -99),
};

/** Short stretches of neighbours tell running text from scattered labels. */
const NEIGHBOURS: Readonly<Record<string, Feature>> = {
  ...Object.fromEntries(
    [-3, -2, -1, 1, 2, 3].flatMap((by): [string, Feature][] => [
      [`chars${signed(by)}`, (v, p) => chars(neighbour(v, p, by))],
      [`linkShare${signed(by)}`, (v, p) => linkShare(neighbour(v, p, by))],
    ]),
  ),
  'tag-1': (v, p) => tagOf(neighbour(v, p, -1)?.block.box.element.name),
  'tag+1': (v, p) => tagOf(neighbour(v, p, 1)?.block.box.element.name),
  paragraphsNear: (v, p) => paragraphsAround(v.block.index, p, 5),
  'steps-1': (v, p) => stepsToNeighbour(v, p, -1),
  'steps+1': (v, p) => stepsToNeighbour(v, p, 1),
};

const FEATURES: Readonly<Record<string, Feature>> = { ...OWN, ...PLACE, ...CARD, ...SINCE, ...NEIGHBOURS };
const FEATURE_LIST = Object.values(FEATURES);

/** The names of the features, in the order of a row. */
export const SINGLE_FEATURE_NAMES: readonly string[] = Object.keys(FEATURES);

/** Writes the features at the places `asked` into the row of `values` that begins at `start`; the others stay as they are. */
export function writeSingleFeatures(view: BlockView, page: PageView, asked: readonly number[], values: Float32Array, start: number): void {
  for (const place of asked) values[start + place] = (FEATURE_LIST[place] as Feature)(view, page);
}

const ENDINGS = ['.', '!', '?', ':', '…', ',', ';', '"', '”', ')', '»', '。'];

function endingOf(text: string): number {
  return ENDINGS.indexOf(text.at(-1) ?? '');
}

const TAGS = [
  'p',
  'div',
  'li',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'td',
  'th',
  'dt',
  'dd',
  'blockquote',
  'pre',
  'figcaption',
  'button',
  'section',
  'article',
  'body',
];

function tagOf(name: string | undefined): number {
  return name === undefined ? -1 : TAGS.indexOf(name) + 1;
}

const INLINE = ['a', 'span', 'strong', 'b', 'em', 'i', 'time', 'label', 'small', 'code', 'font'];

/** The innermost element round its first text, where that is an inline one. */
function inlineOf(block: ContentBlock): number {
  const first = block.opening.parent;
  return first && 'name' in first && first !== block.box.element ? INLINE.indexOf(first.name) + 1 : -1;
}

/** 1 where the declared article body contains the block, 0 where it does not, -1 where none is declared. */
function articleBodyMatch(text: string, body: string): number {
  if (body.length < 200) return -1;
  const part = squeeze(text).slice(0, 60);
  return part.length >= 4 && body.includes(part) ? 1 : 0;
}

const signedLog = (value: number) => Math.sign(value) * log(Math.abs(value));

function signed(by: number): string {
  return by > 0 ? `+${by}` : String(by);
}

function stepsToNeighbour(view: BlockView, page: PageView, by: number): number {
  const other = neighbour(view, page, by);
  return other ? stepsToShared(other.block.box, view.boxes) : -1;
}

function paragraphsAround(index: number, page: PageView, reach: number): number {
  let count = 0;
  for (let i = Math.max(0, index - reach); i <= index + reach && i < page.views.length; i++) {
    if (isParagraph((page.views[i] as BlockView).block)) count++;
  }
  return count;
}

/** How many of the four blocks on either side say something of a group. */
function phrasesAround(index: number, page: PageView, bit: number): number {
  let count = 0;
  for (let i = Math.max(0, index - 4); i <= index + 4 && i < page.views.length; i++) {
    if (i !== index && ((page.views[i] as BlockView).phrases >> bit) & 1) count++;
  }
  return count;
}
