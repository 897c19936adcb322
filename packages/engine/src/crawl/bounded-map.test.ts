import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BoundedMap } from './bounded-map.ts';

test('forgets what was set or used longest ago, and tells it', () => {
  const told: string[] = [];
  const map = new BoundedMap<string, number>(
    3,
    [
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ],
    (key, value) => told.push(`${key}${value}`),
  );
  map.set('a', 4);
  assert.equal(
    map.use('b', () => 9),
    2,
  );
  map.set('d', 5);
  assert.equal(
    map.use('e', () => 6),
    6,
  );
  assert.deepEqual(
    [...map],
    [
      ['b', 2],
      ['d', 5],
      ['e', 6],
    ],
  );
  assert.deepEqual(told, ['c3', 'a4']);
});

test('reading does not keep an entry', () => {
  const map = new BoundedMap<string, number>(2, [
    ['a', 1],
    ['b', 2],
  ]);
  assert.equal(map.get('a'), 1);
  map.set('c', 3);
  assert.deepEqual([...map.keys()], ['b', 'c']);
});
