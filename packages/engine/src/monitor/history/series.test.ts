import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import type { JsonValue } from '../../html/loose-json.ts';
import { BucketedSeries, bucketStart } from './series.ts';
import type { RecordedValue, ValueBucket } from './series.ts';

const HOUR = 3_600_000;
const at = (hours: number, value: JsonValue | undefined): RecordedValue => ({ atMs: hours * HOUR, value });
const price = (amount: number, currency: string) => ({ amount_minor: amount, currency });

function bucketed(points: readonly RecordedValue[], untilHours: number, before?: RecordedValue): ValueBucket[] {
  const series = new BucketedSeries(HOUR, before);
  const ended = points.map((point) => series.take(point));
  return [...ended, series.close(untilHours * HOUR)].filter((bucket) => bucket !== undefined);
}

suite('a value in buckets', () => {
  test('counts for as long as it was so, the one from before too', () => {
    const [bucket] = bucketed([at(5.25, 20), at(5.75, 40)], 9, at(3, 10));
    assert.deepEqual(bucket, {
      atMs: 5 * HOUR,
      points: 2,
      first: 10,
      last: 40,
      numbers: { min: 10, max: 40, mean: 0.25 * 10 + 0.5 * 20 + 0.25 * 40 },
      currency: undefined,
    });
  });

  test('that became another at the very beginning was never the one before', () => {
    const [bucket] = bucketed([at(5, 20)], 9, at(3, 10));
    assert.deepEqual([bucket?.first, bucket?.numbers], [20, { min: 20, max: 20, mean: 20 }]);
  });

  test('is held until now alone in the bucket that goes on', () => {
    const [bucket] = bucketed([at(5, 10), at(5.5, 40)], 5.75);
    assert.equal(bucket?.numbers?.mean, (0.5 * 10 + 0.25 * 40) / 0.75);
  });

  test('of another currency begins a bucket of its own', () => {
    const buckets = bucketed([at(1, price(1000, 'EUR')), at(1.5, price(1100, 'USD')), at(1.75, undefined)], 2);
    assert.deepEqual(
      buckets.map(({ atMs, currency, points, numbers }) => [atMs / HOUR, currency, points, numbers]),
      [
        [1, 'EUR', 1, { min: 1000, max: 1000, mean: 1000 }],
        [1, 'USD', 2, { min: 1100, max: 1100, mean: 1100 }],
      ],
    );
  });

  test('that is no number has a first and a last', () => {
    const [bucket] = bucketed([at(1, 'a'), at(1.5, 'b')], 2);
    assert.deepEqual(bucket, { atMs: HOUR, points: 2, first: 'a', last: 'b', numbers: undefined, currency: undefined });
  });

  test('seen by a clock that was set back belongs to the time that it stood at', () => {
    const buckets = bucketed([at(5.5, 1), at(3, 2), at(5.75, 3)], 6);
    assert.deepEqual([buckets.length, buckets[0]?.points, buckets[0]?.last], [1, 3, 3]);
  });

  test('has the mean of a ruler laid on it, whatever it was', () => {
    const points = fc
      .array(fc.record({ minute: fc.integer({ min: 0, max: 300 }), value: fc.integer({ min: -50, max: 50 }) }), {
        minLength: 1,
        maxLength: 30,
      })
      .map((all) => all.toSorted((a, b) => a.minute - b.minute));
    fc.assert(
      fc.property(points, (all) => {
        const buckets = bucketed(
          all.map(({ minute, value }) => at(minute / 60, value)),
          6,
        );
        for (const { atMs, numbers } of buckets) {
          const minutes = Array.from({ length: 60 }, (_, i) => atMs / 60_000 + i);
          const held = minutes.flatMap((minute) => all.findLast((one) => one.minute <= minute)?.value ?? []);
          if (held.length === 0) continue;
          const mean = held.reduce((sum, value) => sum + value, 0) / held.length;
          assert.ok(Math.abs((numbers?.mean ?? Number.NaN) - mean) < 1e-9, `${numbers?.mean} is not ${mean}`);
        }
        const starts = new Set(all.map(({ minute }) => bucketStart(minute * 60_000, HOUR)));
        assert.deepEqual(
          buckets.map(({ atMs }) => atMs),
          [...starts],
        );
      }),
    );
  });
});
