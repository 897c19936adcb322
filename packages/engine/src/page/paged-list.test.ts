import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Document } from './document.ts';
import { readListPage } from './paged-list.ts';
import type { ListMemory } from './paged-list.ts';
import { selectParts } from './select.ts';

const item = (n: number, extra = '') =>
  `<li class="hit"><h3><a href="/x/${n}">Lamp number ${n}</a></h3><p class="about">Some words about ${n} that go on.</p>${extra}<span class="stock">${n} left</span></li>`;
const pageOf = (items: readonly string[], next = '') =>
  new Document({
    url: 'https://x.test/?page=1',
    body: new TextEncoder().encode(`<title>Lamps</title><main><ul>${items.join('')}</ul><nav class="pages">${next}</nav></main>`),
    contentType: 'text/html; charset=utf-8',
  });
const range = (from: number, to: number, extra?: (n: number) => string) =>
  Array.from({ length: to - from + 1 }, (_, i) => item(from + i, extra?.(from + i)));
const FIRST = pageOf(range(1, 8), '<a rel="next" href="?page=2">Next</a>');

suite('a list over several pages', () => {
  test('is the best one of its first page, with the way on', () => {
    const { list, onward, memory } = readListPage(FIRST, undefined);
    assert.equal(list?.items.length, 8);
    assert.equal(onward, 'https://x.test/?page=2');
    assert.deepEqual(memory, structuredClone(memory));
  });

  test('is found again where only one item is left, under the same names, and ends there', () => {
    const { list: first, memory } = readListPage(FIRST, undefined);
    const { list, onward } = readListPage(pageOf(range(9, 9)), memory);
    assert.deepEqual(Object.keys(list?.items[0]?.fields ?? {}), Object.keys(first?.items[0]?.fields ?? {}));
    assert.equal(onward, undefined);
  });

  test('takes a field that only a later page has, and remembers it', () => {
    const { memory } = readListPage(FIRST, undefined);
    const { list, memory: later } = readListPage(pageOf(range(9, 16, (n) => `<b class="price">$${n}.50</b>`)), memory);
    assert.deepEqual(list?.items[0]?.fields['price'], { type: 'price', amount: '9.50', amountMinor: 950, currency: 'USD', raw: '$9.50' });
    assert.deepEqual(
      (later as ListMemory).fields.map(({ name }) => name),
      [...(memory as ListMemory).fields.map(({ name }) => name), 'price'],
    );
  });

  test('is absent where nothing is like it', () =>
    assert.equal(readListPage(pageOf(['<li>Nothing was found.</li>']), readListPage(FIRST, undefined).memory).list, undefined));

  test('is found by its source and its names where it is not in the markup', () => {
    const data = (from: number) => {
      const names = Array.from({ length: 8 }, (_, i) => `Lamp ${from + i}`);
      const itemListElement = names.map((name, i) => ({ '@type': 'Product', name, sku: `L-${from + i}`, offers: { price: `${i}.50` } }));
      const script = `<script type="application/ld+json">${JSON.stringify({ '@type': 'ItemList', itemListElement })}</script>`;
      return pageOf([script, `<li>${names.join(', ')}</li>`]);
    };
    const { list: first, memory } = readListPage(data(1), undefined);
    assert.equal(first?.source, 'jsonld');
    const { list } = readListPage(data(9), memory);
    assert.deepEqual(list?.items[0]?.fields['name'], { type: 'text', raw: 'Lamp 9' });
  });
});

