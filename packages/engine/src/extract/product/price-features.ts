// What is known of one price of a page, as numbers that the fitted trees compare.
import type { Element } from 'domhandler';
import type { Area } from './page-text.ts';
import { ancestorsOf, namesOf } from './page-text.ts';
import { HARMLESS_WORD, NAME_WORDS, OFF_TEXT, TEXT_WORDS, UNIT_TEXT } from './price-words.ts';
import type { ShownPrice, ShownPrices } from './shown-price.ts';
import { LISTED_MIN, isStruck } from './shown-price.ts';

/** How data states an amount. */
export interface Statement {
  /** The only amount that the offers of the main product give. */
  readonly isOnly: boolean;
  /** Position among several amounts, from 1; 0 for an amount that no offer gives. */
  readonly position: number;
  readonly isOpenGraph: boolean;
  readonly isLoose: boolean;
}

/** A price that may be that of the product: shown, stated or both. */
export interface PriceCandidate {
  readonly amountMinor: number;
  readonly shown: ShownPrice | undefined;
  readonly stated: Statement;
  /** True where offers, OpenGraph or loose properties give any amount. */
  readonly isAnyStated: boolean;
}

/** Names of the features in the order of a row. */
export const PRICE_FEATURES = [
  'statedOnly', 'statedPosition', 'openGraph', 'loose', 'statedOther',
  'shown', 'currency', 'area', 'gapToHeading', 'priceBehindHeading', 'gapToNextBuy', 'gapToLastBuy',
  'namePrice', 'nameCurrent', 'nameFormer', 'nameOther', 'nameUnit', 'nameFrame', 'struck', 'inserted', 'emphasis',
  'textDelivery', 'textThreshold', 'textInstalment', 'textSaving', 'textUntaxed', 'textUnit', 'textFormer', 'textCredit', 'textFrom', 'textPrice',
  'textAgainst', 'nameAgainst',
  'plusBefore', 'dashBeside', 'alone', 'blockChars', 'zero', 'listed', 'lowerBeside', 'shareFits', 'higherBeside', 'openBeside',
  'repeats', 'shareOfLargest', 'hasCents', 'levelsToHeading',
] as const; // prettier-ignore

/** How far apart, in blocks, two prices of one box can stand. */
const PAIR_BLOCKS_MAX = 3;
/** Blocks that the surroundings of a price reach. */
const NEAR_BLOCKS = 12;
const GAP_MAX = 400;
const LEVELS_MAX = 20;
const AREA_NUMBER: Readonly<Record<Area, number>> = { main: 3, aside: 2, header: 1, footer: 0, nav: 0, related: 0, reviews: 0, dialog: 1 };

/** The rows of `candidates`, one after the other. */
export function priceRows(candidates: readonly PriceCandidate[], shown: ShownPrices): readonly Float32Array[] {
  const surroundings = surroundingsOf(shown);
  return candidates.map((candidate) => {
    const { stated, isAnyStated } = candidate;
    const row = [
      +stated.isOnly, stated.position, +stated.isOpenGraph, +stated.isLoose,
      +(isAnyStated && !stated.isOnly && stated.position === 0 && !stated.isOpenGraph && !stated.isLoose),
      ...(candidate.shown ? shownFeatures(candidate.shown, shown, surroundings) : NOT_SHOWN),
    ]; // prettier-ignore
    if (candidate.amountMinor === 0) row[ZERO] = 1;
    return Float32Array.from(row);
  });
}

const SHOWN = PRICE_FEATURES.indexOf('shown');
const ZERO = PRICE_FEATURES.indexOf('zero');
const NOT_SHOWN: readonly number[] = PRICE_FEATURES.slice(SHOWN).map(() => 0);

/** What is counted once for a page. */
interface Surroundings {
  readonly repeats: ReadonlyMap<number, number>;
  /** Elements around the heading, with their height above it. */
  readonly round: ReadonlyMap<Element, number>;
  /** Amounts already seen between the heading and each price. */
  readonly order: ReadonlyMap<ShownPrice, number>;
  readonly marks: ReadonlyMap<ShownPrice, Marks>;
}

