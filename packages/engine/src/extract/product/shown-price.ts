// Finds the price that a visitor reads as the price of the product: near its name and its buy button, not struck, not of something else.
import type { Element } from 'domhandler';
import { isBuyText } from '../availability/phrases.ts';
import type { CurrencyContext } from '../price/currency.ts';
import type { Price } from '../price/price.ts';
import { findPrices, parsePrice } from '../price/price.ts';
import { parentOf } from '../../html/walk.ts';
import { LinkedLists } from './linked-lists.ts';
import type { PageText, TextBlock } from './page-text.ts';
import { ancestorsOf } from './page-text.ts';

/** A price of the visible page. */
export interface ShownPrice {
  readonly price: Price;
  /** How much speaks for its being the product's price; from about 4 it does. */
  readonly score: number;
  readonly block: TextBlock;
  /** True for a crossed-out or former price. */
  readonly isFormer: boolean;
  /** True where only the name of a class says so. */
  readonly isFormerByName: boolean;
}

/** Further prices are left unread. */
export const SHOWN_PRICES_MAX = 2_000;

const PRICE_WORD = /price|preis|prix|precio|preco|prezzo|prijs|cena|cenovka|kaina|hind|ár\b|fiyat|harga|amount|cost|tsena|stoimost/i;
const CURRENT_WORD =
  /current|actual|final|sale|special|now|our|offer|main|primary|deal|promo|discounted|new|buybox|today|total-price|price-?value/i;
const FORMER_WORD =
  /(?:^|[\s_-])(?:old|was|former|previous|rrp|msrp|uvp|srp|strike\w*|striked|crossed?|line-through|barr[eé]e?|antes|compare-?at)(?:$|[\s_-])|oldprice|wasprice|(?:list|retail|original|regular)-?_?price|price-?_?-?(?:old|was|list|retail|original|before|crossed|strike\w*)|strike/i;
const OTHER_WORD =
  /ship|deliver|versand|livraison|spedizione|env[ií]o|frete|install?ment|month|credit|financ|sav(?:e|ing)|discount|coupon|voucher|unit-?price|per-|base-?price|basic-price|deposit|warranty|insurance|bonus|filter|facet|range|cart|basket|total|tooltip|threshold|from-price|(?:^|[\s_-])(?:unit|fees?|points?|tax|vat)(?:$|[\s_-])/i;
/** Names that contain such a word and mean the product's own price. */
const HARMLESS_WORD = /add-?to-?(?:cart|basket)|incl\w*[-_](?:tax|vat)/gi;
/** What beside an amount makes it the price of something else: delivery, instalment, saving, unit, threshold, price without tax. */
const OTHER_TEXT =
  /shipping|delivery|postage|import fee|versand|lieferung|livraison|frais de port|spedizione|consegna|envío|entrega|frete|verzend|frakt|fragt|levering|toimitus|dostaw|wysył|doprav|poštnin|dostav|szállít|livrare|доставк|kargo|nakliye|送料|運費|运费|宅配|取貨|配送|運送|滿額|满|배송|cashback|orders? over|free over|min(?:imum)? order|above|ab einem|dès .* d'achat|per month|\/ ?(?:month|mo\b|mes\b|mois|monat|mese|mån|mnd|md\b|kk\b|mies|měs|mes\.|мес|міс|ay\b)|a month|monthly|monatlich|par mois|al mese|mensu|per maand|miesięcz|měsíčn|mesačn|havi|lunar|ежемесячн|в месяц|taksit|instal|\brate[nr]?\b|mensil|ratal|splátk|cuota|parcela|x de r\$|期|分割|sav(?:e|ing)|you save|sie sparen|rabatt|ersparnis|économi|risparmi|ahorr|bespaar|spar\b|säästä|oszczęd|ušetř|ušetr|megtakar|econom|спестяв|скидк|экономи|вигода|discount|coupon|gutschein|voucher|deposit|pfand|excl|ex\.? ?vat|ex\.? tax|without tax|ohne mwst|netto|hors taxe|\bHT\b|\+ ?iva|senza iva|sin iva|sem iva|brez ddv|bez dph|bez vat|bez pdv|без пдв|без ддс|без ндс|ekskl|eks\.|moms ej|nettó|unit price|grundpreis|per (?:kg|l|litre|liter|100|m²|unit|piece)|approx|約|points?\b|reward|trade[- ]in|gift card|warranty|insurance|starting at|\bwas\b|previously|rrp|msrp|uvp|\bstatt\b|bisher|vorher|au lieu de|prix conseillé|prezzo di listino|\bantes\b|\bavant\b|\bprima\b|adviesprijs|\bvan:|tidigare|ord\.? pris|\bfør|ovh|zamiast|najniższa|původně|pôvodne|korábban|redna cena|stara cena|старая цена|建議售價|建议零售价|市場價|市场价|定価|原價|原价|list price|regular price|normal ?preis|normalpris|recommended/i;
