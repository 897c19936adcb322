import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTag } from 'domhandler';
import { parseTree } from '../../html/tree.ts';
import { expectedBest, nodesOf } from './choose.ts';
import { outlineOf } from './outline.ts';

const CASES: readonly (readonly [
  promise: string,
  probabilities: readonly number[],
  words: readonly number[],
  threshold: number,
  score: number,
])[] = [
  ['takes all that is certain', [1, 1], [10, 10], 0.5, 1],
  ['leaves out what is certainly not content', [1, 0], [10, 10], 0.5, 1],
  ['a doubtful page lowers the threshold', [0.4, 0.4], [10, 10], 0.2857, 0.5714],
  ['long blocks count for more than short ones', [0.9, 0.1], [100, 1], 0.4739, 0.9478],
  ['expects nothing of a page without blocks', [], [], 0, 0],
];
for (const [promise, probabilities, words, threshold, score] of CASES) {
  test(promise, () => {
    const best = expectedBest(probabilities, words);
    assert.ok(Math.abs(best.threshold - threshold) < 1e-3, `threshold ${best.threshold}`);
    assert.ok(Math.abs(best.score - score) < 1e-3, `score ${best.score}`);
  });
}

const chosenOf = (html: string, choose: (text: string) => boolean) => {
  const outline = outlineOf(parseTree(html, 'https://x.test/'));
  return nodesOf(
    outline,
    outline.blocks.map((block) => choose(block.text)),
  );
};
const namesOf = (nodes: Iterable<object>) => [...nodes].map((node) => ('name' in node ? node.name : 'text'));

test('roots at the smallest section round all that is chosen', () => {
  const { roots } = chosenOf('<div><main><p>yes</p><p>no</p><p>yes</p></main></div><p>no</p>', (text) => text === 'yes');
  assert.deepEqual(namesOf(roots), ['main']);
});

test('does not root inside a list, a table or a paragraph', () => {
  const { roots, excluded } = chosenOf('<div><ul><li>yes</li><li>no</li></ul></div>', (text) => text === 'yes');
  assert.deepEqual(namesOf(roots), ['div']);
  assert.deepEqual(namesOf(excluded), ['li']);
});

test('excludes a whole box where nothing in it is chosen, and a bare text where its neighbours are', () => {
  const { excluded } = chosenOf('<div><p>yes</p><aside><p>no</p><p>no</p></aside>no<p>yes</p></div>', (text) => text === 'yes');
  assert.deepEqual(namesOf(excluded), ['aside', 'text']);
});

test('keeps pictures, which have no text, where they stand', () => {
  const { excluded } = chosenOf('<div><p>yes</p><figure><img src="a.png"></figure></div>', () => true);
  assert.equal([...excluded].filter(isTag).length, 0);
});
