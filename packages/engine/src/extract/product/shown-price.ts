// Finds the prices of the visible page, and what speaks for each of them being the price of the product.
import type { Element } from 'domhandler';
import { isBuyName, isBuyText } from '../availability/phrases.ts';
import type { CurrencyContext } from '../price/currency.ts';
import type { Price } from '../price/price.ts';
import { findPrices, parsePrice } from '../price/price.ts';
import { LinkedLists } from './linked-lists.ts';
import type { PageText, TextBlock } from './page-text.ts';
import { ancestorsOf, namesOf } from './page-text.ts';
import { NAME_WORDS } from './price-words.ts';

/** A price of the visible page. */
export interface ShownPrice {
  readonly price: Price;
  readonly block: TextBlock;
  /** The innermost element around its first character. */
  readonly element: Element;
  /** The text in front of it and behind it, up to the next price or a few words. */
  readonly before: string;
  readonly after: string;
  /** True where its block says nothing else. */
  readonly isAlone: boolean;
  /** False for a number that only its class name calls a price. */
  readonly hasCurrency: boolean;
}

/** All prices of a page with what is needed to weigh them. */
export interface ShownPrices {
  readonly page: PageText;
  readonly prices: readonly ShownPrice[];
  /** Block indexes of what puts the product into the basket, rising. */
  readonly buys: readonly number[];
  /** Lists of other products whose items have prices. */
  readonly lists: LinkedLists;
}

/** A list of other products shows at least this many prices. */
export const LISTED_MIN = 3;
/** Further prices are left unread. */
export const SHOWN_PRICES_MAX = 2_000;
/** A number without currency counts only in a text of a few words. */
const BARE_CHARS_MAX = 24;
const TEXT_BEFORE_CHARS = 28;
const TEXT_AFTER_CHARS = 16;

/** All prices of the page in document order. */
export function findShownPrices(page: PageText, context: CurrencyContext): ShownPrices {
  const lists = new LinkedLists(page.heading?.element);
  const prices: ShownPrice[] = [];
  for (const block of page.blocks) {
    if (prices.length >= SHOWN_PRICES_MAX) break;
    for (const price of pricesOf(block, context)) {
      lists.count(price.element);
      prices.push(price);
    }
  }
  return { page, prices, buys: buyIndexes(page), lists };
}

/** True for what elements or styles cross out, up to three levels above `element`. */
export function isStruck(element: Element): boolean {
  let height = 0;
  for (const at of ancestorsOf(element)) {
    if (/^(?:del|s|strike)$/.test(at.name) || /line-through/i.test(at.attribs['style'] ?? '')) return true;
    if (++height > 3) return false;
  }
  return false;
}

function pricesOf(block: TextBlock, context: CurrencyContext): readonly ShownPrice[] {
  const { text } = block;
  if (!/\p{Nd}/u.test(text)) return [];
  const found = findPrices(text, context);
  if (found.length === 0) return barePrice(block, context);
  const isAlone = text.length <= found.reduce((sum, { start, end }) => sum + end - start + 4, 0);
  return found.map(({ start, end, ...price }, i) => ({
    price,
    block,
    element: elementAt(block, start),
    before: text.slice(Math.max(found[i - 1]?.end ?? 0, start - TEXT_BEFORE_CHARS), start),
    after: text.slice(end, Math.min(found[i + 1]?.start ?? text.length, end + TEXT_AFTER_CHARS)),
    isAlone,
    hasCurrency: true,
  }));
}

function barePrice(block: TextBlock, context: CurrencyContext): readonly ShownPrice[] {
  if (block.text.length > BARE_CHARS_MAX || !hasPriceName(block.element, 2)) return [];
  const price = parsePrice(block.text, context);
  return price ? [{ price, block, element: elementAt(block, 0), before: '', after: '', isAlone: true, hasCurrency: false }] : [];
}

function hasPriceName(element: Element, height: number): boolean {
  let left = height;
  for (const each of ancestorsOf(element)) {
    if (each.attribs['itemprop'] === 'price' || NAME_WORDS.price.test(namesOf(each))) return true;
    if (left-- <= 0) return false;
  }
  return false;
}

function elementAt(block: TextBlock, offset: number): Element {
  let element = block.element;
  for (const piece of block.pieces) if (piece.start <= offset) element = piece.element;
  return element;
}

function buyIndexes(page: PageText): readonly number[] {
  const texts = page.blocks.filter((block) => block.area === 'main' && isBuyText(block.text)).map((block) => block.index);
  const controls = page.controls.filter(({ area, element }) => area === 'main' && element.name !== 'a' && isBuyName(namesOf(element)));
  return [...texts, ...controls.map((control) => control.index)].sort((a, b) => a - b);
}
