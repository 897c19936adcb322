// Reads a price: of the element that was found, or of the product of the page.
import type { Element } from 'domhandler';
import { parsePrice, parsePriceRange, findPrices, priceOfNumber } from '../../../extract/price/price.ts';
import type { Price, PriceRange } from '../../../extract/price/price.ts';
import type { Product } from '../../../extract/product/product.ts';
import type { FoundPart } from '../parts.ts';
import type { WatchedPage } from '../watched-page.ts';
import { found, quoted } from './outcome.ts';
import type { Outcome, Reading } from './outcome.ts';

/** Signs whose currency the page tells (`currency.ts`). */
const SHARED_SIGN = /[$¥￥元]|(?<!\p{L})kr(?!\p{L})/iu;

/** The price of one part, in minor units, with its currency and, where there are two ends, its range. */
export function readPrice(part: FoundPart, { spec, page }: Reading): Outcome {
  const { currency } = spec;
  if (part.element && isWholePage(part.element)) return ofProduct(page.product, currency) ?? ofText(part, page, currency);
  return plainPrice(part, page, currency) ?? ofText(part, page, currency);
}

/** A single amount beside a sign that no two countries share: nothing else of the page could tell more, and reading its product costs the most. */
function plainPrice(part: FoundPart, { language }: WatchedPage, currency: string | undefined): Outcome | undefined {
  const text = textOf(part);
  const prices = SHARED_SIGN.test(text) ? [] : findPrices(text, { locale: language });
  const [price] = prices;
  return price?.currency !== undefined && prices.length === 1 ? priceFound(price, undefined, currency) : undefined;
}

/** True for the element that holds all that a page shows. */
export function isWholePage({ name }: Element): boolean {
  return name === 'html' || name === 'body';
}

function ofText(part: FoundPart, page: WatchedPage, currency: string | undefined): Outcome {
  const { product } = page;
  const context = { currency: product?.currency ?? currency, locale: page.language };
  if (typeof part.value === 'number') {
    const price = priceOfNumber(part.value, context.currency);
    if (price) return priceFound(price, undefined, currency);
  }
  const text = textOf(part);
  const own = product?.price;
  // Of several amounts in a large element the one that the page itself sells for counts.
  if (own && findPrices(text, context).length > 1 && holds(text, own, context)) return priceFound(own, product.priceRange, currency);
  const price = parsePrice(text, context) ?? firstLine(text, context);
  if (price) return priceFound(price, parsePriceRange(text, context), currency);
  return ofProduct(product, currency) ?? { problem: `There is no price in ${quoted(text)}; select the element that shows it.` };
}

type Context = { readonly currency: string | undefined; readonly locale: string | undefined };

/** A text of several lines may name its amount without a currency on one of them. */
function firstLine(text: string, context: Context): Price | undefined {
  for (const line of text.split('\n')) {
    const price = parsePrice(line, context);
    if (price) return price;
  }
  return undefined;
}

function holds(text: string, { amountMinor }: Price, context: Context): boolean {
  return findPrices(text, context).some((price) => price.amountMinor === amountMinor);
}

/** Data in an attribute is plainer than what is shown. */
function textOf({ element, current }: FoundPart): string {
  const stated = element?.attribs['itemprop']?.toLowerCase().includes('price') === true ? element.attribs['content'] : undefined;
  return stated !== undefined && stated.trim() !== '' ? stated : current;
}

function ofProduct(product: Product | undefined, currency: string | undefined): Outcome | undefined {
  if (!product) return undefined;
  const { price, priceRange, ambiguous } = product;
  if (price) return priceFound(price, priceRange, currency);
  if (ambiguous.length === 0) return undefined;
  const names = ambiguous.slice(0, 5).map((variant) => variant.name || variant.sku || variant.price?.amount || '?');
  return {
    problem: `The page sells variants at several prices (${names.join(', ')}); select the element of one, or watch its own address.`,
  };
}

function priceFound(price: Price, range: PriceRange | undefined, fallback: string | undefined): Outcome {
  const currency = price.currency ?? fallback;
  const ends = range && range.low.amountMinor < range.high.amountMinor ? range : undefined;
  const value = {
    amount_minor: price.amountMinor,
    amount: price.amount,
    ...(currency === undefined ? {} : { currency }),
    ...(ends ? { low_minor: ends.low.amountMinor, high_minor: ends.high.amountMinor } : {}),
  };
  const unit = currency === undefined ? '' : ` ${currency}`;
  const text = ends ? `${ends.low.amount} to ${ends.high.amount}${unit}` : `${price.amount}${unit}`;
  return found(value, text);
}
