import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Price } from './price.ts';
import { priceOfNumber } from './price.ts';
import type { PriceRule } from './rules.ts';
import { decidePriceAlert } from './rules.ts';

const price = (amount: number, currency = 'EUR') => priceOfNumber(amount, currency) as Price;

/** Verdicts of a series of checks, each against the one before and the first as baseline. */
function alerts(amounts: readonly number[], rule: PriceRule): readonly boolean[] {
  const [first, ...rest] = amounts.map((amount) => price(amount));
  return rest.map((current, i) => decidePriceAlert(current, { previous: i === 0 ? first : rest[i - 1], baseline: first }, rule).alert);
}

describe('decidePriceAlert', () => {
  it('stays silent inside a band and speaks up outside it', () => {
    assert.deepEqual(alerts([950.95, 1000.45, 890.45, 820.45, 1890.45], { minMinor: 90000, maxMinor: 110010 }), [false, true, true, true]);
  });

  it('measures a percentage against the previous price', () => {
    assert.deepEqual(alerts([950.95, 960.45, 1960.45, 1950.45], { percent: 5 }), [false, true, false]);
  });

  it('catches slow creep against a baseline', () => {
    assert.deepEqual(alerts([1950, 2000, 2050, 2100], { percent: 5, against: 'baseline' }), [false, true, true]);
    assert.deepEqual(alerts([1950, 2000, 2050, 2100], { percent: 5 }), [false, false, false]);
  });

  it('gives the change in percent', () => {
    const verdict = decidePriceAlert(price(82), { previous: price(100), baseline: undefined }, {});
    assert.deepEqual(verdict, { alert: true, changePercent: -18, reason: 'changed' });
  });

  it('never compares a first price or another currency', () => {
    const none = decidePriceAlert(price(82), { previous: undefined, baseline: undefined }, {});
    assert.deepEqual(none, { alert: false, changePercent: undefined, reason: 'no_reference' });
    const other = decidePriceAlert(price(82, 'USD'), { previous: price(82), baseline: undefined }, { percent: 50 });
    assert.equal(other.reason, 'other_currency');
  });

  it('treats a free product as a price like any other', () => {
    assert.equal(decidePriceAlert(price(0), { previous: price(10), baseline: undefined }, { percent: 5 }).changePercent, -100);
    assert.equal(decidePriceAlert(price(10), { previous: price(0), baseline: undefined }, { percent: 5 }).alert, true);
  });
});
