import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutTracking } from './query-noise.ts';

test('leaves out what only tracking uses, and nothing else of an address', () => {
  const cases = [
    ['https://a.test/p?utm_source=x&id=1&utm_medium=y', 'https://a.test/p?id=1'],
    ['https://a.test/p?gclid=1', 'https://a.test/p'],
    ['https://a.test/p?b=2&a=%20x+y&fbclid=1#c', 'https://a.test/p?b=2&a=%20x+y#c'],
    ['https://a.test/p/?mc_cid=1&mc_eid=2&', 'https://a.test/p/'],
    ['https://a.test/p?_hsenc=1&msclkid=2&mtm_campaign=3&pk_kwd=4&yclid=5&igshid=6&mkt_tok=7&_gl=8&srsltid=9', 'https://a.test/p'],
    ['https://a.test/p?UTM_Source=x&A=1', 'https://a.test/p?A=1'],
  ] as const;
  for (const [url, left] of cases) assert.equal(withoutTracking(url)?.url, left);
});

test('leaves an address as it is that has nothing of the kind', () => {
  const urls = [
    '/p',
    '/p?',
    '/p?page=2',
    '/p?spm=1',
    '/p?ref=x',
    '/p?pk_id=1',
    '/p?my_utm_source=1',
    '/p?q=utm_source=1',
    '/utm_source=1',
    '/p?s=gclid',
  ];
  for (const url of urls) assert.equal(withoutTracking(`https://a.test${url}`), undefined, url);
});
