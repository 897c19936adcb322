// Describes every block of a page in numbers: itself, the boxes round it, its neighbours, its place.
import type { PageSignals } from './page-signals.ts';
import { PAGE_SIGNAL_NAMES } from './page-signals.ts';
import type { TypeScores } from './type-scores.ts';
import { PAGE_TYPES } from './type-scores.ts';
import type { BlockView, PageView } from './block-view.ts';
import { pageViewOf, squeeze } from './block-view.ts';
import { boxHolds, sharedBox, sharedDepth, stepsToShared } from './box-relations.ts';
import type { Block, Box, Outline } from './outline.ts';
import { alikeCount, isParagraph } from './outline.ts';
import { LANDMARK_NAMES } from './landmarks.ts';
import { NAME_GROUP_NAMES, PHRASE_GROUP_NAMES } from './hints.ts';
import { LEAD_NAMES, leadFeaturesOf } from './lead.ts';
import { log, share } from './ratios.ts';

type Feature = (view: BlockView, page: PageView) => number;

const matches = (pattern: RegExp, text: string) => text.match(pattern)?.length ?? 0;
const chars = (view: BlockView | undefined) => (view ? log(view.block.text.length) : -1);
const linkShare = (view: BlockView | undefined) => (view ? share(view.block.linkChars, view.block.text.length) : -1);
const neighbour = (view: BlockView, page: PageView, by: number) => page.views[view.block.index + by];

