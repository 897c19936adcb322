import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTree } from '../html/tree.ts';
import { findMainContent } from './main-content.ts';
import { FIXTURE_PAGES } from './main-content.fixtures.ts';

for (const { type, html, url } of FIXTURE_PAGES) {
  test(`knows a ${type} page when it sees one`, () => assert.equal(findMainContent(parseTree(html, url)).pageType, type));
}

test('takes a page without text for an article', () => {
  assert.equal(findMainContent(parseTree('', 'https://x.test/')).pageType, 'article');
});
