// Decides whether a product can be bought, from what its data states and what stands in its buy box.
import type { PageText } from '../product/page-text.ts';
import type { BuyBox } from './buy-box.ts';
import { findBuyBox, gapTo } from './buy-box.ts';
import { findPhrase } from './phrases.ts';
import type { TextSign } from './sign.ts';
import { WEIGHT } from './sign.ts';
import type { Availability, AvailabilityEvidence, AvailabilitySource, AvailabilityState } from './state.ts';
import { isBuyable, stateOfTerm } from './state.ts';
import { readQuantity, readStatements } from './statements.ts';

/** What structured data says of one offer. */
export interface StatedAvailability {
  readonly source: AvailabilitySource;
  /** The term as written: `https://schema.org/InStock`. */
  readonly term: string;
}

/** Blocks by which a statement may be nearer to the product than a buy button that still overrules it: from 6 to 50 measure the same. */
const NEARER_BLOCKS = 12;
/** Longer terms are sentences. */
const TERM_CHARS_MAX = 100;

/**
 * The availability of the product that the page is about. `stated` are the offers in question: one that can be bought makes the product
 * available. A plain statement near the heading that it can't be bought overrules them, unless a working buy button stands as near (pages
 * keep hidden texts for the other case). `priceIndex` is the block in which the page shows the price; a price alone says nothing: what is sold out
 * keeps its own. Where statement and data differ, `conflict` is set.
 */
export function readAvailability(page: PageText, stated: readonly StatedAvailability[], priceIndex?: number): Availability {
  const box = findBuyBox(page, priceIndex);
  const offers = stated.flatMap((offer) => evidenceOfOffer(offer) ?? []);
  const statements = readStatements(box).filter((sign) => isBuyable(sign.state) || !isOverruled(sign, box));
  const byData = offers.find((offer) => isBuyable(offer.state)) ?? offers[0];
  const byText = strongest([...statements, ...box.buttons]);
  const winner = decide(byData, byText);
  const evidence = [winner, byData, byText].filter((sign) => sign !== undefined);
  return {
    state: winner?.state ?? 'unknown',
    evidence: [...new Set(evidence)].map(({ source, state, phrase }) => ({ source, state, phrase })),
    conflict: byData !== undefined && isStatement(byText) && isBuyable(byData.state) !== isBuyable(byText.state),
    quantity: readQuantity(box),
  };
}

/**
 * Whether a change of state is worth an alert. `in_stock_only` speaks up only when something can be bought again.
 */
export function decideAvailabilityAlert(
  previous: AvailabilityState | undefined,
  current: AvailabilityState,
  rule: 'any_change' | 'in_stock_only',
): boolean {
  if (previous === undefined || current === 'unknown' || previous === current) return false;
  return rule === 'any_change' || (isBuyable(current) && !isBuyable(previous));
}

/** The state that an offer states; undefined for a term that says none. */
export function evidenceOfOffer({ source, term }: StatedAvailability): AvailabilityEvidence | undefined {
  const phrase = term.slice(0, TERM_CHARS_MAX);
  const state = stateOfTerm(phrase) ?? findPhrase(phrase)?.state;
  return state && { source, state, phrase };
}

function isOverruled(sign: TextSign, box: BuyBox): boolean {
  const reach = gapTo(sign.index, box.anchors) + NEARER_BLOCKS;
  return box.buttons.some((button) => button.weight >= WEIGHT.buyButton && gapTo(button.index, box.anchors) <= reach);
}

/** Text wins only where it is a plain statement; that few are left is taken from a short text, too. */
function decide(byData: AvailabilityEvidence | undefined, byText: TextSign | undefined): AvailabilityEvidence | undefined {
  if (!byData || !byText) return byData ?? byText;
  if (isBuyable(byData.state) !== isBuyable(byText.state)) return isStatement(byText) ? byText : byData;
  const isRefined = byData.state === 'in_stock' && byText.state === 'limited' && byText.weight >= WEIGHT.shortText;
  return isRefined ? byText : byData;
}

function isStatement(sign: TextSign | undefined): sign is TextSign {
  return sign !== undefined && sign.weight >= WEIGHT.statement;
}

function strongest(signs: readonly TextSign[]): TextSign | undefined {
  let best: TextSign | undefined;
  for (const sign of signs) if (!best || sign.weight > best.weight || isOpenVariant(sign, best)) best = sign;
  return best;
}

/** Among variants one that can be bought is enough. */
function isOpenVariant(sign: TextSign, best: TextSign): boolean {
  return sign.weight === WEIGHT.aside && best.weight === WEIGHT.aside && isBuyable(sign.state) && !isBuyable(best.state);
}