suite('a list that a script goes on with', () => {
  const book = (n: number) => ({ id: n, title: `Lamp number ${n}`, shelf: `A${n}` });
  const books = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => book(from + i));
  const shell = (body: string, url: string, method = 'GET', rows: object = books(1, 4)) =>
    new Document({
      url: 'https://x.test/',
      body: new TextEncoder().encode(`<title>Lamps</title><main>${body}</main>`),
      contentType: 'text/html; charset=utf-8',
      xhr: [{ url, method, status: 200, json: rows }],
    });
  const CARDS = books(1, 4)
    .map(({ title, shelf }) => `<article><h3>${title}</h3><p>${shelf}</p></article>`)
    .join('');
  const answer = async (url: string, json: unknown, memory?: ListMemory) => {
    const source = { url, body: new TextEncoder().encode(JSON.stringify(json)), contentType: 'application/json' };
    return (await selectParts({ source, parts: [], paged: memory ? { memory } : {} })).paged;
  };

  test('is read on by the request that brought its first rows, to an answer that is not full', async () => {
    const { list, onward, memory } = readListPage(shell(CARDS, 'https://x.test/api?_page=1&_limit=4'), undefined);
    assert.deepEqual([list?.items.length, onward], [4, 'https://x.test/api?_page=2&_limit=4']);
    const second = await answer('https://x.test/api?_page=2&_limit=4', { rows: books(5, 8), makers: [{ a: 1 }] }, memory as ListMemory);
    assert.deepEqual(second?.list?.items[0]?.fields['title'], { type: 'text', raw: 'Lamp number 5' });
    assert.equal(second.onward, 'https://x.test/api?_page=3&_limit=4');
    const last = await answer('https://x.test/api?_page=3&_limit=4', books(9, 9), second.memory as ListMemory);
    assert.deepEqual([last?.list?.items.length, last?.onward], [1, undefined]);
    assert.equal((await answer('https://x.test/api?_page=3&_limit=4', [], memory as ListMemory))?.list, undefined);
  });

  const WAYS: readonly (readonly [name: string, url: string, onward: string | undefined])[] = [
    ['counts rows', 'https://x.test/api?skip=8&take=4&q=a', 'https://x.test/api?skip=12&take=4&q=a'],
    ['counts pages of rows that are not counted', 'https://x.test/api?p=3', 'https://x.test/api?p=4'],
    ['asked for more than it got', 'https://x.test/api?page=1&per_page=50', undefined],
    ['names no page', 'https://x.test/api?from=2024-01-01', undefined],
  ];
  for (const [name, url, onward] of WAYS)
    test(`goes on as its request does that ${name}`, () => assert.equal(readListPage(shell(CARDS, url), undefined).onward, onward));

  const STATED: readonly (readonly [name: string, url: string, json: object, onward: string | undefined])[] = [
    ['counts its pages', '?page=1&size=4', { items: books(1, 4), total: 9 }, '?page=2&size=4'],
    ['names the next one', '', { results: books(1, 4), next: 'https://x.test/api?cursor=b' }, '?cursor=b'],
    ['names the next one beside others', '', { data: books(1, 4), links: { self: '/api', next: { href: '/api?after=4' } } }, '?after=4'],
    ['says that it is the last', '?page=3', { results: books(1, 4), next: null }, undefined],
    ['names one of another host', '', { results: books(1, 4), next: 'https://y.test/api?cursor=b' }, undefined],
    ['names no address', '', { results: books(1, 4), next: 'tomorrow' }, undefined],
  ];
  for (const [name, query, json, onward] of STATED)
    test(`goes on behind an answer that ${name}`, async () => {
      const url = `https://x.test/api${query}`;
      const expected = onward === undefined ? undefined : `https://x.test/api${onward}`;
      assert.equal((await answer(url, json))?.onward, expected);
      assert.equal(readListPage(shell(CARDS, url, 'GET', json), undefined).onward, expected);
    });

  test('goes on by no request that may change something', () =>
    assert.equal(readListPage(shell(CARDS, 'https://x.test/api?page=1', 'POST'), undefined).onward, undefined));

  test('tells the button that it goes on behind', () => {
    const said = (button: string) => readListPage(shell(CARDS + button, 'https://x.test/api'), undefined).button;
    assert.equal(said('<button>Load more</button>'), 'Load more');
    assert.equal(said('<div role="button" aria-label="Go to next page"><svg></svg></div>'), 'Go to next page');
    assert.equal(said('<a href="#">Show more results</a>'), 'Show more results');
    for (const none of [
      '<button disabled>Load more</button>',
      '<button>More</button>',
      '<button>Next</button>',
      '<button>Learn more</button>',
      '<a href="/about">See more</a>',
    ])
      assert.equal(said(none), undefined, none);
  });
});
