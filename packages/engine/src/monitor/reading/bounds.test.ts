import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readOne, readWith, targetOf } from './reading.fixtures.ts';
import { COMPARED_CHARS_MAX } from './text-filter.ts';

describe('what a page can cost', () => {
  it('reads ten thousand of a hundred thousand matches, counts all and says so', async () => {
    const html = `<ul>${'<li>A'.repeat(100_000)}</ul>`;
    const texts = await readOne(html, 'li', { type: 'text' }, { many: true });
    assert.equal(texts.target.matches, 100_000);
    assert.match(texts.text, /\[90000 more matches, which are not read\]$/);
    assert.equal((await readOne(html, 'li', { type: 'count' }, { many: true })).value, 100_000);
    const list = await readOne(html, 'ul', { type: 'list' });
    assert.equal((list.value as readonly object[]).length, 5_000);
    assert.match(list.text, /\[95000 more items, which are not read\]$/);
  });

  it('reads no more than it may of matches that hold one another', async () => {
    const html = `<body>${'<div class=x>'.repeat(400)}${'<p>Some words of text</p>'.repeat(2_000)}`;
    const texts = await readOne(html, '.x', { type: 'text' }, { many: true });
    assert.match(texts.text, /more characters, SHA-256/);
    assert.ok(texts.text.length < COMPARED_CHARS_MAX + 200);
    const values = await readOne(html, '.x', { type: 'html' }, { many: true });
    assert.ok((values.value as readonly (string | null)[]).includes(null));
  });

  it('takes out a hundred thousand elements, and keeps the rest', async () => {
    const html = `<ul>${'<li class=ad>A</li><li>B</li>'.repeat(100_000)}</ul>`;
    const { subtracted, page } = await readWith(html, { filter: { subtract: ['.ad'] } });
    assert.equal(subtracted, 100_000);
    assert.equal(page?.text.includes('A'), false);
  });

  it('F43: answers selectors that multiply with a problem, and reads the others', async () => {
    const html = `<body>${'<div>'.repeat(200)}${'<p>a'.repeat(5_000)}`;
    const hostile = ['div:has(div:has(div:has(div:has(p))))', 'xpath///*//*//*', `css/${'p,'.repeat(300)}p`, `regex/${'(a{100}){100}'}/`];
    const targets = [...hostile, 'p'].map((selector, id) => targetOf(selector, [{ type: 'count' }], { id, many: true }));
    const { targets: read } = await readWith(html, { targets });
    assert.deepEqual(
      read.map(({ problem }) => problem === undefined),
      [false, false, false, false, true],
    );
  });

  it('runs expressions of users in linear time', async () => {
    const html = `<p class=x>${'a'.repeat(50_000)}!</p>`;
    const filter = { ignore: ['/(a+)+$/'], trigger: ['/(a|a)*b/'] };
    const { triggers } = await readWith(html, { filter });
    assert.equal(triggers[0]?.found, false);
    assert.match((await readOne(html, '.x', { type: 'regex', pattern: '(a+)+b' })).problem ?? '', /matches nothing/);
  });

  it('refuses JSON that finds too much for a value', async () => {
    const json = JSON.stringify({ a: Array.from({ length: 200_000 }, (_, i) => ({ i })) });
    assert.match(
      (await readOne(json, '$', { type: 'json', path: '$.a' }, { type: 'application/json' })).problem ?? '',
      /Take a path that finds less/,
    );
  });

  it('refuses JSON that nests too deeply to be compared', async () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    await assert.rejects(readWith(deep, { type: 'application/json' }), { name: 'PageError' });
  });
});
