import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BLOCK_FEATURE_NAMES } from './features/block-features.ts';
import { FIRST_WEIGHTS } from './generated/first-weights.ts';
import { SECOND_WEIGHTS } from './generated/second-weights.ts';
import { TYPE_WEIGHTS } from './generated/type-weights.ts';
import { SECOND_FEATURE_NAMES } from './judge.ts';
import { PAGE_SIGNAL_NAMES } from './features/page-signals.ts';
import type { TreeModel } from './trees.ts';
import { compileModel, scoreRow, sigmoid } from './trees.ts';

const MODEL: TreeModel = { features: ['a', 'b'], bias: 1, trees: [[0, 5, [1, 0, -1, 2], 4], 10] };
const CASES: readonly (readonly [row: readonly number[], score: number])[] = [
  [[5, 0], 10],
  [[5, 1], 13],
  [[6, 0], 15],
];
for (const [row, score] of CASES) {
  test(`adds the leaves that ${JSON.stringify(row)} falls into`, () => {
    assert.equal(scoreRow(compileModel(MODEL, ['a', 'b']), Float32Array.from(row)), score);
  });
}

test('refuses weights that were trained on other features', () => {
  assert.throws(() => compileModel(MODEL, ['b', 'a']), RangeError);
});

test('a score of 0 is an even chance', () => assert.equal(sigmoid(0), 0.5));

test('the stored weights fit the features of the code', () => {
  compileModel(FIRST_WEIGHTS, BLOCK_FEATURE_NAMES);
  compileModel(SECOND_WEIGHTS, SECOND_FEATURE_NAMES);
  for (const model of Object.values(TYPE_WEIGHTS)) compileModel(model, PAGE_SIGNAL_NAMES);
});
