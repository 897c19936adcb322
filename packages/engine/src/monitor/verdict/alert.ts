// Decides by the rule of an extractor whether a value that changed is worth telling.
import type { AlertRule, ExtractorType } from '@weft/contract';
import { decideAvailabilityAlert } from '../../extract/availability/availability.ts';
import type { AvailabilityState } from '../../extract/availability/state.ts';
import { minorDigitsOf } from '../../extract/price/currency.ts';
import { decidePriceAlert } from '../../extract/price/rules.ts';
import type { Amount, PriceVerdict } from '../../extract/price/rules.ts';
import type { JsonValue } from '../../html/loose-json.ts';
import { isMembers } from '../../run/value.ts';
import { compareVersions } from './versions.ts';

/** What a rule says of a change. */
export interface AlertVerdict {
  readonly told: boolean;
  /** A sentence with the values and limits that decided. */
  readonly reason: string;
  /** Against what the rule measures; undefined where that is no number or 0. */
  readonly percent: number | undefined;
}

/** The values that a rule looks at; undefined where there is none. */
export interface AlertValues {
  readonly now: JsonValue | undefined;
  readonly last: JsonValue | undefined;
  readonly baseline: JsonValue | undefined;
}

/** The verdict of `rule` on a change of a value of `type`. */
export function decideAlert(type: ExtractorType, values: AlertValues, rule: AlertRule): AlertVerdict {
  if (type === 'availability') return decideStock(values, rule);
  const order = rule.direction === undefined ? undefined : compareValues(type, values.now, values.last);
  if (order !== undefined && (rule.direction === 'up' ? order <= 0 : order >= 0))
    return { told: false, reason: `It went ${order < 0 ? 'down' : 'up'}, and only ${rule.direction} is told.`, percent: undefined };
  const amounts = { now: amountOf(values.now), last: amountOf(values.last), baseline: amountOf(values.baseline) };
  if (!amounts.now) return { told: true, reason: 'It changed.', percent: undefined };
  const units = type === 'price' ? 10 ** minorDigitsOf(amounts.now.currency) : 1;
  const { min, max, percent, against } = rule;
  const { alert, changePercent, reason } = decidePriceAlert(
    amounts.now,
    { previous: amounts.last, baseline: amounts.baseline },
    {
      ...(min === undefined ? {} : { minMinor: Math.round(min * units * 1e6) / 1e6 }),
      ...(max === undefined ? {} : { maxMinor: Math.round(max * units * 1e6) / 1e6 }),
      ...(percent === undefined ? {} : { percent }),
      against: against === 'baseline' ? 'baseline' : 'previous',
    },
  );
  // Without a value to measure against, a change that no percentage is asked of is told all the same.
  const told = alert || (reason === 'no_reference' && percent === undefined);
  return { told, reason: sentenceOf(reason, rule, changePercent, amounts.now.amountMinor / units), percent: changePercent };
}

function sentenceOf(reason: PriceVerdict['reason'], rule: AlertRule, percent: number | undefined, amount: number): string {
  const against = rule.against === 'baseline' ? 'the baseline' : 'the value before';
  const change = percent === undefined ? 'It changed' : `${percent < 0 ? '' : '+'}${percent.toFixed(2)} % against ${against}`;
  switch (reason) {
    case 'no_reference':
      return `There is no ${rule.against === 'baseline' ? 'baseline' : 'value before'} to measure against.`;
    case 'other_currency':
      return "The currency is another one, and amounts can't be compared.";
    case 'same':
      return `It equals ${against}.`;
    case 'inside_band':
      return `${amount} is inside ${rule.min ?? 'anything'} to ${rule.max ?? 'anything'}, and nothing inside is told.`;
    case 'below_percent':
      return `${change} is less than ${rule.percent} %.`;
    case 'changed':
      return rule.percent === undefined ? `${change}.` : `${change}, and from ${rule.percent} % on it is told.`;
  }
}

/** Prices and plain numbers; undefined for everything else. */
function amountOf(value: JsonValue | undefined): Amount | undefined {
  if (typeof value === 'number') return { amountMinor: value, currency: undefined };
  if (!isMembers(value) || typeof value['amount_minor'] !== 'number') return undefined;
  const { amount_minor: amountMinor, currency } = value;
  return { amountMinor, currency: typeof currency === 'string' ? currency : undefined };
}

function decideStock({ now, last }: AlertValues, rule: AlertRule): AlertVerdict {
  const [current, previous] = [stateOf(now), stateOf(last)];
  const quiet = (reason: string): AlertVerdict => ({ told: false, reason, percent: undefined });
  if (current === undefined || current === 'unknown') return quiet('The page does not say whether it can be bought.');
  const isTold = decideAvailabilityAlert(previous, current, rule.in_stock_only === true ? 'in_stock_only' : 'any_change');
  const from = `From ${previous ?? 'nothing known'} to ${current}`;
  return isTold ? { told: true, reason: `${from}.`, percent: undefined } : quiet(`${from}, and only what can be bought again is told.`);
}

function stateOf(value: JsonValue | undefined): AvailabilityState | undefined {
  // Readings hold no other states.
  return isMembers(value) && typeof value['state'] === 'string' ? (value['state'] as AvailabilityState) : undefined;
}

/** Below 0 where `now` is less than `last`, above where it is more; undefined where they have no order. */
function compareValues(type: ExtractorType, now: JsonValue | undefined, last: JsonValue | undefined): number | undefined {
  const [a, b] = [amountOf(now), amountOf(last)];
  if (a && b) return a.amountMinor - b.amountMinor;
  if (typeof now !== 'string' || typeof last !== 'string') return undefined;
  if (type === 'version') return compareVersions(now, last);
  return now < last ? -1 : now > last ? 1 : 0;
}
