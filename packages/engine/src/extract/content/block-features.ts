// Describes every block of a page in numbers: itself, the boxes round it, its neighbours, its place.
import type { PageSignals } from './page-signals.ts';
import { PAGE_SIGNAL_NAMES } from './page-signals.ts';
import type { TypeScores } from './type-scores.ts';
import { PAGE_TYPES } from './type-scores.ts';
import type { Block, Box, Outline } from './outline.ts';
import { alikeCount, isParagraph } from './outline.ts';
import { LANDMARK_NAMES } from './landmarks.ts';
import { NAME_GROUP_NAMES, PHRASE_GROUP_NAMES, phraseHints } from './hints.ts';

/** What all blocks of a page share. */
interface PageView {
  readonly outline: Outline;
  readonly signals: PageSignals;
  readonly views: readonly BlockView[];
  /** The box whose paragraphs speak most for it. */
  readonly best: Box;
  /** The smallest box that holds most of the paragraph text. */
  readonly bulk: Box;
  readonly headline: Block | undefined;
  readonly firstParagraph: number;
  readonly lastParagraph: number;
  readonly copies: ReadonlyMap<string, number>;
  readonly families: ReadonlyMap<string, Family>;
  readonly articleBody: string;
}

interface Family {
  count: number;
  chars: number;
  linkChars: number;
}

interface BlockView {
  readonly block: Block;
  readonly phrases: number;
  readonly heading: Block | undefined;
  readonly headingPhrases: number;
  readonly path: string;
  /** Name groups of its own box with inline elements, then of up to 3, 6 and all boxes. */
  readonly names: readonly [number, number, number, number];
  /** Boxes from its own to the body. */
  readonly boxes: readonly Box[];
  /** The smallest repeated box round it that holds more than this block. */
  readonly card: Box | undefined;
  /** Equal texts before it. */
  readonly copiesBefore: number;
  /** Blocks since the last heading or label that opens comments, and one that opens related pages; -1 for none yet. */
  readonly sinceComments: number;
  readonly sinceRelated: number;
  /** How many article elements have begun so far. */
  readonly articleOrdinal: number;
}

type Feature = (view: BlockView, page: PageView) => number;

const log = (value: number) => Math.log2(1 + value);
const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);
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
  pathCount: (v, p) => log(p.families.get(v.path)?.count ?? 0),
  pathChars: (v, p) => share(p.families.get(v.path)?.chars ?? 0, p.outline.chars),
  pathMean: (v, p) => log(share(p.families.get(v.path)?.chars ?? 0, p.families.get(v.path)?.count ?? 0)),
  pathLinkShare: (v, p) => share(p.families.get(v.path)?.linkChars ?? 0, p.families.get(v.path)?.chars ?? 0),
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
  ...SHARED_SIGNALS.map((at) => `page.${PAGE_SIGNAL_NAMES[at]}`),
  ...PAGE_TYPES.map((type) => `type.${type}`),
];

/** One row of BLOCK_FEATURE_NAMES.length numbers per block, in block order. */
export function blockFeaturesOf(outline: Outline, signals: PageSignals, types: TypeScores): readonly Float32Array[] {
  const page = pageViewOf(outline, signals);
  const shared = [...SHARED_SIGNALS.map((at) => signals.values[at] ?? 0), ...PAGE_TYPES.map((type) => types[type])];
  return page.views.map((view) => {
    const row = new Float32Array(BLOCK_FEATURE_NAMES.length);
    for (let i = 0; i < FEATURE_LIST.length; i++) row[i] = (FEATURE_LIST[i] as Feature)(view, page);
    row.set(shared, FEATURE_LIST.length);
    return row;
  });
}

