// What a page as a whole tells about itself, as numbers: its address, its metadata, its structured data, its shape.
import type { AnyNode, Element } from 'domhandler';
import { isTag, isText } from 'domhandler';
import type { PageTree } from '../../html/tree.ts';
import { NAME_GROUP_NAMES } from './hints.ts';
import type { Outline } from './outline.ts';
import { isParagraph } from './outline.ts';
import { LANDMARK } from './landmarks.ts';

/** What the head says. */
interface Declared {
  readonly openGraphType: string;
  readonly generator: string;
  readonly title: string;
  readonly description: string;
  /** Every `@type` of JSON-LD, in lower case, blank-separated. */
  readonly types: string;
  /** `articleBody` of JSON-LD, '' where absent. */
  readonly articleBody: string;
}

export interface PageSignals {
  readonly declared: Declared;
  readonly values: readonly number[];
}

interface Facts {
  readonly declared: Declared;
  readonly outline: Outline;
  readonly path: string;
  readonly query: string;
  readonly host: string;
  /** `itemtype`s of the body, in lower case. */
  readonly itemTypes: string;
  readonly bodyNames: string;
  readonly text: TextFacts;
}

interface TextFacts {
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

const has = (pattern: RegExp, text: string) => (pattern.test(text) ? 1 : 0);
const log = (value: number) => Math.log2(1 + value);
const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);

