// Chooses the price of the product among stated, OpenGraph and shown prices, by fitted weights.
import { compileModel, scoreRow, sigmoid } from '../content/trees.ts';
import type { Price, PriceRange } from '../price/price.ts';
import { parsePriceRange } from '../price/price.ts';
import type { ProductEvidence } from './evidence.ts';
import { PRICE_ANSWER_MIN, PRICE_WEIGHTS } from './generated/price-weights.ts';
import type { MainProduct } from './main-product.ts';
import type { WeighedPrice } from './price-candidates.ts';
import { distinctPrices } from './price-candidates.ts';
import { PRICE_FEATURES, priceRows } from './price-features.ts';
import type { ShownPrice, ShownPrices } from './shown-price.ts';

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

const model = compileModel(PRICE_WEIGHTS, PRICE_FEATURES);

/** The price of the product; undefined where nothing is likely enough, or where variants differ and nothing shown tells between them. */
export function choosePrice(candidates: readonly WeighedPrice[], shown: ShownPrices, main: MainProduct | undefined): PriceChoice {
  const offers = main?.offers ?? [];
  const stated = distinctPrices(offers.flatMap((offer) => offer.price ?? []));
  const range = offers.find((offer) => offer.range)?.range ?? rangeOf(stated);
  const scores = priceRows(candidates, shown).map((row) => sigmoid(scoreRow(model, row)));
  const at = scores.indexOf(Math.max(...scores));
  // Data that nothing shown competes with is believed.
  const isLikely = (scores[at] ?? 0) >= PRICE_ANSWER_MIN || candidates.every((candidate) => !candidate.shown);
  const best = isLikely ? candidates[at] : undefined;
  const isAmbiguous = (main?.variants.length ?? 0) > 0 && stated.length > 1 && best?.source !== 'text';
  if (isAmbiguous || !best) return { price: undefined, range, evidence: undefined, isAmbiguous, blockIndex: undefined };
  const { price, source, shown: place } = best;
  const evidence = { field: 'price' as const, source, raw: price.raw };
  return { price, range: range ?? shownRange(price, place), evidence, isAmbiguous, blockIndex: place?.block.index };
}

/** The range that a block gives of which the price is one end. */
function shownRange(price: Price, place: ShownPrice | undefined): PriceRange | undefined {
  const range = place && parsePriceRange(place.block.text, { currency: price.currency });
  return range && [range.low, range.high].some(({ amount }) => amount === price.amount) ? range : undefined;
}

function rangeOf(prices: readonly Price[]): PriceRange | undefined {
  const sorted = prices.toSorted((a, b) => a.amountMinor - b.amountMinor);
  const [low] = sorted;
  const high = sorted.at(-1);
  return low && high && high.amountMinor > low.amountMinor ? { low, high } : undefined;
}
