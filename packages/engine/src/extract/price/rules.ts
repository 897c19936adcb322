// Decides whether a price that changed is worth an alert. Pure: the caller keeps previous values and baselines.
import type { Price } from './price.ts';

/** Bounds are in minor units; percentages are positive and inclusive. */
export interface PriceRule {
  /** Prices inside `[minMinor, maxMinor]` raise no alert. */
  readonly minMinor?: number;
  readonly maxMinor?: number;
  /** Smallest change that counts, in percent of the reference; any change counts where it is absent. */
  readonly percent?: number;
  /** What the change is measured against; `previous` where absent. A baseline also catches slow creep. */
  readonly against?: 'previous' | 'baseline';
}

/** What is compared of a price. */
export type Amount = Pick<Price, 'amountMinor' | 'currency'>;

/** The decision on one new price, with the reason for it. */
export interface PriceVerdict {
  readonly alert: boolean;
  /** Change against the reference in percent, unrounded; undefined without a comparable reference or with one of 0. */
  readonly changePercent: number | undefined;
  readonly reason: 'no_reference' | 'other_currency' | 'same' | 'inside_band' | 'below_percent' | 'changed';
}

/**
 * The verdict on `current`. A first price and a price in another currency than the reference are never compared.
 */
export function decidePriceAlert(
  current: Amount,
  known: { readonly previous: Amount | undefined; readonly baseline: Amount | undefined },
  rule: PriceRule,
): PriceVerdict {
  const reference = rule.against === 'baseline' ? known.baseline : known.previous;
  if (!reference) return { alert: false, changePercent: undefined, reason: 'no_reference' };
  if (reference.currency !== current.currency) return { alert: true, changePercent: undefined, reason: 'other_currency' };
  const changePercent = changePercentOf(reference, current);
  const reason = reasonOf(current, reference, changePercent, rule);
  return { alert: reason === 'changed', changePercent, reason };
}

function changePercentOf(reference: Amount, current: Amount): number | undefined {
  if (reference.amountMinor === 0) return undefined;
  return ((current.amountMinor - reference.amountMinor) / reference.amountMinor) * 100;
}

function reasonOf(current: Amount, reference: Amount, changePercent: number | undefined, rule: PriceRule): PriceVerdict['reason'] {
  if (current.amountMinor === reference.amountMinor) return 'same';
  const banded = rule.minMinor !== undefined || rule.maxMinor !== undefined;
  const inside = current.amountMinor >= (rule.minMinor ?? 0) && current.amountMinor <= (rule.maxMinor ?? Number.POSITIVE_INFINITY);
  if (banded && inside) return 'inside_band';
  if (rule.percent !== undefined && changePercent !== undefined && Math.abs(changePercent) < rule.percent) return 'below_percent';
  return 'changed';
}