function surroundingsOf({ page, prices, lists }: ShownPrices): Surroundings {
  const repeats = new Map<number, number>();
  const order = new Map<ShownPrice, number>();
  const marks = new Map(prices.map((price) => [price, marksOf(price.element)]));
  const round = new Map([...(page.heading ? ancestorsOf(page.heading.element) : [])].map((element, height) => [element, height]));
  let behind = 0;
  for (const one of prices) {
    const { amountMinor } = one.price;
    if (one.block.area === 'main') repeats.set(amountMinor, (repeats.get(amountMinor) ?? 0) + 1);
    order.set(one, behind);
    const isOpen = one.block.area === 'main' && !marks.get(one)?.isStruck && !lists.has(one.block.element, LISTED_MIN);
    if (isOpen && one.block.index > (page.heading?.index ?? -1)) behind++;
  }
  return { repeats, order, round, marks };
}

function shownFeatures(one: ShownPrice, shown: ShownPrices, { repeats, round, order, marks }: Surroundings): readonly number[] {
  const { block, price, before, after } = one;
  const own = marks.get(one) as Marks;
  const { page, prices, buys, lists } = shown;
  const near = nearOf(one, prices);
  const isFormer = (other: ShownPrice) => marks.get(other)?.isStruck === true;
  const open = near.filter((other) => !isFormer(other) && other.price.amountMinor > 0);
  const pairs = near.filter((other) => Math.abs(other.block.index - block.index) <= PAIR_BLOCKS_MAX);
  const lower = pairs.filter((other) => isLower(other, one) && !isFormer(other));
  const higher = pairs.filter((other) => isLower(one, other));
  const { amountMinor } = price;
  const largest = Math.max(amountMinor, ...near.map((other) => other.price.amountMinor));
  const texts = textsOf(one, page);
  const sides = KINDS.map((kind) => sideOf(TEXT_WORDS[kind], texts));
  return [
    1,
    +one.hasCurrency,
    AREA_NUMBER[block.area],
    clip(block.index - (page.heading?.index ?? 0), GAP_MAX),
    order.get(one) ?? 0,
    clip(Math.min(...buys.filter((index) => index >= block.index).map((index) => index - block.index)), GAP_MAX),
    clip(Math.min(...buys.filter((index) => index < block.index).map((index) => block.index - index)), GAP_MAX),
    own.price, own.current, own.former, own.other, own.unit, own.frame, +own.isStruck, +own.isInserted, own.emphasis,
    ...sides, Math.max(...sides.slice(0, AGAINST)), Math.max(own.other, own.unit, own.frame),
    +/\+\s*$/.test(before), +/[-–—]\s*$/.test(before) + 2 * +/^\s*[-–—]/.test(after),
    +one.isAlone, Math.log2(1 + block.text.length), 0,
    +lists.has(block.element, LISTED_MIN),
    lower.length, +lower.some((other) => fitsShare(page, one, other)), higher.length,
    Math.min(5, open.filter((other) => Math.abs(other.block.index - block.index) <= 6).length),
    Math.log2(1 + (repeats.get(amountMinor) ?? 0)),
    largest === 0 ? 0 : amountMinor / largest,
    +/[.,]\d\d$/.test(price.raw),
    levelsTo(one.element, round),
  ]; // prettier-ignore
}

/** The other prices within NEAR_BLOCKS; the list is in document order. */
function nearOf(one: ShownPrice, prices: readonly ShownPrice[]): readonly ShownPrice[] {
  const { index } = one.block;
  let low = 0;
  for (let high = prices.length; low < high;) {
    const middle = (low + high) >> 1;
    if ((prices[middle] as ShownPrice).block.index < index - NEAR_BLOCKS) low = middle + 1;
    else high = middle;
  }
  const near: ShownPrice[] = [];
  for (let i = low; i < prices.length && (prices[i] as ShownPrice).block.index <= index + NEAR_BLOCKS; i++)
    if (prices[i] !== one) near.push(prices[i] as ShownPrice);
  return near;
}

