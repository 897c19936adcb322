// Pages and selectors that are made to hurt (F38 to F43): each costs one clear error or a quick answer, and no other page anything.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { PageError } from '@weft/engine';
import type { ViewPool } from '@weft/engine/io';
import { createViewPool } from '@weft/engine/io';
import type { PageFormat } from '@weft/contract';
import { PAGE_FORMATS } from '../../packages/contract/src/groups/crawl/page.ts';

const SIGNAL = new AbortController().signal;
const sourceOf = (html: string) => ({
  url: 'https://x.test/',
  body: new TextEncoder().encode(html),
  contentType: 'text/html; charset=utf-8',
});
const views = (html: string, formats: readonly PageFormat[] = PAGE_FORMATS) =>
  ({ source: sourceOf(html), formats, onlyMainContent: true }) as const;
const ORDINARY = '<title>Plain</title><main><h1>Plain</h1><p>An ordinary page with a sentence in it.</p></main>';

/** `code` where the page must be refused; undefined where it must be read. */
const PAGES: readonly (readonly [name: string, html: () => string, code: string | undefined])[] = [
  ['50,000 nested elements', () => `${'<div>'.repeat(50_000)}x`, undefined],
  ['20,000 nested tables', () => `${'<table><tr><td>'.repeat(20_000)}x`, undefined],
  ['20,000 formatting elements that are reopened in each paragraph', () => `${'<b><i>'.repeat(20_000)}${'<p>x'.repeat(200)}`, undefined],
  [
    'a million attributes on an element',
    () => `<p ${Array.from({ length: 1_000_000 }, (_, i) => `a${i}`).join(' ')}>x`,
    'page_too_complex',
  ],
  ['5 million siblings', () => '<p>a'.repeat(5_000_000), 'page_too_complex'],
  ['100,000 tables', () => '<table><tr><td>a</table>'.repeat(100_000), undefined],
  ['100,000 list items', () => `<ul>${'<li><a href="/x">y</a> $5'.repeat(100_000)}</ul>`, undefined],
  ['an unfinished comment of 10 MB', () => `<!--${'-'.repeat(10_000_000)}`, undefined],
  ['an attribute of 10 MB', () => `<p title="${'a '.repeat(5_000_000)}">x</p>`, undefined],
  ['a million character references', () => `<p>${'&amp;&notit;&#0;&#x110000;'.repeat(250_000)}</p>`, undefined],
];

const SELECTORS: readonly (readonly [name: string, selector: string, html: () => string])[] = [
  ['(a+)+$ on a long text', 'regex/(a+)+$/', () => `<p>${'a'.repeat(200_000)}!</p>`],
  ['a pattern of many alternatives', `regex/(${'a|'.repeat(800)}b)*c/`, () => `<p>${'ab'.repeat(20_000)}</p>`],
  ['conditions on conditions in CSS', 'css/:has(* :has(* :has(* x)))', () => '<div><p><b>a</b></p>'.repeat(3_000)],
  ['steps on steps in CSS', `css/${'* '.repeat(60)}x`, () => `${'<div>'.repeat(400)}${'<p>a</p>'.repeat(2_000)}`],
  ['a search for each element in XPath', 'xpath///*[count(//*[count(//*) > 0]) > 0]', () => '<p>a</p>'.repeat(2_000)],
  ['axes on axes in XPath', 'xpath///*//following::*//preceding::*', () => '<p><b>a</b></p>'.repeat(2_000)],
  ['a search at any depth, four times', 'jsonpath/$..*..*..*..*', () => `<script type="application/json">${nestedJson(60)}</script>`],
];

function nestedJson(depth: number): string {
  return `${'{"a":[1,2,3],"b":'.repeat(depth)}1${'}'.repeat(depth)}`;
}

suite('hostile pages and selectors (F38-F43)', { timeout: 600_000 }, () => {
  let pool: ViewPool;
  before(() => void (pool = createViewPool({ workersMax: 2, pageMs: 30_000 })));
  after(() => pool.close());

  for (const [name, html, code] of PAGES)
    test(`${name}: ${code ? 'refused' : 'read'}`, async () => {
      const [hostile, ordinary] = await Promise.allSettled([
        pool.run('views', views(html(), ['markdown', 'links', 'metadata', 'product']), SIGNAL),
        pool.run('views', views(ORDINARY), SIGNAL),
      ]);
      assert.equal(hostile.status === 'rejected' ? (hostile.reason as PageError).code : undefined, code);
      assert.equal(ordinary.status, 'fulfilled');
    });

  test('a text of 50 MB, read in every way, ends at its deadline; pages beside it have long been read', async () => {
    const limited = createViewPool({ workersMax: 2, pageMs: 5_000 });
    // Both workers are there before anything is asked of them.
    await Promise.all([1, 2].map(() => limited.run('views', views(ORDINARY, ['text']), SIGNAL)));
    const ended: string[] = [];
    const hostile = limited.run('views', views(`<p>${'word '.repeat(10_000_000)}</p>`), SIGNAL).then(
      () => ended.push('read'),
      (error: PageError) => ended.push(error.code),
    );
    const ordinary = Array.from({ length: 20 }, () => limited.run('views', views(ORDINARY), SIGNAL).then(() => ended.push('ordinary')));
    await Promise.all([hostile, ...ordinary]);
    assert.deepEqual(ended, [...ordinary.map(() => 'ordinary'), 'timeout']);
    assert.equal((await limited.run('views', views(ORDINARY, ['text']), SIGNAL)).result.title, 'Plain');
    await limited.close();
  });

  for (const [name, selector, html] of SELECTORS)
    test(`${name}: an answer or one clear error, within the deadline`, async () => {
      const limited = createViewPool({ workersMax: 2, pageMs: 8_000 });
      const [hostile, ordinary] = await Promise.allSettled([
        limited.run('select', { source: sourceOf(html()), selector, parts: [] }, SIGNAL),
        limited.run('select', { source: sourceOf(ORDINARY), selector: 'css/h1', parts: [] }, SIGNAL),
      ]);
      await limited.close();
      if (hostile.status === 'rejected') {
        assert.ok(hostile.reason instanceof PageError);
        assert.ok(['timeout', 'selector', 'page_too_complex'].includes(hostile.reason.code), hostile.reason.message);
      }
      assert.equal(ordinary.status === 'fulfilled' ? ordinary.value.result.count : ordinary.reason, 1);
    });
});
