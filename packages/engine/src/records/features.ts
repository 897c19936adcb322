// Describes a cluster by the numbers that tell a list of records from menus, facets, paragraphs and layout.
import type { Cluster } from './clusters.ts';
import { wordsOf } from './classes.ts';
import type { Shapes } from './shape.ts';
import type { Block, Survey } from './survey.ts';

export interface Features {
  readonly [name: string]: number;
}

const SAMPLE_MAX = 16;
const LEAF_DEPTH_MAX = 7;
const MAIN_SHARE = 0.8;
const BOILERPLATE_TAGS = new Set(['nav', 'header', 'footer', 'aside', 'dialog']);
const BOILERPLATE_ROLES = new Set([
  'navigation',
  'banner',
  'contentinfo',
  'complementary',
  'menu',
  'menubar',
  'tablist',
  'toolbar',
  'dialog',
  'alertdialog',
]);
const AWAY =
  /^(?:menu|nav|navbar|navigation|filter|filters|facet|facets|refine|refinement|refinements|pagination|pager|paging|breadcrumb|breadcrumbs|footer|header|sidebar|related|recommended|recommendations|social|share|toolbar|tab|tabs|dropdown|suggestion|suggestions|category|categories|rail|widget|masthead|carousel|trending|popular|tags|sort|login|account|cookie|cookies|consent|gdpr|privacy|legal|modal|dialog|popup|overlay|newsletter|subscribe|faq|faqs|accordion|promo|banner|ad|ads|sponsored|topbar|subnav|sitemap)$/;
const TOWARDS =
  /^(?:result|results|item|items|product|products|listing|listings|main|content|hit|hits|entry|entries|card|cards|record|records|feed|stream|post|posts|article|articles|story|stories|row|rows|thread|threads|job|jobs|search|grid|list)$/;

/** Numbers of `cluster`, most of them shares between 0 and 1 or logarithms. */
export function featuresOf(cluster: Cluster, survey: Survey, shapes: Shapes): Features {
  const items = cluster.items;
  const n = items.length;
  const chars = items.map((blocks) => sum(blocks, (block) => block.textChars));
  const total = chars.reduce((a, b) => a + b, 0);
  const mean = total / n;
  const spread = Math.sqrt(chars.reduce((a, c) => a + (c - mean) ** 2, 0) / n) / (mean || 1);
  const first = items[0]?.[0] as Block;
  const hrefs = new Set(items.map(hrefOf).filter((href) => href !== '' && !href.startsWith('#')));
  const texts = new Set(items.map((blocks) => blocks.map((block) => block.textHash).join()));
  const words = placeWords(first);
  const linkChars = sum(items, (blocks) => sum(blocks, (block) => block.linkChars));
  return {
    logItems: Math.log2(1 + n),
    logMean: Math.log2(1 + Math.min(mean, 600)),
    long: Math.log2(Math.max(1, mean / 600)),
    coverage: total / (survey.body.textChars || 1),
    slots: Math.log2(2 + slotsOf(items)),
    spread: Math.min(spread, 2),
    linked: hrefs.size / n,
    linkShare: linkChars / (total || 1),
    distinct: texts.size / n,
    headed: share(items, (blocks) => blocks.some((block) => block.headings > 0)),
    pictured: share(items, (blocks) => blocks.some((block) => block.images > 0)),
    controls: share(items, (blocks) => blocks.some((block) => block.controls > 0)),
    priced: share(items, (blocks) => blocks.some((block) => block.money > 0)),
    numbered: share(items, (blocks) => blocks.some((block) => block.digits > 0)),
    leaf: Math.log2(1 + mean / (1 + sum(items, (blocks) => sum(blocks, (block) => block.leaves)) / n)),
    menu: linkChars > total * 0.85 && mean < 30 ? 1 : 0,
    plain: linkChars > total * 0.85 && mean >= 30 ? 1 : 0,
    prose: share(items, (blocks) => blocks.every((block) => block.links === 0 && block.leaves <= 2)),
    grouping: groupingOf(items, shapes),
    boilerplate: inBoilerplate(first) ? 1 : 0,
    away: Math.min(2, words.away),
    towards: Math.min(3, words.towards),
    before: first.charsBefore / (survey.body.textChars || 1),
    pair: n === 2 ? 1 : 0,
    runs: cluster.kind === 'runs' ? 1 : 0,
    cousins: cluster.kind === 'cousins' ? 1 : 0,
  };
}

function sum<Value>(values: readonly Value[], of: (value: Value) => number): number {
  let total = 0;
  for (const value of values) total += of(value);
  return total;
}

function share<Value>(values: readonly Value[], is: (value: Value) => boolean): number {
  return values.filter(is).length / (values.length || 1);
}

