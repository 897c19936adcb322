import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dedupeKey, twinKinds } from './dedupe-key.ts';

const TWINS: readonly (readonly [string, string, string])[] = [
  ['https://shop.test/a', 'http://shop.test/a', 'scheme'],
  ['https://shop.test/a', 'https://www.shop.test/a', 'www'],
  ['https://shop.test/a', 'https://shop.test/a/', 'slash'],
  ['https://shop.test/a/', 'https://shop.test//a/', 'slash'],
  ['https://shop.test/', 'https://shop.test/index.html', 'index'],
  ['https://shop.test/a/', 'https://shop.test/a/index.php', 'index'],
  ['https://shop.test/a', 'https://shop.test/a/Default.aspx', 'index slash'],
  ['https://shop.test/a?x=1', 'https://shop.test/a?x=1&utm_source=mail', 'tracking'],
  ['https://shop.test/a', 'https://shop.test/a?gclid=1&fbclid=2', 'tracking'],
  ['https://shop.test/a', 'https://shop.test/a?', ''],
  ['https://shop.test/a', 'https://shop.test/a#part', ''],
  ['https://shop.test/a', 'https://SHOP.test:443/a', ''],
  ['https://shop.test/a', 'https://shop.test./a', ''],
  ['https://shop.test/a?x=1&y=2', 'https://shop.test/a?y=2&x=1', 'order'],
  ['https://shop.test/a?f=x&f=y', 'https://shop.test/a?f=y&f=x', 'values'],
  ['https://shop.test/a?f=x&p=2&f=y', 'https://shop.test/a?p=2&f=y&f=x', 'values order'],
  ['https://shop.test/a?id=1', 'https://shop.test/a?id=1&do=', 'empty'],
  ['https://shop.test/?route=/a/b', 'https://shop.test/?route=%2Fa%2fb', 'escapes'],
  ['https://shop.test/%7Eme', 'https://shop.test/~me', 'escapes'],
  ['https://shop.test/a%c3%a9', 'https://shop.test/a%C3%A9', 'escapes'],
  ['https://shop.test/?q=a+b', 'https://shop.test/?q=a%20b', 'escapes'],
  ['https://shop.test/?x=1&y=2', 'https://shop.test/?x=1&y=2&x=1', 'repeated'],
  ['https://shop.test/a', 'https://shop.test/a;jsessionid=8A?PHPSESSID=1', 'session'],
  ['https://shop.test/a', 'http://www.shop.test/a/?utm_id=3', 'scheme www slash tracking'],
];

test('gives twins one key and names how they differ', () => {
  for (const [left, right, kinds] of TWINS) {
    assert.equal(dedupeKey(left), dedupeKey(right), `${left} ${right}`);
    assert.equal(twinKinds(left, right).join(' '), kinds, `${left} ${right}`);
    assert.deepEqual(twinKinds(right, left), twinKinds(left, right));
  }
});

test('keeps apart what can be different pages', () => {
  const pairs = [
    ['https://shop.test/a', 'https://shop.test/A'],
    ['https://shop.test/a', 'https://shop.test:8443/a'],
    ['https://shop.test/a', 'https://docs.shop.test/a'],
    ['https://shop.test/a', 'https://shop.test/a?x=1'],
    ['https://shop.test/a?x=1', 'https://shop.test/a?x=2'],
    ['https://shop.test/?x=1&y=2', 'https://shop.test/?x=2&y=1'],
    ['https://shop.test/?x[]=1&x[]=1', 'https://shop.test/?x[]=1'],
    ['https://shop.test/a%2Fb', 'https://shop.test/a/b'],
    ['https://shop.test/index', 'https://shop.test/'],
    ['https://shop.test/a.html', 'https://shop.test/a'],
    ['https://www.test/a', 'https://test/a'],
    ['https://shop.test/a?page=1', 'https://shop.test/a?page=2'],
    ['https://shop.test/a?sort=sid', 'https://shop.test/a'],
  ] as const;
  for (const [left, right] of pairs) assert.notEqual(dedupeKey(left), dedupeKey(right), `${left} ${right}`);
});

test('keeps a route behind # only when asked, and never a mere place on the page', () => {
  assert.notEqual(dedupeKey('https://app.test/#/a', { hashRoutes: true }), dedupeKey('https://app.test/#/b', { hashRoutes: true }));
  assert.notEqual(dedupeKey('https://app.test/#!/a', { hashRoutes: true }), dedupeKey('https://app.test/', { hashRoutes: true }));
  assert.equal(dedupeKey('https://app.test/#/a'), dedupeKey('https://app.test/#/b'));
  assert.equal(dedupeKey('https://app.test/#top', { hashRoutes: true }), dedupeKey('https://app.test/', { hashRoutes: true }));
});

test('lets a text that is no URL stand for itself', () => {
  assert.equal(dedupeKey('not a url'), 'not a url');
  assert.deepEqual(twinKinds('not a url', 'https://shop.test/'), []);
});