/** What behind an amount makes it a saving or the worth of a gift. */
const OFF_TEXT =
  /^\s?(?:off|value|saved?|less|cheaper|credit|cash ?back|rabatt|gespart|de (?:réduction|remise|descuento|desconto)|di sconto|korting|rabat|taniej|sleva|zľava|скидк)/iu;
/** What in front of an amount announces the product's price. */
const PRICE_TEXT =
  /(?:price|now|offer|preis|jetzt|prix|precio|preço|prezzo|adesso|prijs|pris|hinta|cena|cijena|kaina|hind|ár|preț|pret|цена|ціна|бағасы|τιμή|fiyat|harga|giá|ราคา|價|价|価格|가격|السعر|מחיר)(?!\p{L}).{0,14}$/iu;
/** A price of a measure: `$0.66 / Ounce`. */
const UNIT_TEXT = /^\s?(?:\/|per|je|pro)\s?(?:\d+\s?)?(?:oz|ounce|fl|kg|g|lb|l|ml|litre|liter|m²|m2|m3|sq|count|100|each unit)(?!\p{L})/iu;
const FORMER_PENALTY = -6;
const TEXT_BEFORE_CHARS = 28;
const TEXT_AFTER_CHARS = 16;

/** All prices of the page's main content with their scores, best first. */
export function findShownPrices(page: PageText, context: CurrencyContext): readonly ShownPrice[] {
  const at = page.heading?.index;
  const buyIndexes = page.blocks.filter((block) => block.area === 'main' && isBuyText(block.text)).map((block) => block.index);
  const shown: ShownPrice[] = [];
  const lists = new LinkedLists(page.heading?.element);
  for (const block of page.blocks) {
    if (shown.length >= SHOWN_PRICES_MAX) break;
    const prices = pricesOf(block, context);
    const alone = block.text.length <= prices.reduce((sum, { start, end }) => sum + end - start + 4, 0);
    for (const found of prices) {
      const element = elementAt(block, found.start);
      lists.count(element);
      shown.push(judge(block, found, alone, element, at, buyIndexes));
    }
  }
  const placed = shown.map((one) => (lists.has(one.block.element, 3) ? { ...one, score: one.score - 4 } : one));
  return markFormerOfPairs(restoreLone(placed), page).toSorted((a, b) => b.score - a.score || a.block.index - b.block.index);
}

interface Found {
  readonly price: Price;
  readonly start: number;
  readonly end: number;
  /** False for a number that only its class name calls a price. */
  readonly hasCurrency: boolean;
}

function pricesOf(block: TextBlock, context: CurrencyContext): readonly Found[] {
  const found = findPrices(block.text, context).map(({ start, end, ...price }) => ({ price, start, end, hasCurrency: true }));
  if (found.length > 0 || block.text.length > 24 || !/\d/.test(block.text) || !hasPriceWord(block.element, 2)) return found;
  const bare = parsePrice(block.text, context);
  return bare ? [{ price: bare, start: 0, end: block.text.length, hasCurrency: false }] : [];
}

function hasPriceWord(element: Element, height: number): boolean {
  let left = height;
  for (const each of ancestorsOf(element)) {
    if (each.attribs['itemprop'] === 'price' || PRICE_WORD.test(wordsOf(each))) return true;
    if (left-- <= 0) return false;
  }
  return false;
}

function wordsOf(element: Element): string {
  return `${element.attribs['class'] ?? ''} ${element.attribs['id'] ?? ''} ${element.attribs['itemprop'] ?? ''} ${element.attribs['data-testid'] ?? ''}`;
}

function elementAt(block: TextBlock, offset: number): Element {
  let element = block.element;
  for (const piece of block.pieces) if (piece.start <= offset) element = piece.element;
  return element;
}

function judge(
  block: TextBlock,
  found: Found,
  alone: boolean,
  element: Element,
  heading: number | undefined,
  buys: readonly number[],
): ShownPrice {
  const before = block.text.slice(Math.max(0, found.start - TEXT_BEFORE_CHARS), found.start);
  const after = block.text.slice(found.end, found.end + TEXT_AFTER_CHARS);
  const isStruckOut = isStruck(element);
  const isFormerByName = !isStruckOut && hasFormerName(element);
  const isFormer = isStruckOut || isFormerByName;
  const score =
    (found.hasCurrency ? 1 : 0) +
    scoreOfPlace(block, heading, buys) +
    scoreOfMarks(element) +
    (isFormer ? FORMER_PENALTY : 0) +
    (OTHER_TEXT.test(before) ? -4 : 0) +
    (OTHER_TEXT.test(after) ? -3 : OFF_TEXT.test(after) ? -5 : 0) +
    (PRICE_TEXT.test(before) ? 1 : 0) +
    (UNIT_TEXT.test(after) ? -2.5 : 0) +
    (/^\s*\+/.test(before.slice(-3)) ? -2 : 0) +
    (alone ? 1 : block.text.length > 120 ? -1.5 : 0) +
    (found.price.amountMinor === 0 ? -4 : 0);
  return { price: found.price, score, block, isFormer, isFormerByName };
}

