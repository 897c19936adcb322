import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '../../ports.ts';
import { isPageType, scanPage } from './scan-page.ts';

function pageOf(body: string, contentType: string | undefined, lane: Page['lane'] = 'http'): Page {
  const url = 'https://shop.test/a/';
  const fixed = {
    requestedUrl: url,
    url,
    status: 200,
    headers: [],
    laneReason: 'asked',
    redirects: [],
    optionsIgnored: [],
    fromCache: false,
  } as const;
  return { ...fixed, lane, contentType, body: new TextEncoder().encode(body), timings: { totalMs: 0 }, fetchedAtMs: 0 };
}

test('knows what a page can be made of', () => {
  const readable = ['text/html; charset=x', 'application/pdf', 'application/json', 'text/plain', 'application/xhtml+xml', undefined];
  const types = [...readable, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'];
  for (const type of types) assert.equal(isPageType(type, false), true, type);
  for (const type of ['image/png', 'video/mp4', 'application/octet-stream', 'application/zip', 'font/woff2'])
    assert.equal(isPageType(type, true), false, type);
  assert.deepEqual([isPageType('text/javascript', false), isPageType('text/css', true)], [false, true]);
});

test('finds links in HTML alone, also where the type is missing', () => {
  const html = '<a href="b">b</a>';
  assert.deepEqual(
    scanPage(pageOf(html, 'text/html')).links.map((link) => link.url),
    ['https://shop.test/a/b'],
  );
  assert.equal(scanPage(pageOf(html, undefined)).links.length, 1);
  assert.equal(scanPage(pageOf(html, 'text/plain')).links.length, 0);
});

test('tells pages without text apart by their markup, and documents by their bytes', () => {
  const hash = (body: string, type: string) => scanPage(pageOf(body, type)).contentHash;
  assert.notEqual(hash('<div id=a></div>', 'text/html'), hash('<div id=b></div>', 'text/html'));
  assert.notEqual(hash('{"a":1}', 'application/json'), hash('{"a":2}', 'application/json'));
  assert.equal(hash('{"a":1}', 'application/json'), hash('{"a":1}', 'application/json'));
});

test('keeps routes behind # for pages that a browser rendered', () => {
  const html = '<a href="#/cart">cart</a>';
  assert.equal(scanPage(pageOf(html, 'text/html', 'browser')).links.length, 1);
  assert.equal(scanPage(pageOf(html, 'text/html')).links.length, 0);
});

test('takes a route with the id of an element of its own page for a place in it', () => {
  const links = (hrefs: readonly string[], url: string) => {
    const html = `<h2 id="setup">Set up</h2><h2 id="安装">安装</h2>${hrefs.map((href) => `<a href="${href}">x</a>`).join('')}`;
    return scanPage({ ...pageOf(html, 'text/html', 'browser'), url }).links.map((link) => link.url.replace('https://shop.test/a/', ''));
  };
  const guide = 'https://shop.test/a/#/guide';
  assert.deepEqual(links(['#/guide?id=setup', '#/guide#setup', '#/guide?id=7', '#/other?id=setup'], guide), [
    '#/guide?id=7',
    '#/other?id=setup',
  ]);
  assert.deepEqual(links(['#/?id=setup', '#/guide?id=setup'], 'https://shop.test/a/'), ['#/guide?id=setup']);
  assert.deepEqual(links(['#/guide?id=安装'], guide), []);
});
