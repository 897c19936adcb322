// Reads the product that a page sells: name, price, number and availability, from its data and from what it shows.
import type { PageTree } from '../../html/tree.ts';
import { readAvailability } from '../availability/availability.ts';
import { isBuyName, isBuyText } from '../availability/phrases.ts';
import type { Availability } from '../availability/state.ts';
import type { Price, PriceRange } from '../price/price.ts';
import { typesOf } from '../structured/json-ld.ts';
import type { StructuredData } from '../structured/structured.ts';
import type { PriceChoice } from './choose-price.ts';
import { choosePrice } from './choose-price.ts';
import { chooseSku } from './choose-sku.ts';
import type { ProductEvidence } from './evidence.ts';
import type { MainProduct } from './main-product.ts';
import { isInAddress } from './main-product.ts';
import { likeness, wordSet } from './names.ts';
import { readProductFacts } from './product-facts.ts';
import type { StatedProduct } from './stated.ts';

/** One of several stated variants. */
export interface ProductVariant {
  readonly name: string;
  readonly sku: string | undefined;
  readonly price: Price | undefined;
  /** The term as written: `https://schema.org/InStock`. */
  readonly availability: string | undefined;
}

/** What a page sells. */
export interface Product {
  readonly name: string;
  /** The price a visitor pays now; undefined where none is shown, or where variants differ and the page chooses none. */
  readonly price: Price | undefined;
  /** Lowest and highest price, where the page states a range or variants differ. */
  readonly priceRange: PriceRange | undefined;
  /** ISO 4217; known more often than the price. */
  readonly currency: string | undefined;
  /** The shop's own number of the product. */
  readonly sku: string | undefined;
  readonly availability: Availability;
  readonly evidence: readonly ProductEvidence[];
  /** The variants between which neither address nor page chooses; empty where the reading is unambiguous. */
  readonly ambiguous: readonly ProductVariant[];
}

/**
 * The main product of the page, never a related one. Undefined where the page states no product and shows neither a price, a buy button
 * nor that there is none left.
 */
export function readProduct(tree: PageTree, structured: StructuredData): Product | undefined {
  const { titles, text, identity, main, currency, shown, prices, skus, stated } = readProductFacts(tree, structured);
  const choice = choosePrice(prices, shown, main);
  const sku = chooseSku(skus);
  const availability = readAvailability(text, stated, choice.price && choice.blockIndex);
  const isNumbered = sku !== undefined && isInAddress(sku.raw, identity);
  if (!main && !isSold(structured, choice, availability, isNumbered)) return undefined;
  const name = nameOf(main, text.heading?.text, titles);
  return {
    name,
    price: choice.price,
    priceRange: choice.range,
    currency: choice.price?.currency ?? currency,
    sku: sku?.raw,
    availability,
    evidence: [
      { field: 'name', source: main ? main.product.source : 'text', raw: name },
      ...(choice.evidence ? [choice.evidence] : []),
      ...(sku ? [sku] : []),
    ],
    ambiguous: choice.isAmbiguous ? (main?.variants ?? []).map(variantOf) : [],
  };
}

/**
 * Without a stated product a page sells one if it shows a price, a buy button, that there is none left, or a state beside the number that
 * its address carries; an article needs a button.
 */
function isSold(structured: StructuredData, choice: PriceChoice, availability: Availability, isNumbered: boolean): boolean {
  const [decisive] = availability.evidence;
  if ([decisive?.source, choice.evidence?.source].some((source) => source !== undefined && source !== 'text')) return true;
  const hasButton = decisive !== undefined && (isBuyText(decisive.phrase) || isBuyName(decisive.phrase));
  const isArticle =
    structured.openGraph['og:type']?.[0] === 'article' ||
    structured.jsonLd.some((node) => typesOf(node).some((type) => /article$|^blogposting$/.test(type)));
  if (hasButton || isArticle) return hasButton;
  return choice.price !== undefined || (decisive !== undefined && (isNumbered || decisive.state !== 'in_stock'));
}

/** The stated name, else the heading where it goes with the title, else the title. */
function nameOf(main: MainProduct | undefined, heading: string | undefined, titles: readonly string[]): string {
  if (main?.product.name) return unescaped(main.product.name);
  const [title] = titles;
  if (heading === undefined || title === undefined) return heading ?? title ?? '';
  return titles.some((each) => likeness(wordSet(heading), wordSet(each)) >= 0.5) ? heading : title;
}

/** Names in scripts often keep the entities of the HTML they come from. */
function unescaped(text: string): string {
  const named: Readonly<Record<string, string>> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>', nbsp: ' ' };
  return text.replace(
    /&(?:#(\d{1,6})|#x([\da-f]{1,5})|(amp|quot|apos|lt|gt|nbsp));/gi,
    (all, decimal?: string, hex?: string, name?: string) => {
      const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : undefined;
      return code === undefined ? (named[name?.toLowerCase() ?? ''] ?? all) : code <= 0x10ffff ? String.fromCodePoint(code) : all;
    },
  );
}

function variantOf(variant: StatedProduct): ProductVariant {
  const offer = variant.offers[0];
  return { name: variant.name, sku: variant.sku, price: offer?.price, availability: offer?.availability };
}
