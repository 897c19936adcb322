// Chooses the product that the page is about among all that its data states, and the variant that its address names.
import type { PageTree } from '../../html/tree.ts';
import { elementsWithTemplates } from '../../html/walk.ts';
import { likeness, wordSet } from './names.ts';
import type { StatedOffer, StatedProduct } from './stated.ts';
import { decodeLoosely } from '../../url/decode-loosely.ts';

/** Addresses and names by which a page tells what it is about. */
export interface PageIdentity {
  readonly url: string;
  readonly canonical: string | undefined;
  /** The parts of both addresses between marks, in lower case. */
  readonly addressTokens: ReadonlySet<string>;
  /** Headings and titles, the most telling first. */
  readonly names: readonly string[];
}

/** The stated product that the page is about, with the offers that are in question. */
export interface MainProduct {
  readonly product: StatedProduct;
  /** Offers of the chosen variant, or of all variants where the address chooses none. */
  readonly offers: readonly StatedOffer[];
  /** All variants if they differ and none is chosen; empty otherwise. */
  readonly variants: readonly StatedProduct[];
}

/** Among several products the best must fit this well: by half of its name, say, and a price. */
const FIT_MIN = 1.8;
/** Shorter numbers stand in other words and numbers by chance. */
const WITHIN_MIN = 5;

/** The page's address, its canonical one and its names. */
export function identify(tree: PageTree, names: readonly string[]): PageIdentity {
  let canonical: string | undefined;
  for (const element of elementsWithTemplates(tree.head)) {
    if (element.name === 'link' && /(?:^|\s)canonical(?:\s|$)/i.test(element.attribs['rel'] ?? '')) canonical ??= element.attribs['href'];
  }
  const canonicalUrl = canonical === undefined ? undefined : URL.parse(canonical, tree.baseUrl)?.href;
  const addressTokens = new Set([...tokensOf(tree.url), ...tokensOf(canonicalUrl ?? '')]);
  return { url: tree.url, canonical: canonicalUrl, addressTokens, names };
}

/** The main product with its offers; undefined where nothing is stated, or where several products are and none fits the page. */
export function findMainProduct(products: readonly StatedProduct[], page: PageIdentity): MainProduct | undefined {
  const ranked = products.map((product, index) => ({ product, score: fit(product, page) - Math.min(index, 50) * 0.01 }));
  ranked.sort((a, b) => b.score - a.score);
  const best = ranked[0];
  if (!best || (products.length > 2 && best.score < FIT_MIN)) return undefined;
  const twins = products.filter((other) => other.source === best.product.source && isSameName(other, best.product));
  const family = best.product.variants.length > 0 ? best.product.variants : twins.length > 1 ? twins : [];
  return chooseVariant(best.product, family, page);
}

/** How well the product fits the page: by address up to 3, by name up to 3, and a little for having a price. */
function fit(product: StatedProduct, page: PageIdentity): number {
  const words = wordSet(product.name);
  const byName = Math.max(0, ...page.names.map((name, i) => likeness(words, wordSet(name)) * (i === 0 ? 3 : 2.5)));
  const byUrl = product.url !== undefined && isPageUrl(product.url, page) ? 2 : 0;
  const bySku = product.sku !== undefined && isInAddress(product.sku, page) ? 1 : 0;
  return byName + byUrl + bySku + (product.offers.some((offer) => offer.price) ? 0.5 : 0);
}

function chooseVariant(product: StatedProduct, family: readonly StatedProduct[], page: PageIdentity): MainProduct {
  if (family.length > 1) {
    const chosen = onlyOne(family, (variant) => namesVariant(variant.url, variant.sku, page));
    if (chosen) return { product: { ...product, ...chosen }, offers: chosen.offers, variants: [] };
    return { product, offers: family.flatMap((variant) => variant.offers), variants: family };
  }
  const offer = product.offers.length > 1 ? onlyOne(product.offers, (each) => namesVariant(each.url, each.sku, page)) : undefined;
  if (offer) return { product: { ...product, sku: offer.sku ?? product.sku }, offers: [offer], variants: [] };
  const own = family[0]?.offers ?? [];
  return { product, offers: product.offers.length > 0 ? product.offers : own, variants: [] };
}

function onlyOne<Item>(items: readonly Item[], matches: (item: Item) => boolean): Item | undefined {
  const found = items.filter(matches);
  return found.length === 1 ? found[0] : undefined;
}

function namesVariant(url: string | undefined, sku: string | undefined, page: PageIdentity): boolean {
  return (sku !== undefined && isInAddress(sku, page)) || (url !== undefined && isPageUrl(url, page));
}

/** True if `token` stands in the page's address or canonical address as a whole, between marks. */
export function isInAddress(token: string, page: PageIdentity): boolean {
  return token.length >= 2 && page.addressTokens.has(token.toLowerCase());
}

/** True where the address has the letters and digits of `token` in one run, whatever marks it is written with: `992.775.08` in `/murum-s99277508/`. */
export function isWithinAddress(token: string, page: PageIdentity): boolean {
  const plain = token.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();
  return plain.length >= WITHIN_MIN && [...page.addressTokens].some((part) => part.includes(plain));
}

function tokensOf(address: string): readonly string[] {
  const { pathname = '', search = '', hash = '' } = URL.parse(address) ?? {};
  const text = decodeLoosely(pathname + search + hash).toLowerCase();
  const parts = text.split(/[/?&=#;,]/);
  return [...parts, ...parts.map((part) => part.replace(/\.\w{2,5}$/, '')), ...text.split(/[^\p{L}\p{N}]+/u)];
}

function isPageUrl(url: string, page: PageIdentity): boolean {
  const wanted = normalUrl(url, page.url);
  return (
    wanted !== undefined && [page.url, page.canonical].some((address) => address !== undefined && normalUrl(address, page.url) === wanted)
  );
}

function normalUrl(url: string, base: string): string | undefined {
  const parsed = URL.parse(url, base);
  return parsed ? `${parsed.hostname.replace(/^www\./, '')}${parsed.pathname.replace(/\/$/, '')}${parsed.search}${parsed.hash}` : undefined;
}

function isSameName(a: StatedProduct, b: StatedProduct): boolean {
  return a.name !== '' && a.name.toLowerCase() === b.name.toLowerCase();
}
