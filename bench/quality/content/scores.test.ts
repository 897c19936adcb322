import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boost } from '../boosting.ts';
import { shinglePage, shingleTotal, wordPage } from './scores.ts';

test('a perfect text scores 1 by words and by shingles', () => {
  assert.equal(wordPage('a b c', 'A, b; C!'), 1);
  assert.equal(shingleTotal([shinglePage('a b c d e', 'a b c d e')]).f1, 1);
});
test('extra words cost precision and missing words recall', () => {
  assert.equal(wordPage('a b', 'a b c d'), 2 / 3);
  assert.equal(wordPage('a b c d', 'a b'), 2 / 3);
  assert.deepEqual(shinglePage('a b c d e', 'a b c d'), [0.5, 0, 0.5]);
});
test('an empty truth wants an empty text', () => {
  assert.equal(wordPage('', ''), 1);
  assert.equal(wordPage('', 'a'), 0);
  assert.equal(wordPage('a', ''), 0);
});
test('training learns which feature decides, and twice the same', () => {
  const rows = Array.from({ length: 400 }, (_, i) => Float32Array.from([i % 7, i % 2]));
  const labels = Float32Array.from(rows, (row) => row[1] ?? 0);
  const weights = new Float32Array(rows.length).fill(1);
  const options = { trees: 5, leaves: 3, rate: 0.5, leafWeightMin: 1, lambda: 1, rowShare: 0.8, featureShare: 1 };
  const model = boost({ rows, labels, weights }, ['noise', 'signal'], options);
  assert.deepEqual(model, boost({ rows, labels, weights }, ['noise', 'signal'], options));
  const [first] = model.trees;
  assert.ok(Array.isArray(first) && first[0] === 1);
});