function hrefOf(blocks: readonly Block[]): string {
  let best: Block | undefined;
  for (const block of blocks) if (block.href !== '' && block.hrefChars > (best?.hrefChars ?? -1)) best = block;
  return best?.href ?? '';
}

/** How many kinds of text-bearing places at least half the items share. */
function slotsOf(items: readonly (readonly Block[])[]): number {
  const step = Math.max(1, Math.floor(items.length / SAMPLE_MAX));
  const sample = items.filter((_, i) => i % step === 0).slice(0, SAMPLE_MAX);
  const counts = new Map<number, number>();
  for (const blocks of sample) {
    const slots = new Set<number>();
    for (const block of blocks) addSlots(block, 17, 0, slots);
    for (const slot of slots) counts.set(slot, (counts.get(slot) ?? 0) + 1);
  }
  return [...counts.values()].filter((count) => count >= sample.length / 2).length;
}

function addSlots(block: Block, above: number, depth: number, slots: Set<number>): void {
  if (block.textChars === 0 && block.images === 0) return;
  const path = depth === 0 ? above : (Math.imul(above, 0x01000193) ^ block.sign) | 0;
  if (block.ownChars > 0 || block.element.name === 'img') slots.add(path);
  if (depth < LEAF_DEPTH_MAX && slots.size < 60) for (const child of block.children) addSlots(child, path, depth + 1, slots);
}

/** Share of the items that are themselves rows of records: alike blocks, each with a link of its own, that hold most of the text. */
function groupingOf(items: readonly (readonly Block[])[], shapes: Shapes): number {
  const sample = items.slice(0, SAMPLE_MAX);
  return share(sample, (blocks) =>
    blocks.length > 1 ? holdsTwins(blocks, shapes) : holdsRecords(unwrap(blocks[0] as Block).children, shapes),
  );
}

/** Goes down as long as one child holds nearly all the text: past headings, borders and linings of a row. */
function unwrap(block: Block): Block {
  let at = block;
  for (let depth = 0; depth < 8; depth++) {
    const main = at.children.find((child) => child.textChars >= at.textChars * MAIN_SHARE);
    if (!main) return at;
    at = main;
  }
  return at;
}

function holdsRecords(blocks: readonly Block[], shapes: Shapes): boolean {
  const total = sum(blocks, (block) => block.textChars);
  const rich = blocks.filter((block) => block.href !== '' && (block.leaves >= 2 || block.images > 0));
  const model = rich[rich.length >> 1];
  if (!model || rich.length < 2) return false;
  const alike = rich.filter((block) => shapes.similarity(model, block) >= 0.4);
  const hrefs = new Set(alike.map((block) => block.href));
  return hrefs.size >= 2 && sum(alike, (block) => block.textChars) >= total * 0.7;
}

/** True for a stretch of a flat run that is two or more records in turn, as odd and even rows are. */
function holdsTwins(blocks: readonly Block[], shapes: Shapes): boolean {
  if (holdsRecords(blocks, shapes)) return true;
  const model = blocks[0] as Block;
  const twins = blocks.filter((block) => shapes.similarity(model, block) >= 0.4 && isTwin(model, block));
  const hrefs = new Set(twins.map((block) => block.href));
  return hrefs.size >= 2 && !hrefs.has('') && sum(twins, (block) => block.textChars) >= sum(blocks, (block) => block.textChars) * 0.7;
}

function isTwin(a: Block, b: Block): boolean {
  const ratio = (b.textChars + 1) / (a.textChars + 1);
  const links = Math.abs(b.linkChars / (b.textChars || 1) - a.linkChars / (a.textChars || 1));
  return ratio > 0.4 && ratio < 2.5 && links < 0.3 && b.images > 0 === a.images > 0 && b.headings > 0 === a.headings > 0;
}

function inBoilerplate(block: Block): boolean {
  for (let at: Block | undefined = block; at; at = at.parent) {
    if (BOILERPLATE_TAGS.has(at.element.name)) return true;
    if (BOILERPLATE_ROLES.has(at.element.attribs['role'] ?? '')) return true;
  }
  return false;
}

/** Words in the classes and ids of `block` and what contains it, that speak for or against a list of records. */
function placeWords(block: Block): { away: number; towards: number } {
  let away = 0;
  let towards = 0;
  for (let at: Block | undefined = block; at?.parent; at = at.parent) {
    const words = wordsOf(`${at.element.attribs['class'] ?? ''} ${at.element.attribs['id'] ?? ''}`);
    if (words.some((word) => AWAY.test(word))) away++;
    if (words.some((word) => TOWARDS.test(word))) towards++;
  }
  return { away, towards };
}
