// The pages that products are measured and trained on: the labelled set, and public pages whose structured data was taken out and kept as truth.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Element } from 'domhandler';
import { identify, findMainProduct } from '../../../packages/engine/src/extract/product/main-product.ts';
import { readStatedProducts } from '../../../packages/engine/src/extract/product/stated.ts';
import { parsePrice } from '../../../packages/engine/src/extract/price/price.ts';
import { stateOfTerm } from '../../../packages/engine/src/extract/availability/state.ts';
import type { StructuredData } from '../../../packages/engine/src/extract/structured/structured.ts';
import { readStructuredData } from '../../../packages/engine/src/extract/structured/structured.ts';
import type { PageTree } from '../../../packages/engine/src/html/tree.ts';
import { parseTree } from '../../../packages/engine/src/html/tree.ts';
import { elementsWithTemplates, textContentOf } from '../../../packages/engine/src/html/walk.ts';
import { decodePage, loadPages } from '../content/pages.ts';
import { findDataset, hostKey } from '../dataset.ts';

/** What a page is known to say; an absent attribute is unknown, an empty list is none. */
export interface ProductTruth {
  readonly price?: readonly string[];
  readonly sku?: readonly string[];
  /** `InStock` or `OutOfStock`. */
  readonly availability?: readonly string[];
}

/** `labelled`: as stored, truth by people. `stripped`: the same without their structured data. `masked`: truth by their own data. `other`: pages that list things. The rest are ours. */
export type ProductSet = 'other' | 'labelled' | 'stripped' | 'masked' | 'generated' | 'unseen';

/** One page with what it sells. */
export interface ProductPage {
  readonly set: ProductSet;
  readonly id: string;
  /** The host by which pages are kept together. */
  readonly host: string;
  readonly truth: ProductTruth;
  /** The page's tree, without its structured data where the set says so. */
  tree(): PageTree;
}

/** What a page must hold to be worth parsing: most declare no product. */
const DECLARES = /schema\.org\/(?:Product|Offer)|["']Product["']|og:price|product:price|itemprop=["']?price/i;

/** All pages of all sets; empty where the data is absent. */
export function loadProductPages(): readonly ProductPage[] {
  return [...loadLabelled(), ...loadMasked(), ...loadOthers()];
}

/** Pages that show prices of many things: none of them is the price of the page. */
function loadOthers(): readonly ProductPage[] {
  return loadPages('pages')
    .filter(({ type }) => type === 'listing' || type === 'collection')
    .map((page) => ({
      set: 'other',
      id: page.id,
      host: hostKey(page.url),
      truth: { price: [] },
      tree: () => parseTree(decodePage(page.bytes()), page.url),
    }));
}

/** The labelled pages, each as stored and stripped. */
export function loadLabelled(): readonly ProductPage[] {
  const folder = findDataset('products');
  if (folder === undefined) return [];
  const truths = JSON.parse(readFileSync(join(folder, 'ground-truth.json'), 'utf8')) as Record<string, ProductTruth & { url: string }>;
  return Object.entries(truths).flatMap(([id, { url, price = [], sku = [], availability = [] }]) => {
    const html = () => gunzipSync(readFileSync(join(folder, 'html', `${id}.html.gz`))).toString('utf8');
    const truth = { price, sku, availability };
    const page = { id, host: hostKey(url), truth };
    return [
      { ...page, set: 'labelled' as const, tree: () => parseTree(html(), url) },
      { ...page, set: 'stripped' as const, tree: () => stripped(html(), url) },
    ];
  });
}

function loadMasked(): readonly ProductPage[] {
  return [...storedPages()].flatMap(({ id, url, html }) => {
    if (!DECLARES.test(html)) return [];
    const tree = parseTree(html, url);
    const truth = declaredTruth(tree, readStructuredData(tree));
    return truth ? [{ set: 'masked' as const, id, host: hostKey(url), truth, tree: () => stripped(html, url) }] : [];
  });
}

function* storedPages(): Generator<{ readonly id: string; readonly url: string; readonly html: string }> {
  const pages = findDataset('pages');
  for (const name of pages === undefined ? [] : readdirSync(join(pages, 'dev', 'ground-truth')).sort()) {
    const id = name.replace('.json', '');
    const { url } = JSON.parse(readFileSync(join(pages as string, 'dev', 'ground-truth', name), 'utf8')) as { url?: string };
    const html = gunzipSync(readFileSync(join(pages as string, 'dev', 'html', `${id}.html.gz`))).toString('utf8');
    yield { id, url: url || `https://${id}.invalid/`, html };
  }
  const forms = findDataset('forms');
  if (forms === undefined) return;
  const index = JSON.parse(readFileSync(join(forms, 'index.json'), 'utf8')) as Record<string, { url: string }>;
  for (const [id, { url }] of Object.entries(index)) yield { id, url, html: readFileSync(join(forms, id), 'utf8') };
}

/** What the page's data says of its one product; undefined where it says nothing, or speaks of several products or prices. */
function declaredTruth(tree: PageTree, structured: StructuredData): ProductTruth | undefined {
  const stated = readStatedProducts(structured, undefined);
  const { openGraph } = structured;
  const titles = [openGraph['og:title']?.[0] ?? '', titleOf(tree)].filter((title) => title !== '');
  const main = findMainProduct(stated, identify(tree, titles));
  const openGraphPrice = openGraph['product:price:amount']?.[0] ?? openGraph['og:price:amount']?.[0];
  const byOpenGraph = openGraphPrice === undefined ? undefined : parsePrice(openGraphPrice)?.amount;
  const amounts = new Set(main?.offers.flatMap((offer) => offer.price?.amount ?? []) ?? []);
  const price = amounts.size === 1 ? [...amounts][0] : amounts.size === 0 ? byOpenGraph : undefined;
  if (stated.length > 4 || (main?.variants.length ?? 0) > 0 || price === undefined || Number(price) === 0) return undefined;
  const states = new Set(main?.offers.flatMap((offer) => stateOfTerm(offer.availability ?? '') ?? []) ?? []);
  const [state] = states;
  const isOut = state === 'out_of_stock' || state === 'discontinued';
  return {
    price: [price],
    ...(main?.product.sku === undefined ? {} : { sku: [main.product.sku] }),
    ...(states.size === 1 ? { availability: [isOut ? 'OutOfStock' : 'InStock'] } : {}),
  };
}

function titleOf(tree: PageTree): string {
  for (const element of elementsWithTemplates(tree.head)) if (element.name === 'title') return textContentOf(element);
  return '';
}

const STATED_ATTRIBUTES = ['itemscope', 'itemtype', 'itemprop', 'itemid', 'itemref', 'typeof', 'vocab', 'property'];
const STATED_META = /^(?:product:|og:(?:price|availability))/;

/** The page as it would be if nothing on it were marked up. */
function stripped(html: string, url: string): PageTree {
  const tree = parseTree(html, url);
  for (const element of elementsWithTemplates(tree.html)) {
    if (isStatement(element)) element.children = [];
    if (element.name === 'script' && isStatement(element)) element.attribs = {};
    if (element.name === 'meta') {
      const name = (element.attribs['property'] ?? element.attribs['name'] ?? '').toLowerCase();
      if (element.attribs['itemprop'] !== undefined || STATED_META.test(name)) element.attribs = {};
      continue;
    }
    for (const name of STATED_ATTRIBUTES) delete element.attribs[name];
  }
  return tree;
}

function isStatement(element: Element): boolean {
  return element.name === 'script' && /ld\+json/i.test(element.attribs['type'] ?? '');
}
