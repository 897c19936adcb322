import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Document } from './document.ts';
import { readListPage } from './paged-list.ts';
import type { ListMemory } from './paged-list.ts';

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
