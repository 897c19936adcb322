// Describes a cluster by the numbers that tell a list of records from menus, facets, paragraphs and layout.
import type { Cluster } from './clusters.ts';
import type { Shapes } from '../survey/shape.ts';
import type { Block, Survey } from '../survey/survey.ts';
import { groupingOf } from './grouping.ts';
import { isInBoilerplate, placeWords } from '../survey/place.ts';
import { share, sum } from './shares.ts';

/** What is known of a cluster: shares between 0 and 1, flags, and logarithms to base 2. */
export interface Features {
  readonly logItems: number;
  /** Characters per item, up to 600, and what is above that. */
  readonly logMean: number;
  readonly long: number;
  /** Share of the page's text. */
  readonly coverage: number;
  /** Places with text that at least half the items share. */
  readonly slots: number;
  /** Coefficient of variation of the length. */
  readonly spread: number;
  /** Items with an address of their own. */
  readonly linked: number;
  /** Share of the text that is link text. */
  readonly linkShare: number;
  /** Items that no other item repeats. */
  readonly distinct: number;
  readonly headed: number;
  readonly pictured: number;
  readonly controls: number;
  readonly priced: number;
  readonly numbered: number;
  /** Characters per element with text. */
  readonly leaf: number;
  /** Nothing but short links. */
  readonly menu: number;
  /** Nothing but long links. */
  readonly plain: number;
  /** Text of one or two elements, without a link. */
  readonly prose: number;
  /** Items that are rows of records themselves. */
  readonly grouping: number;
  readonly boilerplate: number;
  /** Names around the list that speak against it, and for it. */
  readonly away: number;
  readonly towards: number;
  /** Share of the page's text that stands before it. */
  readonly before: number;
  readonly pair: number;
  /** Links per item, and elements with text. */
  readonly logLinks: number;
  readonly logLeaves: number;
  /** Rows of a table, entries of a list. */
  readonly rows: number;
  readonly entries: number;
  readonly runs: number;
  readonly cousins: number;
}

const SAMPLE_MAX = 16;
const LEAF_DEPTH_MAX = 7;
/** Characters above which an item is not the better for being longer. */
const LONG_CHARS = 600;
const GALLERY_MIN = 4;
const MENU_CHARS_MAX = 30;
const ONLY_LINKS_MIN = 0.85;
/** The features of `cluster` on the page of `survey`. */
export function featuresOf(cluster: Cluster, survey: Survey, shapes: Shapes): Features {
  const items = cluster.items;
  const n = items.length;
  const chars = items.map(charsOf(cluster));
  const total = sum(chars, (count) => count);
  const mean = total / n;
  const first = items[0]?.[0] as Block;
  const hrefs = new Set(items.map(hrefOf).filter((href) => href !== '' && !href.startsWith('#')));
  const texts = new Set(items.map((blocks) => blocks.map((block) => (block.textChars > 0 ? block.textHash : block.href)).join()));
  const has = (is: (block: Block) => boolean) => share(items, (blocks) => blocks.some(is));
  const words = placeWords(first);
  const linkChars = sum(items, (blocks) => sum(blocks, (block) => block.linkChars));
  const isOnlyLinks = linkChars > total * ONLY_LINKS_MIN;
  return {
    logItems: Math.log2(1 + n),
    logMean: Math.log2(1 + Math.min(mean, LONG_CHARS)),
    long: Math.log2(Math.max(1, mean / LONG_CHARS)),
    coverage: Math.min(1, total / (survey.body.textChars || 1)),
    slots: Math.log2(2 + slotsOf(items) + (cluster.kind === 'lines' ? 1 : 0)),
    spread: Math.min(spreadOf(chars, mean), 2),
    linked: hrefs.size / n,
    linkShare: linkChars / (total || 1),
    distinct: texts.size / n,
    headed: has((block) => block.headings > 0),
    pictured: has((block) => block.images > 0),
    controls: has((block) => block.controls > 0),
    priced: has((block) => block.money > 0),
    numbered: has((block) => block.digits > 0),
    leaf: Math.log2(1 + mean / (1 + sum(items, (blocks) => sum(blocks, (block) => block.leaves)) / n)),
    menu: isOnlyLinks && mean < MENU_CHARS_MAX ? 1 : 0,
    plain: isOnlyLinks && mean >= MENU_CHARS_MAX ? 1 : 0,
    prose: share(items, (blocks) => blocks.every((block) => block.links === 0 && block.leaves <= 2)),
    grouping: groupingOf(items, shapes),
    boilerplate: isInBoilerplate(first) ? 1 : 0,
    away: Math.min(2, words.away),
    towards: Math.min(3, words.towards),
    before: first.charsBefore / (survey.body.textChars || 1),
    pair: n === 2 ? 1 : 0,
    logLinks: Math.log2(1 + sum(items, (blocks) => sum(blocks, (block) => block.links)) / n),
    logLeaves: Math.log2(1 + sum(items, (blocks) => sum(blocks, (block) => block.leaves)) / n),
    rows: first.element.name === 'tr' ? 1 : 0,
    entries: first.element.name === 'li' ? 1 : 0,
    runs: cluster.kind === 'runs' ? 1 : 0,
    cousins: cluster.kind === 'cousins' ? 1 : 0,
  };
}

/** How to count the characters of an item of `cluster`. */
function charsOf(cluster: Cluster): (blocks: readonly Block[]) => number {
  if (isGallery(cluster)) return pictureChars;
  if (cluster.kind !== 'lines') return textChars;
  const bare = (cluster.items[0]?.[0]?.parent?.ownChars ?? 0) / cluster.items.length;
  return (blocks) => textChars(blocks) + bare;
}

function textChars(blocks: readonly Block[]): number {
  return sum(blocks, (block) => block.textChars);
}

function pictureChars(blocks: readonly Block[]): number {
  return sum(blocks, (block) => block.altChars);
}

/** True for pictures side by side with no text between them: then they are what the reader came for, not parts of cards. */
function isGallery({ kind, items }: Cluster): boolean {
  const parent = items[0]?.[0]?.parent;
  return kind === 'siblings' && parent !== undefined && parent.textChars === 0 && items.length >= GALLERY_MIN;
}

function spreadOf(values: readonly number[], mean: number): number {
  return Math.sqrt(sum(values, (value) => (value - mean) ** 2) / values.length) / (mean || 1);
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
