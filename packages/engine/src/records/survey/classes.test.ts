import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stableClass, stableClasses, wordsOf } from './classes.ts';

const tokens: readonly (readonly [token: string, stable: string | undefined])[] = [
  ['result', 'result'],
  ['product-card__title', 'product-card__title'],
  ['col-3', 'col'],
  ['item1', 'item'],
  ['odd', undefined],
  ['row-even', undefined],
  ['is-active', undefined],
  ['first', undefined],
  ['lazyloaded', undefined],
  ['css-1a2b3c', undefined],
  ['post-18273', undefined],
  ['Card_title__aB3xZ', 'Card_title'],
  ['x', undefined],
];

for (const [token, stable] of tokens) {
  test(`keeps ${stable ?? 'nothing'} of ${token}`, () => {
    assert.equal(stableClass(token), stable);
  });
}

test('sorts stable classes and names each once', () => {
  assert.deepEqual(stableClasses(' result  card odd card item1 '), ['card', 'item', 'result']);
  assert.deepEqual(stableClasses(undefined), []);
});

test('splits names into words', () => {
  assert.deepEqual(wordsOf('searchResult-item_2 URL'), ['search', 'result', 'item', '2', 'url']);
});
