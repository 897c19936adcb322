import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createCookieStore } from './cookies.ts';

const A = 'https://www.shop.example/cart/view';

describe('a cookie store', () => {
  const rows: readonly (readonly [promise: string, setCookie: string, askedUrl: string, header: string])[] = [
    ['sends a cookie back', 'a=1', A, 'a=1'],
    ['keeps a host cookie from a subdomain', 'a=1', 'https://x.www.shop.example/cart/', ''],
    ['gives a domain cookie to a subdomain', 'a=1; Domain=shop.example', 'https://x.shop.example/cart/', 'a=1'],
    ['refuses a domain cookie of another site', 'a=1; Domain=other.example', 'https://other.example/cart/', ''],
    ['F35 refuses a cookie for a public suffix', 'a=1; Domain=co.uk; Path=/', 'https://other.co.uk/', ''],
    ['keeps a Secure cookie from plain http', 'a=1; Secure', 'http://www.shop.example/cart/', ''],
    ['gives a path cookie to its path', 'a=1; Path=/cart', 'https://www.shop.example/cart/x', 'a=1'],
    ['keeps a path cookie from another path', 'a=1; Path=/cart', 'https://www.shop.example/other', ''],
    ['drops an expired cookie', 'a=1; Max-Age=0', A, ''],
    ['drops what is no cookie', '\u{1}', A, ''],
    ['drops an empty line', '', A, ''],
    ['takes a value without a name as browsers do', 'justvalue', A, 'justvalue'],
    ['F35 drops a line of more than 4,096 bytes', `a=${'x'.repeat(5_000)}`, A, ''],
    ['refuses a __Host- cookie with a domain', '__Host-a=1; Secure; Path=/; Domain=shop.example', A, ''],
    ['takes a correct __Host- cookie', '__Host-a=1; Secure; Path=/', A, '__Host-a=1'],
  ];
  for (const [promise, setCookie, askedUrl, header] of rows) {
    test(promise, () => {
      const store = createCookieStore();
      store.keep(askedUrl.includes('co.uk') ? 'https://site.co.uk/' : A, [setCookie]);
      assert.equal(store.headerFor(askedUrl), header);
    });
  }

  test('replaces a cookie of the same name', () => {
    const store = createCookieStore();
    store.keep(A, ['a=1', 'a=2']);
    assert.equal(store.headerFor(A), 'a=2');
  });

  test('F35 holds at most 180 cookies of one host, and still replaces those', () => {
    const store = createCookieStore();
    store.keep(
      A,
      Array.from({ length: 5_000 }, (_, i) => `c${i}=1`),
    );
    store.keep(A, ['extra=1', 'c0=new']);
    assert.equal(store.records().length, 180);
    assert.match(store.headerFor(A), /c0=new/);
  });

  test('F35 sends at most 32 KB of cookies', () => {
    const store = createCookieStore();
    store.keep(
      A,
      Array.from({ length: 180 }, (_, i) => `c${i}=${'x'.repeat(4_000)}`),
    );
    assert.ok(store.headerFor(A).length <= 32_768);
    assert.notEqual(store.headerFor(A), '');
  });

  test('F35 holds at most 3,000 cookies in all', () => {
    const store = createCookieStore();
    for (let host = 0; host < 40; host++)
      store.keep(
        `https://h${host}.example/`,
        Array.from({ length: 100 }, (_, i) => `c${i}=1`),
      );
    assert.equal(store.records().length, 3_000);
  });

  test('can be written down and read back', () => {
    const store = createCookieStore();
    store.keep(A, [
      'a=1; Domain=shop.example; Path=/; Secure; HttpOnly; SameSite=Strict; Expires=Fri, 01 Jan 2100 00:00:00 GMT',
      'b=2; Path=/',
    ]);
    const records = store.records();
    assert.deepEqual(records, [
      {
        name: 'a',
        value: '1',
        domain: '.shop.example',
        path: '/',
        expires: 4_102_444_800,
        httpOnly: true,
        secure: true,
        sameSite: 'Strict',
      },
      { name: 'b', value: '2', domain: 'www.shop.example', path: '/', expires: -1, httpOnly: false, secure: false, sameSite: 'Lax' },
    ]);
    const copy = createCookieStore(records);
    assert.deepEqual(copy.records(), records);
    assert.equal(copy.headerFor('https://www.shop.example/'), 'a=1; b=2');
    assert.equal(copy.headerFor('https://x.shop.example/'), 'a=1');
  });
});
