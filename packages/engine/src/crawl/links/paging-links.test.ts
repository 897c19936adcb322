import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPageTurn } from './paging-links.ts';

test('takes for pagination what names itself a page, and what is declared and of the same make', () => {
  const cases: readonly (readonly [from: string, to: string, named: boolean, declared: boolean])[] = [
    ['/list', '/list?page=2', true, true],
    ['/list?page=2', '/list?page=3', true, true],
    ['/list?cat=1', '/list?cat=1&pg=2', true, true],
    ['/?p=11', '/?p=12', false, true],
    ['/p/11', '/p/12', false, true],
    ['/list?cat=1', '/list?cat=2&pg=2', false, true],
    ['/list?page=2', '/list?page=last', false, true],
    ['/list', '/list?id=2', false, true],
    ['/list?cursor=a', '/list?cursor=b', false, true],
    ['/list', '/list/page/2', true, true],
    ['/list/page/2', '/list/page/3/', true, true],
    ['/list/', '/list/page-2.html', true, true],
    ['/list/index.html', '/list/page-2.html', true, true],
    ['/list/2', '/list/3', false, true],
    ['/list', '/list/2', false, true],
    ['/list-2.html', '/list-3.html', false, true],
    ['/list', '/other/page/2', false, false],
    ['/product/3', '/product/4', false, true],
    ['/intro.html', '/install.html', false, false],
    ['/chapter-one', '/chapter-two', false, false],
    ['/list', 'https://other.test/list?page=2', false, false],
    ['/list?page=2', '/list?page=2', false, false],
  ];
  for (const [from, to, named, declared] of cases) {
    const page = new URL(from, 'https://shop.test');
    const target = new URL(to, 'https://shop.test').href;
    assert.deepEqual([isPageTurn(page, target, false), isPageTurn(page, target, true)], [named, declared], `${from} ${to}`);
  }
});
