import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTree } from '../../../html/tree.ts';
import { declaredOf } from './page-declared.ts';

const declared = (head: string) => declaredOf(parseTree(`<head>${head}</head>`, 'https://x.test/'));
const linked = (json: string) => declared(`<script type="application/ld+json">${json}</script>`);

test('reads title, description, Open Graph type and generator', () => {
  const found = declared(
    '<title> A </title><meta name=description content=B><meta property="og:type" content=Article><meta name=Generator content=Hugo>',
  );
  assert.deepEqual([found.title, found.description, found.openGraphType, found.generator], ['A', 'B', 'article', 'hugo']);
});
test('reads all types of JSON-LD', () => {
  assert.equal(linked('{"@graph":[{"@type":"WebPage"},{"@type":["Product","Thing"]}]}').types, '"webpage" ["product","thing"]');
});
test('reads the declared article body, also from broken JSON', () => {
  assert.equal(linked('{"articleBody":"He said \\"yes\\".",}').articleBody, 'He said "yes".');
});
test('gives nothing where an article body cannot be read', () => {
  assert.equal(linked('{"articleBody":"\\x"}').articleBody, '');
  assert.equal(declared('').articleBody, '');
});
