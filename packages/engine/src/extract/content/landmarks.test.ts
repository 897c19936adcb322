import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTree } from '../../html/tree.ts';
import { LANDMARK, LANDMARK_NAMES } from './landmarks.ts';
import { outlineOf } from './outline.ts';

const CASES: readonly (readonly [promise: string, html: string, names: readonly string[]])[] = [
  ['knows sectioning elements', '<main><article><section>x', ['article', 'main', 'section']],
  ['knows roles', '<div role="Navigation">x', ['nav']],
  ['a header outside of main is the banner', '<header>x', ['header']],
  ['a header inside an article is not', '<article><header>x', ['article', 'innerHeader']],
  ['a footer inside main is not the page footer', '<main><footer>x', ['main', 'innerFooter']],
  ['knows the properties that mark body text', '<div itemprop="articleBody">x', ['body']],
  ['knows modal dialogs', '<div aria-modal="true">x', ['dialog']],
  ['knows muted parts', '<div aria-hidden="true">x', ['muted']],
  ['plain boxes have none', '<div><p>x', []],
];
for (const [promise, html, names] of CASES) {
  test(promise, () => {
    const landmarks = outlineOf(parseTree(html, 'https://x.test/')).blocks[0]?.box.landmarks ?? 0;
    const found = LANDMARK_NAMES.filter((_, bit) => (landmarks >> bit) & 1);
    assert.deepEqual(found, names);
  });
}

test('names landmarks in the order of their bits', () => {
  assert.deepEqual(
    LANDMARK_NAMES.map((_, bit) => 1 << bit),
    Object.values(LANDMARK),
  );
});
