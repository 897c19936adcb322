// Tells the prices of one record apart: what it costs now, what it cost before, and what a unit of it costs.
import { wordsOf } from '../survey/classes.ts';
import { isStruck } from '../survey/leaves.ts';
import type { Slot } from '../align/slots.ts';

/** The part that a price plays in its record; `price` is what it costs now. */
export type PricePart = 'old_price' | 'unit_price';

/** Class words for a price that held before, where another price stands beside it. */
const FORMER = new Set(
  'old was before previous former regular list msrp rrp uvp original compare strike striked strikethrough crossed'.split(' '),
);
/** Units that prices are stated per: of the Unicode CLDR, in the spellings of shops. */
const PER_UNIT =
  /(?:\/|\bper|\bpro|\bje|\bpar|\bal|\bpor)\s*(?:\d+\s*)?(?:kg|g|mg|lbs?|pound|oz|ounce|l|lt|ltr|lit(?:re|er|ro)|ml|cl|m[²³23]?|sq\.?\s?ft|unit|piece|pcs?|st(?:ück|k)?|pièce|unidad|each|ea|sheet|wash|tablet|count|ct)\b/iu;
/** A former price that fewer records have than this share of what has the other one is a price of its own. */
const BESIDE_MIN = 0.9;

/** The part of `slot` among all `prices` of its list; undefined for what holds now. */
export function pricePartOf(slot: Slot, prices: readonly Slot[]): PricePart | undefined {
  if (isStruck(slot.key)) return 'old_price';
  const leaves = slot.values.flat();
  if (leaves.length > 0 && leaves.every(({ raw }) => PER_UNIT.test(raw))) return 'unit_price';
  const others = prices.filter((other) => other !== slot && !isStruck(other.key) && !isFormer(other));
  return isFormer(slot) && others.some((other) => other.filled >= slot.filled * BESIDE_MIN) ? 'old_price' : undefined;
}

function isFormer(slot: Slot): boolean {
  const classes = slot.values.find((leaves) => leaves.length > 0)?.[0]?.classes ?? [];
  return classes.slice(0, 3).some((token) => wordsOf(token).some((word) => FORMER.has(word)));
}