/** Close behind the heading is best; a little before it or near a buy button will do. */
function scoreOfPlace(block: TextBlock, heading: number | undefined, buys: readonly number[]): number {
  const byArea = block.area === 'main' ? 0 : block.area === 'aside' ? -1.5 : -5;
  const toBuy = Math.min(...buys.map((index) => Math.abs(index - block.index)));
  const byBuy = toBuy <= 6 ? 2 : toBuy <= 20 ? 1 : 0;
  if (heading === undefined) return byArea + byBuy + 1;
  const gap = block.index - heading;
  const byHeading =
    gap < 0 ? (gap >= -6 ? 1.5 : gap > -15 ? 0.5 : -1) : gap <= 8 ? 3 : gap <= 25 ? 2.5 : gap <= 60 ? 1.5 : gap <= 120 ? 0 : -1.5;
  return byArea + byBuy + byHeading;
}

/** Soft hints of names and of type size, from the element up to three levels above it. */
function scoreOfMarks(element: Element): number {
  let score = 0;
  let height = 0;
  for (const at of ancestorsOf(element)) {
    const words = wordsOf(at);
    const weight = height === 0 ? 1 : 0.6;
    if (at.attribs['itemprop'] === 'price') score += 3;
    if (PRICE_WORD.test(words)) score = Math.max(score, 1) + weight * 0.5;
    if (PRICE_WORD.test(words) && CURRENT_WORD.test(words)) score += weight;
    if (OTHER_WORD.test(words.replace(HARMLESS_WORD, ''))) score -= 2.5 * weight;
    if (
      /^(?:b|strong|h[1-4]|big)$/.test(at.name) ||
      /font-size\s*:\s*(?:[2-9]\d(?:\.\d+)?px|1[89]px|[1-9]\.[3-9]\d*r?em|[2-9]r?em)/i.test(at.attribs['style'] ?? '')
    )
      score += 0.4;
    if (++height > 3) break;
  }
  return score;
}

function isStruck(element: Element): boolean {
  let height = 0;
  for (const at of ancestorsOf(element)) {
    if (at.name === 'del' || at.name === 's' || at.name === 'strike' || /line-through/i.test(at.attribs['style'] ?? '')) return true;
    if (++height > 3) return false;
  }
  return false;
}

function hasFormerName(element: Element): boolean {
  return [element, parentOf(element)].some((at) => {
    const words = at ? wordsOf(at).replace(/non-?sale/gi, 'old') : '';
    return FORMER_WORD.test(words) && !CURRENT_WORD.test(words);
  });
}

/** A former price by name alone is the price after all where no other stands beside it. */
function restoreLone(shown: readonly ShownPrice[]): readonly ShownPrice[] {
  const open = shown.filter((one) => !one.isFormer && one.score >= 3);
  return shown.map((one) => {
    if (!one.isFormerByName || open.some((other) => Math.abs(other.block.index - one.block.index) <= 6)) return one;
    return { ...one, isFormer: false, score: one.score - FORMER_PENALTY - 0.5 };
  });
}

/** How far apart, in blocks, two prices of one box can stand. */
const PAIR_BLOCKS_MAX = 3;

/**
 * Of two prices side by side the higher one is the former price: surely where a share such as `-50 %` beside them fits the pair, probably
 * where nothing else tells them apart.
 */
function markFormerOfPairs(shown: readonly ShownPrice[], page: PageText): readonly ShownPrice[] {
  const open = shown.filter((one) => !one.isFormer);
  return shown.map((one) => {
    const rivals = one.isFormer ? [] : open.filter((other) => isLowerBeside(other, one));
    const fitting = rivals.find((other) => sharesBeside(page, one, other).some((share) => Math.abs(share - shareOff(other, one)) <= 1.01));
    if (fitting) return { ...one, score: one.score + FORMER_PENALTY, isFormer: true };
    return rivals.some((other) => Math.abs(other.score - one.score) <= 1.2) ? { ...one, score: one.score - 1.5 } : one;
  });
}

function isLowerBeside(other: ShownPrice, one: ShownPrice): boolean {
  const ratio = other.price.amountMinor / one.price.amountMinor;
  return Math.abs(other.block.index - one.block.index) <= PAIR_BLOCKS_MAX && ratio >= 0.15 && ratio < 1;
}

function shareOff(low: ShownPrice, high: ShownPrice): number {
  return (1 - low.price.amountMinor / high.price.amountMinor) * 100;
}

/** The percentages written in and around two prices. */
function sharesBeside(page: PageText, one: ShownPrice, other: ShownPrice): readonly number[] {
  const [from, to] = [one.block.index, other.block.index].toSorted((a, b) => a - b) as [number, number];
  const texts = page.blocks.slice(Math.max(0, from - 1), to + 3).map((block) => block.text);
  return texts.flatMap((text) =>
    [...text.matchAll(/(\d{1,2}(?:[.,]\d)?)\s?%/g)].map((match) => Number((match[1] as string).replace(',', '.'))),
  );
}
