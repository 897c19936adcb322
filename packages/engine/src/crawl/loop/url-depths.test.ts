import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { UrlDepths } from './url-depths.ts';

describe('depths of addresses', () => {
  test('an address is new once, and again only when it is met nearer', () => {
    const depths = new UrlDepths();
    assert.deepEqual(
      [3, 3, 4, 2, 3, 0, 0].map((depth) => depths.lower('https://site.test/a', depth)),
      [true, false, false, true, false, true, false],
    );
  });

  test('20,000 addresses that differ in a number are told apart and remembered', () => {
    const depths = new UrlDepths();
    const urls = Array.from({ length: 20_000 }, (_, i) => `https://site.test/articles/${i}/index.html?page=${i % 7}`);
    assert.equal(urls.filter((url) => depths.lower(url, 1)).length, 20_000);
    assert.ok(urls.filter((url) => depths.lower(url, 1)).length < 100);
  });

  test('more addresses than there is room for push others out, and none is taken for another', () => {
    const depths = new UrlDepths();
    const isNew = (i: number) => depths.lower(`https://site.test/${i}`, 5);
    for (let i = 0; i < 300_000; i++) assert.ok(isNew(i), `address ${i}`);
  });
});
