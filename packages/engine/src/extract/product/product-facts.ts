// Gathers what a page states and shows of its product, before anything is chosen.
import type { PageTree } from '../../html/tree.ts';
import { collapse } from '../../html/text.ts';
import { elementsWithTemplates, textContentOf } from '../../html/walk.ts';
import type { StatedAvailability } from '../availability/availability.ts';
import { knownCode } from '../price/currency.ts';
import type { StructuredData } from '../structured/structured.ts';
import { findHiddenSkus } from './hidden-skus.ts';
import { readLooseProperties } from './loose-properties.ts';
import type { LooseProperties } from './loose-properties.ts';
import type { MainProduct, PageIdentity } from './main-product.ts';
import { findMainProduct, identify } from './main-product.ts';
import type { PageText } from './page-text.ts';
import { readPageText } from './page-text.ts';
import type { WeighedPrice } from './price-candidates.ts';
import { priceCandidates } from './price-candidates.ts';
import type { ShownPrices } from './shown-price.ts';
import { findShownPrices } from './shown-price.ts';
import { findShownSkus } from './shown-sku.ts';
import type { SkuCandidate } from './sku-features.ts';
import { skuCandidates } from './sku-features.ts';
import { readStatedProducts } from './stated.ts';

/** All that speaks of the product of a page. */
export interface ProductFacts {
  readonly titles: readonly string[];
  readonly text: PageText;
  readonly identity: PageIdentity;
  readonly main: MainProduct | undefined;
  /** What the offers in question say of availability. */
  readonly stated: readonly StatedAvailability[];
  readonly currency: string | undefined;
  readonly shown: ShownPrices;
  readonly prices: readonly WeighedPrice[];
  readonly skus: readonly SkuCandidate[];
}

/** What the page states and shows. */
export function readProductFacts(tree: PageTree, structured: StructuredData): ProductFacts {
  const locale = localeOf(tree);
  const { titles, text, identity, main, loose } = readMainFacts(tree, structured, locale);
  const currency = statedCurrency(main, structured) ?? knownCode(loose.priceCurrency);
  const shown = findShownPrices(text, { currency, locale });
  const prices = priceCandidates(main, { openGraph: structured.openGraph, loose: loose.price }, shown, { currency, locale });
  const stated = statedAvailability(main, structured, loose);
  const found = [...findShownSkus(text, identity), ...findHiddenSkus(tree, identity)];
  const skus = skuCandidates(main, structured.openGraph, found, identity);
  return { titles, text, identity, main, stated, currency, shown, prices, skus };
}

/** What the offers of the main product state of availability, without anything that the page shows of it. */
export function readStatedAvailability(tree: PageTree, structured: StructuredData): readonly StatedAvailability[] {
  const { main, loose } = readMainFacts(tree, structured, localeOf(tree));
  return statedAvailability(main, structured, loose);
}

/** Which product the page is about, and what that is told by. */
function readMainFacts(tree: PageTree, structured: StructuredData, locale: string) {
  const products = readStatedProducts(structured, locale);
  const titles = titlesOf(tree, structured);
  const text = readPageText(tree, [...titles, ...products.slice(0, 3).map((product) => product.name)]);
  const identity = identify(tree, [text.heading?.text ?? '', ...titles]);
  const main = findMainProduct(products, identity);
  const loose = products.length === 0 ? readLooseProperties(tree) : {};
  return { titles, text, identity, main, loose };
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
): readonly StatedAvailability[] {
  const stated = (main?.offers ?? []).flatMap(({ availability }) =>
    availability && main ? [{ source: main.product.source, term: availability }] : [],
  );
  if (stated.length > 0) return stated;
  const { openGraph } = structured;
  if (loose.availability !== undefined) return [{ source: 'microdata', term: loose.availability }];
  const terms = openGraph['product:availability'] ?? openGraph['og:availability'] ?? [];
  return terms.map((term) => ({ source: 'og', term }));
}
