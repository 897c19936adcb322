// Reads the product that a page sells: name, price, number and availability, from its data and from what it shows.
import type { PageTree } from '../../html/tree.ts';
import { readAvailability } from '../availability/availability.ts';
import { isBuyName, isBuyText } from '../availability/phrases.ts';
import type { Availability } from '../availability/state.ts';
import { knownCode } from '../price/currency.ts';
import type { Price, PriceRange } from '../price/price.ts';
import { collapse } from '../../html/text.ts';
import { elementsWithTemplates, textContentOf } from '../../html/walk.ts';
import { typesOf } from '../structured/json-ld.ts';
import type { StructuredData } from '../structured/structured.ts';
import type { PriceChoice } from './choose-price.ts';
import { choosePrice } from './choose-price.ts';
import { chooseSku } from './choose-sku.ts';
import type { ProductEvidence } from './evidence.ts';
import { readLooseProperties } from './loose-properties.ts';
import type { LooseProperties } from './loose-properties.ts';
import type { MainProduct } from './main-product.ts';
import { findMainProduct, identify, isInAddress } from './main-product.ts';
import { likeness, wordSet } from './names.ts';
import { readPageText } from './page-text.ts';
import { findHiddenSkus } from './hidden-skus.ts';
import { findShownPrices } from './shown-price.ts';
import { findShownSkus } from './shown-sku.ts';
import type { StatedProduct } from './stated.ts';
import { readStatedProducts } from './stated.ts';

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
  const locale = localeOf(tree);
  const stated = readStatedProducts(structured, locale);
  const titles = titlesOf(tree, structured);
  const text = readPageText(tree, [...titles, ...stated.slice(0, 3).map((product) => product.name)]);
  const identity = identify(tree, [text.heading?.text ?? '', ...titles]);
  const main = findMainProduct(stated, identity);
  const loose = stated.length === 0 ? readLooseProperties(tree) : {};
  const currency = statedCurrency(main, structured) ?? knownCode(loose.priceCurrency);
  const shown = findShownPrices(text, { currency, locale });
  const choice = choosePrice(main, { openGraph: structured.openGraph, loose: loose.price }, shown, { currency, locale });
  const sku = chooseSku(main, structured.openGraph, [...findShownSkus(text, identity), ...findHiddenSkus(tree, identity)], identity);
  const availability = readAvailability(text, statedAvailability(main, structured, loose), choice.blockIndex);
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

/** The page's language with a region: its own, else that of the top-level domain. */
function localeOf(tree: PageTree): string {
  const language = tree.html.attribs['lang']?.trim() || 'und';
  const domain = URL.parse(tree.url)?.hostname.match(/\.([a-z]{2})$/)?.[1];
  return domain === undefined || /[-_][a-z]{2}$/i.test(language) ? language : `${language.split(/[-_]/)[0]}-${domain.toUpperCase()}`;
}

function titlesOf(tree: PageTree, structured: StructuredData): readonly string[] {
  let title = '';
  for (const element of elementsWithTemplates(tree.head)) if (element.name === 'title') title ||= collapse(textContentOf(element));
  return [structured.openGraph['og:title']?.[0] ?? '', title].filter((each) => each !== '');
}

function statedCurrency(main: MainProduct | undefined, structured: StructuredData): string | undefined {
  const stated = main?.offers.find((offer) => offer.price?.currency !== undefined)?.price?.currency;
  const { openGraph } = structured;
  return stated ?? knownCode((openGraph['product:price:currency'] ?? openGraph['og:price:currency'])?.[0]);
}

function statedAvailability(
  main: MainProduct | undefined,
  structured: StructuredData,
  loose: LooseProperties,
): Parameters<typeof readAvailability>[1] {
  const stated = (main?.offers ?? []).flatMap(({ availability }) =>
    availability && main ? [{ source: main.product.source, term: availability }] : [],
  );
  if (stated.length > 0) return stated;
  const { openGraph } = structured;
  if (loose.availability !== undefined) return [{ source: 'microdata', term: loose.availability }];
  const terms = openGraph['product:availability'] ?? openGraph['og:availability'] ?? [];
  return terms.map((term) => ({ source: 'og', term }));
}

function variantOf(variant: StatedProduct): ProductVariant {
  const offer = variant.offers[0];
  return { name: variant.name, sku: variant.sku, price: offer?.price, availability: offer?.availability };
}
