// What a page as a whole tells about itself, as numbers: its address, its metadata, its structured data, its shape.
import type { PageTree } from '../../../html/tree.ts';
import { NAME_GROUP_NAMES } from '../hints.ts';
import { log, share } from './ratios.ts';
import type { Outline } from '../outline.ts';
import { LANDMARK } from '../landmarks.ts';
import type { Declared } from './page-declared.ts';
import { declaredOf } from './page-declared.ts';
import type { TextFacts } from './page-facts.ts';
import { textFactsOf } from './page-facts.ts';

/** `values` are in the order of PAGE_SIGNAL_NAMES. */
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

const has = (pattern: RegExp, text: string) => (pattern.test(text) ? 1 : 0);

const SIGNALS: Readonly<Record<string, (facts: Facts) => number>> = {
  pathDepth: (f) => f.path.split('/').filter(Boolean).length,
  pathLength: (f) => f.path.length,
  lastSegmentWords: (f) => (f.path.split('/').findLast(Boolean) ?? '').split(/[-_]/).length,
  pathDigits: (f) => has(/\d{3,}/, f.path),
  pathDate: (f) => has(/\/(?:19|20)\d\d\/\d\d?\b/, f.path),
  hasQuery: (f) => (f.query === '' ? 0 : 1),
  pathForum: (f) =>
    has(/\/(?:t|threads?|topics?|forums?|viewtopic|showthread|discussions?|questions|community|comments)\b/, f.path + f.query),
  hostForum: (f) => has(/(?:^|\.)(?:forums?|community|discuss|answers|talk|discourse)\.|forum/, f.host),
  pathDocs: (f) =>
    has(/\/(?:docs?|documentation|guides?|manual|reference|api|tutorials?|learn|wiki|help|kb|handbook|book|library)\b/, f.path),
  hostDocs: (f) => has(/^(?:docs?|developers?|help|wiki|learn|support|api)\.|\.dev$/, f.host),
  pathArticle: (f) => has(/\/(?:blog|news|articles?|posts?|stor(?:y|ies)|magazine|press|insights?|opinion|resources)\b/, f.path),
  pathProduct: (f) => has(/\/(?:products?|p|pdp?|item|listing|app)\//, f.path),
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
