// Reads prices out of text: the amount in minor units and the currency, by the rules of the currency.
import type { CurrencyContext } from './currency.ts';
import { CURRENCY_SOURCE, currencyOf, isSharedSign, isLikelyCurrency, knownCode, minorDigitsOf } from './currency.ts';
import { asciiDigits, decimalOf, NUMBER_SOURCE } from './number.ts';

/** An amount of money, never negative. */
export interface Price {
  /** Integer in minor units of the currency: 1999 for 19.99 EUR, 12800 for 12,800 JPY; hundredths where the currency is unknown. */
  readonly amountMinor: number;
  /** ISO 4217; undefined where nothing tells it. */
  readonly currency: string | undefined;
  /** The amount as a decimal string with all minor digits: `1299.00`. */
  readonly amount: string;
  /** The text that was read. */
  readonly raw: string;
}

/** Lowest and highest price of one thing, in one currency. */
export interface PriceRange {
  readonly low: Price;
  readonly high: Price;
}

/** A price and where in the text it stands. */
export interface FoundPrice extends Price {
  readonly start: number;
  readonly end: number;
}

/** Longer texts are read up to here. */
export const PRICE_TEXT_CHARS_MAX = 2_000;

const FREE =
  /^(?:free|for free|free of charge|gratis|kostenlos|umsonst|gratuit|gratuite?|gratuito|grátis|за безплатно|безплатно|бесплатно|безкоштовно|zdarma|za darmo|darmowy|bezpłatn\w+|ilmainen|ingyenes|ücretsiz|bedava|無料|免费|免費|무료|मुफ़्त|مجاني|miễn phí)[.!]?$/i;
/** Words that may stand beside a number which has no currency. */
const PRICE_WORDS =
  /^(?:[\s:.,\-–—*()+]|from|only|now|price|sale|special|our|per|each|approx|about|ca|ab|nur|jetzt|preis|prix|dès|à partir de|seulement|desde|precio|solo|ahora|a partir de|por|apenas|preço|prezzo|da|vanaf|nu|prijs|nur|från|pris|fra|od|cena|cijena|ár|цена|от|ціна|fiyat|価格|税込|税抜|售价|价格|가격)*$/i;

