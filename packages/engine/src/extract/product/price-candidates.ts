// Gathers every amount of a page that may be the price of its product: what it shows, and what its data states.
import type { CurrencyContext } from '../price/currency.ts';
import type { Price } from '../price/price.ts';
import { parsePrice } from '../price/price.ts';
import type { ProductSource } from './evidence.ts';
import type { MainProduct } from './main-product.ts';
import type { PriceCandidate, Statement } from './price-features.ts';
import type { ShownPrices } from './shown-price.ts';
import { LISTED_MIN, isStruck } from './shown-price.ts';

/** Prices that are stated, but not as offers of a product. */
export interface StatedAside {
  readonly openGraph: Readonly<Record<string, readonly string[]>>;
  /** A price marked up outside every item. */
  readonly loose: string | undefined;
}

const UNSTATED: Statement = { isOnly: false, position: 0, isOpenGraph: false, isLoose: false };

/** A candidate with its reading and the place it was read from. */
export interface WeighedPrice extends PriceCandidate {
  readonly price: Price;
  readonly source: ProductSource;
}

/**
 * Every price that may be the product's: those that are shown, then the stated ones, which may stand in a place that says little. What stands in a list of other
 * products is left out unless data states the amount; a struck amount gains nothing from data, which often states the old
 * price, and is no stated candidate either.
 */
export function priceCandidates(
  main: MainProduct | undefined,
  aside: StatedAside,
  { prices, lists }: ShownPrices,
  context: CurrencyContext,
): readonly WeighedPrice[] {
  const offers = distinctPrices((main?.offers ?? []).flatMap((offer) => offer.price ?? []));
  const openGraph = openGraphPrice(aside.openGraph, context);
  const loose = aside.loose === undefined ? undefined : parsePrice(aside.loose, context);
  const isAnyStated = offers.length > 0 || openGraph !== undefined || loose !== undefined;
  const statementOf = ({ amountMinor }: Price): Statement => {
    const position = offers.findIndex((offer) => offer.amountMinor === amountMinor) + 1;
    return {
      isOnly: offers.length === 1 && position === 1,
      position,
      isOpenGraph: openGraph?.amountMinor === amountMinor,
      isLoose: loose?.amountMinor === amountMinor,
    };
  };
  const candidate = (price: Price, source: ProductSource): WeighedPrice => ({
    price,
    source,
    amountMinor: price.amountMinor,
    shown: undefined,
    stated: statementOf(price),
    isAnyStated,
  });
  const isStated = ({ position, isOpenGraph, isLoose }: Statement) => position > 0 || isOpenGraph || isLoose;
  const seen = prices
    .map((shown) => {
      const one = { ...candidate(shown.price, 'text'), shown };
      return isStruck(shown.element) ? { ...one, stated: UNSTATED } : one;
    })
    .filter(({ shown, stated }) => isStated(stated) || !lists.has(shown.block.element, LISTED_MIN));
  const struck = new Set(seen.flatMap(({ shown, amountMinor }) => (isStruck(shown.element) ? amountMinor : [])));
  const unseen = [
    ...offers.map((price) => candidate(price, main?.product.source ?? 'jsonld')),
    ...(openGraph ? [candidate(openGraph, 'og')] : []),
    ...(loose ? [candidate(loose, 'microdata')] : []),
  ];
  return [...seen, ...unseen.filter(({ amountMinor }) => !struck.has(amountMinor))];
}

/** The sale price stands before the price: the extension's `price` is the regular one where both are given. */
function openGraphPrice(openGraph: StatedAside['openGraph'], context: CurrencyContext): Price | undefined {
  const names = ['product:sale_price:amount', 'product:price:amount', 'og:price:amount', 'product:price', 'og:price'];
  const prices = names.flatMap((name) => openGraph[name]?.[0] ?? []).flatMap((text) => parsePrice(text, context) ?? []);
  return prices.find(({ amountMinor }) => amountMinor > 0);
}

/** Each amount of a currency once. */
export function distinctPrices(prices: readonly Price[]): readonly Price[] {
  return prices.filter((price, i) => prices.findIndex((other) => other.amount === price.amount && other.currency === price.currency) === i);
}
