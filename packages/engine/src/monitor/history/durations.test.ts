import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { TooManyBuckets, addUpStates } from './durations.ts';
import type { RecordedState } from './durations.ts';

const HOUR = 3_600_000;
const at = (hours: number, state: string | undefined): RecordedState => ({ atMs: hours * HOUR, state });
const inHours = (sums: ReadonlyMap<string, number>) => Object.fromEntries([...sums].map(([state, ms]) => [state, ms / HOUR]));
const ALL = { sinceMs: undefined, untilMs: 10 * HOUR, bucketMs: undefined };
const SHELF = [at(1, 'in'), at(2, 'in'), at(3, 'out'), at(7, 'in')];

suite('durations in states', () => {
  test('are added up, from when to when', () => {
    const { fromMs, total, spans } = addUpStates(SHELF, ALL);
    assert.deepEqual([fromMs, inHours(total)], [HOUR, { in: 5, out: 4 }]);
    assert.deepEqual(
      spans.map(({ state, fromMs: from, toMs: to }) => [state, from / HOUR, to / HOUR]),
      [
        ['in', 1, 3],
        ['out', 3, 7],
        ['in', 7, 10],
      ],
    );
  });

  test('count from "since" on, also of a state that began before', () => {
    const { fromMs, total } = addUpStates(SHELF, { ...ALL, sinceMs: 2.5 * HOUR });
    assert.deepEqual([fromMs, inHours(total)], [2.5 * HOUR, { in: 3.5, out: 4 }]);
  });

  test('are divided among buckets', () => {
    const { buckets } = addUpStates(SHELF, { ...ALL, bucketMs: 4 * HOUR });
    assert.deepEqual(
      [...buckets].map(([start, states]) => [start / HOUR, inHours(states)]),
      [
        [0, { in: 2, out: 1 }],
        [4, { out: 3, in: 1 }],
        [8, { in: 2 }],
      ],
    );
  });

  test('leave out the time of which nothing is known', () => {
    const { total } = addUpStates([at(1, 'in'), at(2, undefined), at(9, 'in')], ALL);
    assert.deepEqual(inHours(total), { in: 2 });
  });

  test('name the newest thousand spans and count the others', () => {
    const flips = Array.from({ length: 5001 }, (_, i) => ({ atMs: i, state: i % 2 === 0 ? 'in' : 'out' }));
    const { spans, spansLeftOut, total } = addUpStates(flips, { ...ALL, untilMs: 5001 });
    assert.deepEqual([spans.length, spansLeftOut, spans.at(-1)?.toMs], [1000, 4001, 5001]);
    assert.deepEqual([total.get('in'), total.get('out')], [2501, 2500]);
  });

  test('of more buckets than are counted are refused before they are made', () => {
    assert.throws(() => addUpStates([at(0, 'in')], { ...ALL, untilMs: 20_000 * HOUR, bucketMs: HOUR }), TooManyBuckets);
  });
});
