// What structured data states about products, in one shape whatever the format.
import type { AvailabilitySource } from '../availability/state.ts';
import type { Price, PriceRange } from '../price/price.ts';
import { parsePrice, priceOfNumber } from '../price/price.ts';
import { knownCode } from '../price/currency.ts';
import type { JsonLdNode } from '../structured/json-ld.ts';
import { memberOf, membersOf, typesOf } from '../structured/json-ld.ts';
import type { JsonObject, JsonValue } from '../../html/loose-json.ts';
import { isJsonObject } from '../../html/loose-json.ts';
import type { MicrodataItem } from '../structured/microdata.ts';
import type { StructuredData } from '../structured/structured.ts';

/** One offer as stated; a range stands beside its low price. */
export interface StatedOffer {
  readonly price: Price | undefined;
  readonly range: PriceRange | undefined;
  /** The term as written. */
  readonly availability: string | undefined;
  readonly url: string | undefined;
  readonly sku: string | undefined;
}

/** One product as stated. */
export interface StatedProduct {
  readonly source: AvailabilitySource;
  readonly name: string;
  readonly url: string | undefined;
  readonly sku: string | undefined;
  /** Other identifiers of the shop, best first: product id, model, MPN. GTINs are left out. */
  readonly otherIds: readonly string[];
  readonly offers: readonly StatedOffer[];
  readonly variants: readonly StatedProduct[];
}

/** Further products are left out. */
export const STATED_PRODUCTS_MAX = 500;
const OFFERS_MAX = 500;
/** `offerDetails` is the name of the vocabulary before schema.org. */
const OFFER_MEMBERS = ['offers', 'offer', 'offerDetails'] as const;
/** Members under which a page's node holds the product that the page is about. */
const MAIN_MEMBERS = ['mainEntity', 'mainEntityOfPage', 'about', 'itemOffered', 'item'] as const;

/** The products of the page in the order JSON-LD, microdata, RDFa; related products of a product are left out. */
export function readStatedProducts(structured: StructuredData, locale: string | undefined): readonly StatedProduct[] {
  const sources: readonly (readonly [AvailabilitySource, readonly JsonObject[]])[] = [
    ['jsonld', structured.jsonLd],
    ['microdata', structured.microdata.map(nodeOf)],
    ['rdfa', structured.rdfaLite.map(nodeOf)],
  ];
  const products = sources
    .flatMap(([source, nodes]) => nodes.flatMap((node) => productNodes(node, 0)).map((node) => readProductNode(node, source, locale, 0)))
    .slice(0, STATED_PRODUCTS_MAX);
  return products.length > 0 ? products : sources.flatMap(([source, nodes]) => loneOffers(nodes, source, locale)).slice(0, 1);
}

/** An offer without a product is that of the page. */
function loneOffers(nodes: readonly JsonObject[], source: AvailabilitySource, locale: string | undefined): readonly StatedProduct[] {
  return nodes
    .filter((node) => typesOf(node).some((type) => type === 'offer' || type === 'aggregateoffer'))
    .map((node) => readProductNode({ offers: node }, source, locale, 0));
}

/** A microdata item in the shape of a JSON-LD node. */
function nodeOf(item: MicrodataItem): JsonObject {
  const members = Object.entries(item.properties).map(([name, values]): [string, JsonValue] => {
    const list = values.map((value) => (typeof value === 'string' ? value : nodeOf(value)));
    return [name, list.length === 1 ? (list[0] as JsonValue) : list];
  });
  return Object.fromEntries<JsonValue>([['@type', [...item.types]], ['@id', item.id ?? null], ...members]);
}

function productNodes(node: JsonLdNode, depth: number): readonly JsonObject[] {
  if (depth > 4) return [];
  if (isProduct(node)) return [node];
  return MAIN_MEMBERS.flatMap((name) => membersOf(node, name))
    .filter(isJsonObject)
    .flatMap((inner) =>
      typesOf(node).includes('offer') && isProduct(inner) ? [{ ...inner, offers: node }] : productNodes(inner, depth + 1),
    );
}

/** A node typed as a product, or anything else that is offered for sale. */
function isProduct(node: JsonObject): boolean {
  const types = typesOf(node);
  if (types.some((type) => /product|vehicle|^car$/.test(type) && type !== 'productcollection')) return true;
  return (
    memberOf(node, 'offers') !== undefined &&
    !types.some((type) => /page|site|organization|store|business|service|event|itemlist|catalog/.test(type))
  );
}