const KINDS = ['delivery', 'threshold', 'instalment', 'saving', 'untaxed', 'unit', 'former', 'credit', 'from', 'price'] as const;
/** The first of KINDS make an amount another one than the price. */
const AGAINST = KINDS.indexOf('from');

/** The texts around a price, nearest first: before it and behind it, then the short block in front of it. */
function textsOf(one: ShownPrice, page: ShownPrices['page']): readonly [before: string, after: string, label: string] {
  const label = one.before.trim() === '' ? (page.blocks[one.block.index - 1]?.text ?? '') : '';
  return [one.before, one.after, label.length <= 40 && !/\d/.test(label) ? label : ''];
}

/** 3 for a word in front of an amount, 2 behind it, 1 in the label above it. */
function sideOf(words: RegExp, [before, after, label]: readonly [before: string, after: string, label: string]): number {
  if (words === TEXT_WORDS.unit && UNIT_TEXT.test(after)) return 3;
  if (words === TEXT_WORDS.saving && OFF_TEXT.test(after)) return 3;
  return words.test(before) ? 3 : words.test(after) ? 2 : words.test(label) ? 1 : 0;
}

interface Marks {
  readonly price: number;
  readonly current: number;
  readonly former: number;
  readonly other: number;
  readonly unit: number;
  readonly frame: number;
  readonly isStruck: boolean;
  readonly isInserted: boolean;
  readonly emphasis: number;
}

/** What elements and names say, from the element up to three levels above it: 2 for the element itself, 1 for those above. */
function marksOf(element: Element): Marks {
  const marks = {
    price: 0,
    current: 0,
    former: 0,
    other: 0,
    unit: 0,
    frame: 0,
    isStruck: isStruck(element),
    isInserted: false,
    emphasis: 0,
  };
  let height = 0;
  for (const at of ancestorsOf(element)) {
    const names = namesOf(at).replace(HARMLESS_WORD, '');
    const weight = height === 0 ? 2 : 1;
    if (names.length > 3) {
      for (const kind of ['price', 'former', 'other', 'unit', 'frame'] as const) if (NAME_WORDS[kind].test(names)) marks[kind] ||= weight;
      if (NAME_WORDS.price.test(names) && NAME_WORDS.current.test(names)) marks.current ||= weight;
    }
    const style = at.attribs['style'] ?? '';
    if (at.name === 'ins') marks.isInserted = true;
    if (/^(?:b|strong|h[1-4]|big)$/.test(at.name) || LARGE.test(style)) marks.emphasis++;
    if (++height > 3) break;
  }
  return marks;
}

const LARGE = /font-size\s*:\s*(?:[2-9]\d(?:\.\d+)?px|1[89]px|[1-9]\.[3-9]\d*r?em|[2-9]r?em)/i;

function isLower(low: ShownPrice, high: ShownPrice): boolean {
  const ratio = low.price.amountMinor / high.price.amountMinor;
  return ratio >= 0.15 && ratio < 1;
}

/** True where a share such as `-50 %` beside two prices is what lies between them. */
function fitsShare(page: ShownPrices['page'], high: ShownPrice, low: ShownPrice): boolean {
  const [from, to] = [high.block.index, low.block.index].toSorted((a, b) => a - b) as [number, number];
  const off = (1 - low.price.amountMinor / high.price.amountMinor) * 100;
  return page.blocks
    .slice(Math.max(0, from - 1), to + 3)
    .some(({ text }) =>
      [...text.matchAll(/(\d{1,2}(?:[.,]\d)?)\s?%/g)].some(
        (match) => Math.abs(Number((match[1] as string).replace(',', '.')) - off) <= 1.01,
      ),
    );
}

/** Levels from an element up to the first one that also holds the heading. */
function levelsTo(element: Element, round: ReadonlyMap<Element, number>): number {
  let levels = 0;
  for (const at of ancestorsOf(element)) {
    if (round.has(at)) return levels + (round.get(at) ?? 0);
    if (++levels >= LEVELS_MAX) break;
  }
  return LEVELS_MAX;
}

function clip(value: number, max: number): number {
  return Math.max(-max, Math.min(max, value));
}
