import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRefreshTarget, parseRefresh } from './refresh.ts';

const URL_ = 'https://shop.test/a/';
const LONG = '<p>word and word</p>'.repeat(200);

function targetOf(html: string, headers: readonly (readonly [string, string])[] = [], contentType = 'text/html'): string | undefined {
  return findRefreshTarget(URL_, { status: 200, contentType, headers, body: new TextEncoder().encode(html) });
}

const meta = (content: string) => `<meta http-equiv="refresh" content="${content}">`;

test('follows a refresh as browsers do', () => {
  const cases: readonly (readonly [html: string, target: string | undefined])[] = [
    [meta('0; url=/b'), 'https://shop.test/b'],
    ['<META content="0;URL=en/" HTTP-EQUIV=Refresh>', 'https://shop.test/a/en/'],
    [
      `<!DOCTYPE html><html lang="de"><head><title>/de/</title><link rel="canonical" href="/de/">${meta('0; url=https://shop.test/de/')}`,
      'https://shop.test/de/',
    ],
    [meta('0;url=&quot;/c?x=1&amp;y=2&quot;'), 'https://shop.test/c?x=1&y=2'],
    [`<base href="/base/">${meta('0; url=d')}`, 'https://shop.test/base/d'],
    [meta('0, /e'), 'https://shop.test/e'],
    [meta('5; url=/f'), 'https://shop.test/f'],
    [`${meta('0; url=/g')}${LONG}`, 'https://shop.test/g'],
    [`${meta('5; url=/slide-2')}${LONG}`, undefined],
    [meta('300; url=/news'), undefined],
    [meta('0'), undefined],
    [meta('0; url=/a/#top'), undefined],
    [meta('0; url=javascript:alert(1)'), undefined],
    [`<noscript>${meta('0; url=/no-script')}</noscript>`, undefined],
    [`<!-- ${meta('0; url=/old')} -->`, undefined],
    [`<script>document.write('${meta('0; url=/x')}')</script>`, undefined],
    ['<p>To refresh, press F5</p>', undefined],
  ];
  for (const [html, target] of cases) assert.equal(targetOf(html), target, html);
});

test('reads the header of that name, and no text that only looks like a page', () => {
  assert.equal(targetOf('', [['refresh', '0;url=/h']]), 'https://shop.test/h');
  assert.equal(targetOf(meta('0; url=/b'), [], 'text/plain'), undefined);
});

test('reads the content of a refresh in its forms', () => {
  assert.deepEqual(parseRefresh("5; url='/next' "), { seconds: 5, address: '/next' });
  assert.deepEqual(parseRefresh('0.5;/next'), { seconds: 0, address: '/next' });
  assert.deepEqual(parseRefresh('.5;URL = /next'), { seconds: 0, address: '/next' });
  for (const none of ['', '5', 'url=/next', '5;', '-1;url=/x']) assert.equal(parseRefresh(none), undefined, none);
});