const OWN: Readonly<Record<string, Feature>> = {
  chars: (v) => log(v.block.text.length),
  words: (v) => log(v.block.words),
  linkShare: (v) => linkShare(v),
  commas: (v) => v.block.commas,
  sentences: (v) => matches(/[.!?。！？](?:\s|$)/g, v.block.text),
  ending: (v) => endingOf(v.block.text),
  wordLength: (v) => share(v.block.text.length, v.block.words),
  digitShare: (v) => share(matches(/\d/g, v.block.text), v.block.text.length),
  capitalShare: (v) => share(matches(/(?:^|\s)\p{Lu}/gu, v.block.text), v.block.words),
  symbolShare: (v) => share(matches(/[^\p{L}\p{N}\s.,'’"“”-]/gu, v.block.text), v.block.text.length),
  tag: (v) => tagOf(v.block.box.element.name),
  price: (v) => (/[$€£¥₹]\s?\d|\d\s?[€£]/.test(v.block.text) ? 1 : 0),
  date: (v) =>
    v.block.text.length < 120 && /\b(?:19|20)\d\d\b|\d{1,2}:\d\d|\b(?:minutes|hours|days|weeks|months|years) ago/.test(v.block.text)
      ? 1
      : 0,
  depth: (v) => v.block.box.depth,
  inlineTag: (v) => inlineOf(v.block),
  copies: (v, p) => p.copies.get(v.block.text) ?? 1,
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
  headingDistance: (v) => (v.heading ? stepsToShared(v.heading.box, v.boxes) : -1),
  stepsToBest: (v, p) => stepsUpTo(v, p.best),
  inBest: (v, p) => (v.boxes.includes(p.best) ? 1 : 0),
  bestDepth: (v, p) => p.best.depth - sharedDepth(p.best, v.boxes),
  sharedWithBest: (v, p) => share(sharedBox(p.best, v.boxes)?.chars ?? 0, p.outline.chars),
  inBulk: (v, p) => (v.boxes.includes(p.bulk) ? 1 : 0),
  bulkDepth: (v, p) => p.bulk.depth - sharedDepth(p.bulk, v.boxes),
  sharedWithBulk: (v, p) => share(sharedBox(p.bulk, v.boxes)?.chars ?? 0, p.outline.chars),
  sharedWithHeadline: (v, p) => (p.headline ? share(sharedBox(p.headline.box, v.boxes)?.chars ?? 0, p.outline.chars) : -1),
  headlineDepth: (v, p) => (p.headline ? p.headline.box.depth - sharedDepth(p.headline.box, v.boxes) : -1),
  pathCount: (v, p) => log(p.families.get(v.block.path)?.count ?? 0),
  pathChars: (v, p) => share(p.families.get(v.block.path)?.chars ?? 0, p.outline.chars),
  pathMean: (v, p) => log(share(p.families.get(v.block.path)?.chars ?? 0, p.families.get(v.block.path)?.count ?? 0)),
  pathLinkShare: (v, p) => share(p.families.get(v.block.path)?.linkChars ?? 0, p.families.get(v.block.path)?.chars ?? 0),
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

/** The boxes at a few heights above the block: 0 is its own. */
const BOXES: Readonly<Record<string, Feature>> = Object.fromEntries(
  [0, 1, 2, 3, 4, 6].flatMap((up): [string, Feature][] => {
    const boxOf = (v: BlockView) => v.boxes[Math.min(up, v.boxes.length - 1)] as Box;
    return [
      [`box${up}.chars`, (v) => log(boxOf(v).chars)],
      [`box${up}.share`, (v, p) => share(boxOf(v).chars, p.outline.chars)],
      [`box${up}.linkShare`, (v) => share(boxOf(v).linkChars, boxOf(v).chars)],
      [`box${up}.mean`, (v) => share(boxOf(v).chars, boxOf(v).blocks)],
      [`box${up}.paragraphShare`, (v) => share(boxOf(v).paragraphChars, boxOf(v).chars)],
      [`box${up}.alike`, (v) => log(alikeCount(boxOf(v)))],
      [`box${up}.children`, (v) => log(boxOf(v).element.children.length)],
      [`box${up}.images`, (v) => log(boxOf(v).images)],
    ];
  }),
);

/** How near a landmark stands: 0 for none, else 1 over the steps up to it. */
const PLACES_IN: Readonly<Record<string, Feature>> = Object.fromEntries(
  LANDMARK_NAMES.map((name, bit): [string, Feature] => [`in.${name}`, (v) => nearness(v, bit)]),
);

/** How near a box stands whose name hints at a group: 3 for its own, 2, 1, or 0 for none. */
const NAMED: Readonly<Record<string, Feature>> = Object.fromEntries(
  NAME_GROUP_NAMES.map((name, bit): [string, Feature] => [`named.${name}`, (v) => nameLevel(v, bit)]),
);

const SAYS: Readonly<Record<string, Feature>> = {
  ...Object.fromEntries(PHRASE_GROUP_NAMES.map((name, bit): [string, Feature] => [`says.${name}`, (v) => (v.phrases >> bit) & 1])),
  ...Object.fromEntries(
    PHRASE_GROUP_NAMES.map((name, bit): [string, Feature] => [
      `headed.${name}`,
      (v) => (((v.headingPhrases >> bit) & 1) === 0 || !v.heading ? 0 : 1 / (1 + stepsToShared(v.heading.box, v.boxes))),
    ]),
  ),
};

const FEATURES: Readonly<Record<string, Feature>> = {
  ...OWN,
  ...PLACE,
  ...CARD,
  ...SINCE,
  ...NEIGHBOURS,
  ...BOXES,
  ...PLACES_IN,
  ...NAMED,
  ...SAYS,
};
const FEATURE_LIST = Object.values(FEATURES);

/** The few page signals that a block is judged by; more of them would teach single pages by heart. */
const SHARED_SIGNALS = ['paragraphShare', 'linkShare', 'inMain', 'inArticle', 'alikeChars', 'shortShare', 'chars'].map((name) =>
  PAGE_SIGNAL_NAMES.indexOf(name),
);

/** The names of a block's features, in order: its own, then what it shares with the whole page. */
export const BLOCK_FEATURE_NAMES: readonly string[] = [
  ...Object.keys(FEATURES),
  ...LEAD_NAMES,
  ...SHARED_SIGNALS.map((at) => `page.${PAGE_SIGNAL_NAMES[at]}`),
  ...PAGE_TYPES.map((type) => `type.${type}`),
];

/** One row of BLOCK_FEATURE_NAMES.length numbers per block, in block order. */
export function blockFeaturesOf(outline: Outline, signals: PageSignals, types: TypeScores): readonly Float32Array[] {
  const page = pageViewOf(outline, signals);
  const leads = leadFeaturesOf(outline.blocks, page.headline);
  const shared = [...SHARED_SIGNALS.map((at) => signals.values[at] ?? 0), ...PAGE_TYPES.map((type) => types[type])];
  return page.views.map((view) => {
    const row = new Float32Array(BLOCK_FEATURE_NAMES.length);
    for (let i = 0; i < FEATURE_LIST.length; i++) row[i] = (FEATURE_LIST[i] as Feature)(view, page);
    row.set(leads[view.block.index] as readonly number[], FEATURE_LIST.length);
    row.set(shared, FEATURE_LIST.length + LEAD_NAMES.length);
    return row;
  });
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
function inlineOf(block: Block): number {
  const first = block.texts.find((node) => /\S/.test(node.data))?.parent;
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

function nearness(view: BlockView, bit: number): number {
  if (((view.block.box.landmarks >> bit) & 1) === 0) return 0;
  let steps = 0;
  while (steps + 1 < view.boxes.length && ((view.boxes[steps + 1] as Box).landmarks >> bit) & 1) steps++;
  return 1 / (1 + steps);
}

function nameLevel(view: BlockView, bit: number): number {
  for (let level = 0; level < 4; level++) if (((view.names[level] as number) >> bit) & 1) return 4 - level;
  return 0;
}

function stepsUpTo(view: BlockView, box: Box): number {
  return view.block.box.depth - sharedDepth(box, view.boxes);
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
