// Weighs stated prices against shown ones: what is stated counts most where the page shows it, too.
import type { CurrencyContext } from '../price/currency.ts';
import type { Price, PriceRange } from '../price/price.ts';
import { parsePrice } from '../price/price.ts';
import type { MainProduct } from './main-product.ts';
import type { ProductEvidence, ProductSource } from './evidence.ts';
import type { ShownPrice } from './shown-price.ts';

/** The price that was chosen and what it rests on. */
export interface PriceChoice {
  readonly price: Price | undefined;
  readonly range: PriceRange | undefined;
  readonly evidence: ProductEvidence | undefined;
  /** True where several prices are stated and nothing chooses between them. */
  readonly isAmbiguous: boolean;
  /** Where the page shows the chosen price; undefined where only data states it. */
  readonly blockIndex: number | undefined;
}

/** Prices that are stated, but not as offers of a product. */
export interface StatedAside {
  readonly openGraph: Readonly<Record<string, readonly string[]>>;
  /** A price marked up outside every item. */
  readonly loose: string | undefined;
}

interface Candidate {
  readonly price: Price;
  readonly source: ProductSource;
  readonly score: number;
  readonly blockIndex?: number;
}

/** A price of structured data that the page doesn't show scores this much; a shown one needs more to overrule it. */
const STATED_SCORE = 6.5;
const OPEN_GRAPH_SCORE = 5.5;
const LOOSE_SCORE = 6;
/** What a shown price gains by being stated. */
const AGREEMENT = 5;
/** A price that is only shown needs this score. */
const SHOWN_SCORE_MIN = 4;

/** The price of the product among stated, OpenGraph and shown prices. */
export function choosePrice(
  main: MainProduct | undefined,
  aside: StatedAside,
  shown: readonly ShownPrice[],
  context: CurrencyContext,
): PriceChoice {
  const offers = main?.offers ?? [];
  const stated = distinct(offers.flatMap((offer) => offer.price ?? []));
  const range = offers.find((offer) => offer.range)?.range ?? rangeOf(stated);
  const besides = asideCandidates(aside, context);
  const candidates = [
    ...statedCandidates(main, stated),
    ...besides,
    ...shownCandidates(shown, [...stated, ...besides.map((each) => each.price)]),
  ];
  const isAmbiguous =
    (main?.variants.length ?? 0) > 0 &&
    stated.length > 1 &&
    !candidates.some((each) => each.source === 'text' && each.score >= STATED_SCORE);
  if (isAmbiguous) return { price: undefined, range, evidence: undefined, isAmbiguous, blockIndex: undefined };
  const best = candidates.toSorted((a, b) => b.score - a.score)[0];
  return {
    price: best?.price,
    range,
    evidence: best && { field: 'price', source: best.source, raw: best.price.raw },
    isAmbiguous,
    blockIndex: best?.blockIndex,
  };
}

function statedCandidates(main: MainProduct | undefined, stated: readonly Price[]): readonly Candidate[] {
  if (!main) return [];
  return stated.map((price, i) => ({
    price,
    source: main.product.source,
    score: STATED_SCORE - i * 0.1 - (stated.length > 1 ? 1 : 0) - (price.amountMinor === 0 ? 4 : 0),
  }));
}

/** The sale price stands before the price: the extension's `price` is the regular one where both are given. */
function asideCandidates({ openGraph, loose }: StatedAside, context: CurrencyContext): readonly Candidate[] {
  const marked = loose === undefined ? undefined : parsePrice(loose, context);
  const names = ['product:sale_price:amount', 'product:price:amount', 'og:price:amount', 'product:price', 'og:price'];
  const price = names.flatMap((name) => openGraph[name]?.[0] ?? []).flatMap((text) => parsePrice(text, context) ?? [])[0];
  return [
    ...(marked && marked.amountMinor > 0 ? [{ price: marked, source: 'microdata' as const, score: LOOSE_SCORE }] : []),
    ...(price && price.amountMinor > 0 ? [{ price, source: 'og' as const, score: OPEN_GRAPH_SCORE }] : []),
  ];
}

/** A struck price doesn't gain from being stated: sale pages often state the old price. */
function shownCandidates(shown: readonly ShownPrice[], stated: readonly Price[]): readonly Candidate[] {
  return shown
    .map(({ price, score, isFormer, block }): Candidate => {
      const agrees = !isFormer && stated.some((each) => each.amount === price.amount);
      return { price, source: 'text', score: score + (agrees ? AGREEMENT : 0), blockIndex: block.index };
    })
    .filter((candidate) => candidate.score >= SHOWN_SCORE_MIN);
}

function distinct(prices: readonly Price[]): readonly Price[] {
  return prices.filter((price, i) => prices.findIndex((other) => other.amount === price.amount && other.currency === price.currency) === i);
}

function rangeOf(prices: readonly Price[]): PriceRange | undefined {
  const sorted = prices.toSorted((a, b) => a.amountMinor - b.amountMinor);
  const [low] = sorted;
  const high = sorted.at(-1);
  return low && high && high.amountMinor > low.amountMinor ? { low, high } : undefined;
}