const NUMBER = new RegExp(NUMBER_SOURCE, 'gu');
/** A code or word is no part of a longer word; a sign may touch anything. */
const BEFORE = new RegExp(String.raw`(?<![\p{L}])(${CURRENCY_SOURCE})[\s\u00a0:.]{0,3}$`, 'u');
const AFTER = new RegExp(String.raw`^(?:[.,:]?[-–—]{1,2})?[\s\u00a0]{0,3}(${CURRENCY_SOURCE})(?![\p{L}])`, 'u');
const DASHED = /^[.,:]?[-–—]{1,2}(?!\s?\d)/;
/** What behind a number says that it is no price: a share, a measure, a date. */
const MEASURE = /^\s?(?:%|percent|prozent|(?:ml|cl|cm|mm|kg|gb|tb|mb|inch|zoll|pcs|st|stk|x|h|g|l|m|w|v)\b|["″”°])/i;

/**
 * The first price of `text`, the low end of a range. A number without currency counts only where hardly anything else stands beside it; the context's currency
 * then applies. `Free` is 0. Undefined where there is none: `4.5 out of 5`, `20 %`, a date.
 */
export function parsePrice(text: string, context: CurrencyContext = {}): Price | undefined {
  const trimmed = text.slice(0, PRICE_TEXT_CHARS_MAX).trim();
  if (FREE.test(trimmed)) return priceOf('0', knownCode(context.currency), trimmed);
  return parsePriceRange(trimmed, context)?.low ?? parseFirst(trimmed, context);
}

/** Low and high of `10 - 20 €`, `$10 to $20`, in that order of size; undefined where `text` holds no two prices. */
export function parsePriceRange(text: string, context: CurrencyContext = {}): PriceRange | undefined {
  const trimmed = text.slice(0, PRICE_TEXT_CHARS_MAX).trim();
  const match = RANGE.exec(asciiDigits(trimmed));
  if (!match) return undefined;
  const middle = match.index + (match[1] as string).length;
  const left = parseFirst(trimmed.slice(0, middle), context);
  const rest = trimmed.slice(middle + (match[2] as string).length).trimStart();
  const right = parseFirst(rest, { ...context, currency: left?.currency ?? context.currency });
  if (!left || !right || !rest.startsWith(right.raw) || !trimmed.slice(0, middle).endsWith(left.raw)) return undefined;
  const currency = left.currency ?? right.currency;
  if (currency === undefined) return undefined;
  const ends = [left, right].map((end) => priceOf(end.amount, currency, end.raw)).filter((end) => end !== undefined);
  ends.sort((a, b) => a.amountMinor - b.amountMinor);
  return ends.length === 2 ? { low: ends[0] as Price, high: ends[1] as Price } : undefined;
}

const RANGE = /(\d[^\d]{0,12}?)(\s?[-–—~〜～]\s?|\s(?:to|bis|à|a|hasta|até|до|do|till|tot|al|and)\s)(?=[^\d]{0,8}\d)/iu;

/** Every price of `text` that stands beside a currency, in order. Shares, negative amounts and measures are left out. */
export function findPrices(text: string, context: CurrencyContext = {}): readonly FoundPrice[] {
  const found: FoundPrice[] = [];
  const digits = asciiDigits(text.slice(0, PRICE_TEXT_CHARS_MAX));
  let free = 0;
  for (const match of digits.matchAll(NUMBER)) {
    if (match.index < free) continue;
    const price = priceAt(digits, match.index, match[0], free, context);
    if (!price) continue;
    found.push({ ...price, raw: text.slice(price.start, price.end).trim() });
    free = price.end;
  }
  return found;
}

/** A price from a number of a machine format, where the point is always decimal. Undefined below zero and beyond safe integers. */
export function priceOfNumber(amount: number, currency: string | undefined): Price | undefined {
  if (!Number.isFinite(amount) || amount < 0) return undefined;
  return priceOf(amount.toFixed(6), knownCode(currency), String(amount));
}

/** A price from a decimal string such as `1299.5`. */
export function priceOf(decimal: string, currency: string | undefined, raw: string): Price | undefined {
  const digits = minorDigitsOf(currency);
  const [whole = '0', fraction = ''] = decimal.split('.');
  const kept = fraction.padEnd(digits, '0');
  const up = (kept[digits] ?? '0') >= '5' ? 1 : 0;
  const amountMinor = Number(whole + kept.slice(0, digits)) + up;
  if (!Number.isSafeInteger(amountMinor)) return undefined;
  return { amountMinor, currency, amount: formatMinor(amountMinor, digits), raw };
}

/** `amountMinor` as a decimal string with `digits` behind the point. */
export function formatMinor(amountMinor: number, digits: number): string {
  const text = String(amountMinor).padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

function priceAt(text: string, start: number, number: string, free: number, context: CurrencyContext): FoundPrice | undefined {
  let end = start + number.length;
  const before = BEFORE.exec(text.slice(Math.max(free, start - 14), start));
  const after = AFTER.exec(text.slice(end, end + 14));
  const side = choose(before?.[1], after?.[1]);
  const spelling = (side === 'after' ? after : before)?.[1];
  if (spelling === undefined || isNegative(text, start - (before?.[0].length ?? 0))) return undefined;
  if (!isLikelyCurrency(spelling, number, context)) return undefined;
  const currency = currencyOf(spelling, context);
  let decimal = decimalOf(number, minorDigitsOf(currency));
  if (decimal === undefined) return undefined;
  const isAfter = side === 'after';
  if (isAfter) end += after?.[0].length ?? 0;
  // `19€99` and `$19 99`: the cents stand behind the sign or, raised, behind a blank.
  const cents = (isAfter ? /^\s?(\d\d)(?![\d.,%]|\s?[\p{L}\p{Sc}]|\s\d)/u : /^ (\d\d)(?=\s*(?:$|\/|\*))/u).exec(text.slice(end, end + 8));
  if (cents && /^\d+$|^\d{1,3}(?:\D\d{3})+$/.test(number) && !decimal.includes('.')) {
    decimal = `${decimal}.${cents[1]}`;
    end += cents[0].length;
  }
  const price = priceOf(decimal, currency, number);
  return price && { ...price, start: start - (before && !isAfter ? before[0].length : 0), end };
}

/** The sign before the number, unless only the one behind it is clear: `$10 CAD`. */
function choose(before: string | undefined, after: string | undefined): 'before' | 'after' {
  if (before === undefined) return 'after';
  return after !== undefined && isSharedSign(before) && !isSharedSign(after) ? 'after' : 'before';
}

/** A minus that touches the amount marks a discount; a dash between numbers marks a range. */
function isNegative(text: string, start: number): boolean {
  return /(?:^|[^\d\p{L}\s])[\s]?[-−]$|(?:^|\s)[-−]$/u.test(text.slice(Math.max(0, start - 3), start));
}

function bareNumber(text: string, context: CurrencyContext): Price | undefined {
  const digits = asciiDigits(text);
  const [match, second] = [...digits.matchAll(NUMBER)];
  if (!match || second) return undefined;
  const before = digits.slice(0, match.index);
  const after = digits.slice(match.index + match[0].length).replace(DASHED, '');
  if (MEASURE.test(after) || !PRICE_WORDS.test(before) || !PRICE_WORDS.test(after) || /[-−]$/.test(before)) return undefined;
  const currency = knownCode(context.currency);
  const decimal = decimalOf(match[0], minorDigitsOf(currency));
  return decimal === undefined ? undefined : priceOf(decimal, currency, text);
}

function parseFirst(text: string, context: CurrencyContext): Price | undefined {
  return strip(findPrices(text, context)[0]) ?? bareNumber(text.trim(), context);
}

function strip(found: FoundPrice | undefined): Price | undefined {
  if (!found) return undefined;
  const { start: _start, end: _end, ...price } = found;
  return price;
}