function pageViewOf(outline: Outline, signals: PageSignals): PageView {
  const { blocks } = outline;
  const views = viewsOf(blocks);
  const copies = new Map<string, number>();
  const families = new Map<string, Family>();
  for (const { block, path } of views) {
    copies.set(block.text, (copies.get(block.text) ?? 0) + 1);
    const family = families.get(path) ?? { count: 0, chars: 0, linkChars: 0 };
    families.set(path, family);
    family.count++;
    family.chars += block.text.length;
    family.linkChars += block.linkChars;
  }
  return {
    outline,
    signals,
    views,
    best: bestBox(outline),
    bulk: bulkBox(outline),
    headline: headlineOf(blocks, signals.declared.title),
    firstParagraph: blocks.findIndex(isParagraph),
    lastParagraph: blocks.findLastIndex(isParagraph),
    copies,
    families,
    articleBody: squeeze(signals.declared.articleBody),
  };
}

function viewsOf(blocks: readonly Block[]): BlockView[] {
  const seen = new Map<string, number>();
  const articles = new Set<Box>();
  let heading: Block | undefined;
  let headingPhrases = 0;
  let comments = -1;
  let related = -1;
  return blocks.map((block) => {
    const phrases = phraseHints(block.text);
    const boxes = boxesOf(block.box);
    for (const box of boxes) if (box.element.name === 'article') articles.add(box);
    const copiesBefore = seen.get(block.text) ?? 0;
    seen.set(block.text, copiesBefore + 1);
    const view: BlockView = {
      block,
      phrases,
      heading,
      headingPhrases,
      path: pathOf(boxes),
      names: namesOf(block, boxes),
      boxes,
      card: boxes.find((box) => box.blocks > 1 && alikeCount(box) > 2),
      copiesBefore,
      sinceComments: comments < 0 ? -1 : block.index - comments,
      sinceRelated: related < 0 ? -1 : block.index - related,
      articleOrdinal: articles.size,
    };
    const isHeading = /^h[1-6]$/.test(block.box.element.name);
    if (isHeading) {
      heading = block;
      headingPhrases = phrases;
    }
    if (block.text.length < 60 && COMMENTS.test(block.text)) comments = block.index;
    if (isHeading && RELATED.test(block.text)) related = block.index;
    return view;
  });
}

const COMMENTS =
  /^(?:\d+ |all |\w+ )?(?:comments?|responses?|replies|kommentare?|commentaires|comentarios|reacties|discussion)\b|^(?:leave|post|write|add|join) (?:a |the )?(?:comment|reply|conversation|discussion)|\b\d+ (?:comments|responses|thoughts on)\b/i;
const RELATED =
  /\b(?:related|you may|you might|recommended|more (?:from|in|on|stories|news|like)|popular|trending|latest|most read|read next|up next|similar|also|around the web|don't miss|keep reading|mais|weitere|à lire|te puede)\b/i;

function boxHolds(outer: Box, inner: Box): boolean {
  for (let box: Box | undefined = inner; box; box = box.parent) if (box === outer) return true;
  return false;
}

function boxesOf(box: Box): Box[] {
  const boxes: Box[] = [];
  for (let next: Box | undefined = box; next; next = next.parent) boxes.push(next);
  return boxes;
}

/** The kinds of its four nearest boxes: what is laid out alike has the same path. */
function pathOf(boxes: readonly Box[]): string {
  return boxes
    .slice(0, 4)
    .map((box) => box.kind)
    .join('<');
}

function namesOf(block: Block, boxes: readonly Box[]): BlockView['names'] {
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
function headlineOf(blocks: readonly Block[], title: string): Block | undefined {
  const titled = (block: Block) => block.text.length > 3 && title.includes(block.text);
  const h1 = blocks.filter((block) => block.box.element.name === 'h1');
  return h1.find(titled) ?? h1[0] ?? blocks.find((block) => /^h[23]$/.test(block.box.element.name) && titled(block));
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

const squeeze = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, '');

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

/** The deepest of `boxes` (a block's own upwards) that holds `other` too. */
function sharedBox(other: Box, boxes: readonly Box[]): Box | undefined {
  for (let box: Box | undefined = other; box; box = box.parent) if (boxes[boxes.length - 1 - box.depth] === box) return box;
  return undefined;
}

function sharedDepth(other: Box, boxes: readonly Box[]): number {
  return sharedBox(other, boxes)?.depth ?? 0;
}

function stepsToShared(other: Box, boxes: readonly Box[]): number {
  return boxes.length - 1 - sharedDepth(other, boxes);
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