const SIGNALS: Readonly<Record<string, (facts: Facts) => number>> = {
  pathDepth: (f) => f.path.split('/').filter(Boolean).length,
  pathLength: (f) => f.path.length,
  lastSegmentWords: (f) => (f.path.split('/').findLast(Boolean) ?? '').split(/[-_]/).length,
  pathDigits: (f) => has(/\d{3,}/, f.path),
  pathDate: (f) => has(/\/(?:19|20)\d\d\/\d\d?\b/, f.path),
  hasQuery: (f) => (f.query === '' ? 0 : 1),
  pathForum: (f) =>
    has(/\/(?:t|threads?|topics?|forums?|viewtopic|showthread|discussions?|questions|community|comments|r)\b/, f.path + f.query),
  hostForum: (f) => has(/(?:^|\.)(?:forums?|community|discuss|answers|talk|discourse)\.|forum/, f.host),
  pathDocs: (f) =>
    has(/\/(?:docs?|documentation|guides?|manual|reference|api|tutorials?|learn|wiki|help|kb|handbook|book|library)\b/, f.path),
  hostDocs: (f) => has(/^(?:docs?|developers?|help|wiki|learn|support|api)\.|readthedocs|\.dev$/, f.host),
  pathArticle: (f) => has(/\/(?:blog|news|articles?|posts?|stor(?:y|ies)|magazine|press|insights?|opinion|resources)\b/, f.path),
  pathProduct: (f) => has(/\/(?:products?|p|pd|pdp|dp|item|listing|app|pr)\/|\/p\//, f.path),
  pathCollection: (f) => has(/\/(?:collections?|categor(?:y|ies)|c|shop|cat|browse|store|b|departments?|catalog)(?:\/|$)/, f.path),
  pathListing: (f) =>
    has(/\/(?:search|tags?|topics?|archive|directory|jobs|events?|category|list|hub|authors?|courses|programs)(?:\/|$)/, f.path),
  pathService: (f) =>
    has(
      /\/(?:services?|solutions?|pricing|plans|features?|about|what-we-do|locations?|industries|practice-areas|treatments?|care)\b/,
      f.path,
    ),
  extension: (f) => has(/\.(?:html?|php|aspx?)$/, f.path),
  ogArticle: (f) => has(/article|blog/, f.declared.openGraphType),
  ogProduct: (f) => has(/product/, f.declared.openGraphType),
  ogWebsite: (f) => has(/website/, f.declared.openGraphType),
  ogNone: (f) => (f.declared.openGraphType === '' ? 1 : 0),
  ldArticle: (f) => has(/article|blogposting|newsarticle/, f.declared.types),
  ldProduct: (f) => has(/\bproduct(?:group)?\b/, f.declared.types),
  ldOffer: (f) => has(/offer/, f.declared.types),
  ldForum: (f) => has(/discussionforumposting|qapage/, f.declared.types),
  ldFaq: (f) => has(/faqpage/, f.declared.types),
  ldList: (f) => has(/itemlist/, f.declared.types),
  ldCollection: (f) => has(/collectionpage|searchresults/, f.declared.types),
  ldService: (f) => has(/service\b|localbusiness|softwareapplication/, f.declared.types),
  ldTech: (f) => has(/techarticle|howto|course/, f.declared.types),
  ldWebPage: (f) => has(/webpage/, f.declared.types),
  ldNone: (f) => (f.declared.types === '' ? 1 : 0),
  itemArticle: (f) => has(/article|blogposting/, f.itemTypes),
  itemProduct: (f) => has(/product/, f.itemTypes),
  itemForum: (f) => has(/question|discussionforum|answer/, f.itemTypes),
  generatorForum: (f) => has(/discourse|xenforo|vbulletin|phpbb|invision|flarum|nodebb|mybb|vanilla/, f.declared.generator),
  generatorDocs: (f) =>
    has(
      /sphinx|docusaurus|mkdocs|gitbook|hugo|jekyll|vitepress|mdbook|asciidoc|mediawiki|docutils|doxygen|starlight/,
      f.declared.generator,
    ),
  generatorBlog: (f) => has(/wordpress|ghost|blogger|medium/, f.declared.generator),
  generatorShop: (f) => has(/woocommerce|shopify|prestashop|magento/, f.declared.generator),
  bodySingle: (f) => has(/\bsingle\b|single-post|postid/, f.bodyNames),
  bodyArchive: (f) => has(/\barchive\b|category|\bblog\b|\bsearch\b/, f.bodyNames),
  bodyPage: (f) => has(/\bpage-template|page-id|\bpage\b/, f.bodyNames),
  bodyProduct: (f) => has(/product/, f.bodyNames),
  bodyHome: (f) => has(/\bhome\b|front-page/, f.bodyNames),
  titleQuestion: (f) => has(/\?|^(?:how|what|why|when)\b/i, f.declared.title),
  titleDocs: (f) => has(/\b(?:documentation|docs|manual|reference|guide|tutorial)\b/i, f.declared.title),
  titleForum: (f) => has(/\b(?:forums?|community|thread|discussion)\b/i, f.declared.title),
  titleShop: (f) => has(/\b(?:buy|shop|price|sale|store|collection)\b/i, f.declared.title),
  titleService: (f) => has(/\b(?:services?|solutions?|company|consulting|agency|pricing|insurance|software|platform)\b/i, f.declared.title),
  titleNumber: (f) => has(/\b\d{1,3}\b/, f.declared.title),
  titleLength: (f) => f.declared.title.length,
  chars: (f) => log(f.outline.chars),
  blocks: (f) => log(f.outline.blocks.length),
  charsPerBlock: (f) => share(f.outline.chars, f.outline.blocks.length),
  linkShare: (f) => share(f.text.linkChars, f.outline.chars),
  links: (f) => log(f.text.links),
  paragraphs: (f) => log(f.text.paragraphs),
  paragraphShare: (f) => share(f.text.paragraphChars, f.outline.chars),
  paragraphMean: (f) => share(f.text.paragraphChars, f.text.paragraphs),
  longest: (f) => log(f.text.longest),
  prices: (f) => log(f.text.prices),
  dates: (f) => log(f.text.dates),
  cartWords: (f) => log(f.text.cartWords),
  forumWords: (f) => log(f.text.forumWords),
  filterWords: (f) => log(f.text.filterWords),
  callWords: (f) => log(f.text.callWords),
  questions: (f) => log(f.text.questions),
  headings: (f) => log(f.text.headings),
  shortShare: (f) => share(f.text.shortBlocks, f.outline.blocks.length),
  inArticle: (f) => share(f.text.inArticle, f.outline.chars),
  inMain: (f) => share(f.text.inMain, f.outline.chars),
  inNav: (f) => share(f.text.inNav, f.outline.chars),
  inPre: (f) => share(f.text.inPre, f.outline.chars),
  alikeMax: (f) => log(f.text.alikeMax),
  alikeChars: (f) => share(f.text.alikeChars, f.outline.chars),
  articles: (f) => log(f.outline.tags.get('article') ?? 0),
  forms: (f) => log(f.outline.tags.get('form') ?? 0),
  inputs: (f) => log(f.outline.tags.get('input') ?? 0),
  selects: (f) => log(f.outline.tags.get('select') ?? 0),
  buttons: (f) => log(f.outline.tags.get('button') ?? 0),
  images: (f) => log(f.outline.tags.get('img') ?? 0),
  codes: (f) => log((f.outline.tags.get('code') ?? 0) + (f.outline.tags.get('pre') ?? 0)),
  times: (f) => log(f.outline.tags.get('time') ?? 0),
  tables: (f) => log(f.outline.tags.get('tr') ?? 0),
  quotes: (f) => log(f.outline.tags.get('blockquote') ?? 0),
  h1: (f) => f.outline.tags.get('h1') ?? 0,
  h2: (f) => log(f.outline.tags.get('h2') ?? 0),
  h3: (f) => log(f.outline.tags.get('h3') ?? 0),
  items: (f) => log(f.outline.tags.get('li') ?? 0),
  sections: (f) => log(f.outline.tags.get('section') ?? 0),
  ...Object.fromEntries(
    [
      'message',
      'comment',
      'product',
      'review',
      'item',
      'filter',
      'content',
      'hero',
      'faq',
      'contents',
      'code',
      'signature',
      'meta',
      'pager',
    ].map((name) => [`names.${name}`, (f: Facts) => log(f.outline.hintCounts[NAME_GROUP_NAMES.indexOf(name)] ?? 0)]),
  ),
};

/** The names of the page signals, in the order of their values. */
export const PAGE_SIGNAL_NAMES: readonly string[] = Object.keys(SIGNALS);

/** The signals of a page; absent metadata is '' and counts as 0. */
export function pageSignalsOf(tree: PageTree, outline: Outline): PageSignals {
  const declared = declaredOf(tree);
  const address = URL.parse(tree.url);
  const facts: Facts = {
    declared,
    outline,
    path: (address?.pathname ?? '').toLowerCase(),
    query: address?.search ?? '',
    host: (address?.hostname ?? '').toLowerCase(),
    itemTypes: itemTypesOf(outline),
    bodyNames: `${tree.body.attribs['class'] ?? ''} ${tree.body.attribs['id'] ?? ''}`.toLowerCase(),
    text: textFactsOf(outline),
  };
  return { declared, values: Object.values(SIGNALS).map((signal) => signal(facts)) };
}

const PRICE = /[$€£¥₹]\s?\d|\d[\d.,]*\s?(?:€|£|kr|zł|USD|EUR)(?:\s|$)/;
const DATE = /\b(?:19|20)\d\d\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d/i;
const CART = /\badd to (?:cart|bag|basket)|\bbuy now|\bin den warenkorb|\bajouter au panier/i;
const FORUM = /\b(?:joined|replies|posts|thread|topic|forum|members?|reply|quote)\b/i;
const FILTER = /\b(?:filters?|sort(?:ed)? by|results|showing|refine)\b/i;
const CALL =
  /\b(?:contact us|get a quote|free consultation|request a demo|book a|get started|schedule|call (?:us|now)|apply now|free trial|our (?:team|services|clients|experts))\b/i;

function textFactsOf(outline: Outline): TextFacts {
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
    addWords(facts, block.text);
    addPlaces(facts, block.box.landmarks, size);
    if (/^h[1-6]$/.test(block.box.element.name)) facts.headings++;
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

function addWords(facts: Counted, text: string): void {
  if (text.endsWith('?')) facts.questions++;
  if (text.length < 25) facts.shortBlocks++;
  if (text.length > 120) return;
  if (PRICE.test(text)) facts.prices++;
  if (DATE.test(text)) facts.dates++;
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

/** The largest family of boxes of one kind that holds some text each: cards, rows, posts. */
function addRepetition(facts: Counted, outline: Outline): void {
  const seen = new Map<object, Map<string, { count: number; chars: number }>>();
  const boxes = new Set(
    outline.blocks.flatMap((block) => [block.box, block.box.parent, block.box.parent?.parent, block.box.parent?.parent?.parent]),
  );
  for (const box of boxes) {
    if (!box?.parent || box.chars < 40 || box.blocks < 2) continue;
    const kinds = seen.get(box.parent) ?? new Map<string, { count: number; chars: number }>();
    seen.set(box.parent, kinds);
    const family = kinds.get(box.kind) ?? { count: 0, chars: 0 };
    kinds.set(box.kind, family);
    family.count++;
    family.chars += box.chars;
    if (family.count >= 3 && family.chars > facts.alikeChars) {
      facts.alikeChars = family.chars;
      facts.alikeMax = family.count;
    }
  }
}

function itemTypesOf(outline: Outline): string {
  const types = new Set<string>();
  for (const block of outline.blocks) {
    if ((block.box.landmarks & LANDMARK.item) === 0) continue;
    for (let box: typeof block.box | undefined = block.box; box; box = box.parent) {
      const type = box.element.attribs['itemtype'];
      if (type !== undefined) types.add(type.toLowerCase());
    }
  }
  return [...types].join(' ');
}

function declaredOf(tree: PageTree): Declared {
  const meta = new Map<string, string>();
  let title = '';
  for (const node of tree.head.children) {
    if (!isTag(node)) continue;
    if (node.name === 'title' && title === '') title = rawText(node).trim();
    const name = (node.attribs['property'] ?? node.attribs['name'] ?? '').toLowerCase();
    if (node.name === 'meta' && name !== '' && !meta.has(name)) meta.set(name, node.attribs['content'] ?? '');
  }
  const json = jsonLinkedData(tree.html);
  return {
    openGraphType: (meta.get('og:type') ?? '').toLowerCase(),
    generator: (meta.get('generator') ?? '').toLowerCase(),
    title,
    description: meta.get('description') ?? meta.get('og:description') ?? '',
    types: [...json.matchAll(/"@type"\s*:\s*(\[[^\]]*\]|"[^"]*")/g)]
      .map((match) => match[1])
      .join(' ')
      .toLowerCase(),
    articleBody: articleBodyOf(json),
  };
}

/** The value of `articleBody`, found without parsing: broken JSON-LD is common and the rest of it is of no use here. */
function articleBodyOf(json: string): string {
  const match = /"articleBody"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(json);
  if (!match?.[1]) return '';
  try {
    return String(JSON.parse(match[1].replace(/[\n\r\t]/g, ' ')));
  } catch {
    return '';
  }
}

/** All JSON-LD of the page, joined; at most a million characters. */
function jsonLinkedData(html: Element): string {
  let json = '';
  const pending: AnyNode[] = [html];
  for (let node = pending.pop(); node && json.length < 1_000_000; node = pending.pop()) {
    if (!isTag(node)) continue;
    if (node.name !== 'script') for (const child of node.children) pending.push(child);
    else if (node.attribs['type']?.includes('ld+json')) json += `${rawText(node)}\n`;
  }
  return json;
}

function rawText(element: Element): string {
  return element.children.map((node) => (isText(node) ? node.data : '')).join('');
}
