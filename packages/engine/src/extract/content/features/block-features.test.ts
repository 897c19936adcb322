import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTree } from '../../../html/tree.ts';
import { BLOCK_FEATURE_NAMES, blockFeaturesOf, questionsFor } from './block-features.ts';
import { outlineOf } from '../outline.ts';
import { pageSignalsOf } from './page-signals.ts';

const PAGE = `<nav class="menu"><a href="/">Home</a></nav><article><h1>Comments on tea</h1><p class="intro">Read more about 3 teas, by hand.</p>
<ul><li>Green</li><li>Black</li><li>Green</li></ul><h2>Related reviews</h2><p>Cookies and consent.</p></article>`;
const tree = parseTree(`<title>Comments on tea</title><body>${PAGE}`, 'https://page.invalid/blog/tea');
const outline = outlineOf(tree);
const signals = pageSignalsOf(tree, outline);
const types = { article: 1, documentation: 0, service: 0, forum: 0, collection: 0, listing: 0, product: 0 };
const all = blockFeaturesOf(outline, signals, types);

test('reads every feature the same when nothing else is asked for', () => {
  const width = BLOCK_FEATURE_NAMES.length;
  for (const [at, name] of BLOCK_FEATURE_NAMES.entries()) {
    const alone = blockFeaturesOf(outline, signals, types, { questions: questionsFor(new Set([name])) });
    for (let place = at; place < all.length; place += width) assert.equal(alone[place], all[place], name);
  }
});

test('leaves room at the end of each row', () => {
  const width = BLOCK_FEATURE_NAMES.length + 2;
  const roomy = blockFeaturesOf(outline, signals, types, { width });
  assert.equal(roomy.length, outline.blocks.length * width);
  assert.deepEqual([...roomy.subarray(width - 2, width)], [0, 0]);
  assert.deepEqual(roomy.subarray(width, width + 3), all.subarray(BLOCK_FEATURE_NAMES.length, BLOCK_FEATURE_NAMES.length + 3));
});
