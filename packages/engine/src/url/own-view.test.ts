import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOwnView } from './own-view.ts';

const at = (path: string) => `https://app.test${path}`;

test('sees another view of a page by the query or the name of the page that links to it', () => {
  const views: readonly (readonly [url: string, parent: string])[] = [
    ['/doku.php?id=herbs:bean&do=recent', '/doku.php?id=herbs:bean'],
    ['/doku.php?do=revisions&id=start', '/doku.php'],
    ['/list?cat=5&sort=name', '/list?cat=5'],
    ['/index.php?title=Bean&action=history', '/wiki/Bean'],
    ['/index.php?title=Special:Log&page=Main+Page', '/wiki/Main_Page'],
    ['/wiki/Special:WhatLinksHere/Main_Page', '/wiki/Main_Page'],
  ];
  for (const [url, parent] of views) assert.equal(isOwnView(at(url), at(parent)), true, url);
});

test('takes pages for pages', () => {
  const pages: readonly (readonly [url: string, parent: string | undefined])[] = [
    ['/doku.php?id=herbs:chicory', '/doku.php?id=herbs:bean'],
    ['/doku.php?id=herbs:bean', '/doku.php'],
    ['/wiki/Chicory', '/wiki/Bean'],
    ['/wiki/Category:Herbs', '/wiki/Bean'],
    ['/docs/intro/setup', '/docs/intro'],
    ['/list?page=2', '/list'],
    ['/index.php?id=5', undefined],
  ];
  for (const [url, parent] of pages) assert.equal(isOwnView(at(url), parent === undefined ? undefined : at(parent)), false, url);
  assert.equal(isOwnView('https://other.test/x?title=Bean&a=b', at('/wiki/Bean')), false);
});