function readProductNode(node: JsonObject, source: AvailabilitySource, locale: string | undefined, depth: number): StatedProduct {
  const offers = OFFER_MEMBERS.flatMap((name) => membersOf(node, name)).filter(isJsonObject);
  const read = offers.flatMap((offer) => readOffer(offer, undefined, locale, 0)).slice(0, OFFERS_MAX);
  const own = memberOf(node, 'price') === undefined ? [] : readOffer(node, undefined, locale, 0);
  const variants = depth > 0 ? [] : [...membersOf(node, 'hasVariant'), ...membersOf(node, 'model')].filter(isJsonObject);
  return {
    source,
    name: textOf(memberOf(node, 'name')) ?? '',
    url: textOf(memberOf(node, 'url')) ?? textOf(node['@id']),
    sku: idOf(node, 'sku') ?? read.find((offer) => offer.sku !== undefined)?.sku,
    otherIds: ['productID', 'identifier', 'model', 'mpn'].flatMap((name) => idOf(node, name) ?? []),
    offers: read.length > 0 ? read : own,
    variants: variants.map((variant) => readProductNode(variant, source, locale, depth + 1)),
  };
}

/** The offers that one node stands for: inner offers if there are any, with what they don't say taken from the outer one. */
function readOffer(node: JsonObject, currency: string | undefined, locale: string | undefined, depth: number): readonly StatedOffer[] {
  const code = knownCode(textOf(memberOf(node, 'priceCurrency') ?? memberOf(node, 'currency'))) ?? currency;
  const inner = membersOf(node, 'offers').filter(isJsonObject);
  const own = readOneOffer(node, code, locale);
  if (inner.length === 0 || depth > 2) return [own];
  const offers = inner.flatMap((offer) => readOffer(offer, code, locale, depth + 1));
  return own.range || own.price || own.availability ? [own, ...offers] : offers;
}

function readOneOffer(node: JsonObject, code: string | undefined, locale: string | undefined): StatedOffer {
  const specification = membersOf(node, 'priceSpecification').filter(isJsonObject).find(isCurrentPrice);
  const context = { currency: knownCode(textOf(specification && memberOf(specification, 'priceCurrency'))) ?? code, locale };
  const low = amountOf(memberOf(node, 'lowPrice'), context);
  const high = amountOf(memberOf(node, 'highPrice'), context);
  return {
    price: amountOf(memberOf(node, 'price'), context) ?? amountOf(specification && memberOf(specification, 'price'), context) ?? low,
    range: low && high && high.amountMinor > low.amountMinor ? { low, high } : undefined,
    availability: textOf(memberOf(node, 'availability')),
    url: textOf(memberOf(node, 'url')),
    sku: idOf(node, 'sku'),
  };
}

/** Not the struck list price that a price specification can also hold. */
function isCurrentPrice(specification: JsonObject): boolean {
  const type = textOf(memberOf(specification, 'priceType')) ?? '';
  return memberOf(specification, 'price') !== undefined && !/ListPrice|StrikethroughPrice|SRP|MSRP/i.test(type);
}

function amountOf(value: JsonValue | undefined, context: { currency: string | undefined; locale: string | undefined }): Price | undefined {
  if (typeof value === 'number') return priceOfNumber(value, context.currency);
  const text = textOf(value);
  if (text === undefined) return undefined;
  // A point before one, two or four digits is the machine form; anything else is read as people write it.
  return /^\d+(?:\.\d{1,2}|\.\d{4,})?$/.test(text) ? priceOfNumber(Number(text), context.currency) : parsePrice(text, context);
}

/** An identifier without what pages write around it: `sku:1234`, `1234 Name of the product`. */
function idOf(node: JsonObject, key: string): string | undefined {
  const text = textOf(memberOf(node, key))?.replace(/^(?:sku|mpn|id|ref|art)\.?\s*[:#]\s*/i, '');
  const first = text?.split(' ')[0] ?? '';
  return text !== undefined && /\s\S*\p{L}{3}/u.test(text) && /\d{3}/.test(first) ? first : text;
}

/** The first text of a value; a number as written, a node by its name or address. */
export function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return value.trim() || undefined;
  if (Array.isArray(value)) return value.map(textOf).find((text) => text !== undefined);
  if (!isJsonObject(value)) return undefined;
  return textOf(memberOf(value, '@value') ?? memberOf(value, 'value') ?? memberOf(value, 'name') ?? memberOf(value, '@id'));
}
