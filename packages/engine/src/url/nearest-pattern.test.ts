import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearestPattern } from './nearest-pattern.ts';

test('proposes the pattern that was probably meant, as near as possible', () => {
  const urls = ['/product/1', '/product/2', '/shop/list/page', '/about?tab=a'].map((path) => `https://shop.test${path}`);
  const cases: readonly (readonly [pattern: string, nearest: string | undefined])[] = [
    ['/product', '/product/**'],
    ['/product/', '/product/**'],
    ['/shop/*', '/shop/**'],
    ['/prod', '/prod**'],
    ['/list', '**/list/**'],
    ['page', undefined],
    ['/list/page', '**/list/page'],
    ['regex:^/list', 'regex:/list'],
    ['/product/*', undefined],
    ['/nothing', undefined],
    ['**', undefined],
    ['regex:^(', undefined],
  ];
  for (const [pattern, nearest] of cases) assert.equal(nearestPattern(pattern, urls), nearest, pattern);
});
