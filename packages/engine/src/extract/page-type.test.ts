import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTree } from '../html/tree.ts';
import { FIXTURE_PAGES } from './main-content.fixtures.ts';
import { decidePageType } from './page-type.ts';

for (const { type, html, url } of FIXTURE_PAGES) {
  test(`knows a ${type} page when it sees one`, () => assert.equal(decidePageType(parseTree(html, url)), type));
}

test('takes a page without text for an article', () => {
  assert.equal(decidePageType(parseTree('', 'https://x.test/')), 'article');
});
