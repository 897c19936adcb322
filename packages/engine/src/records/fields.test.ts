import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTree } from '../html/tree.ts';
import { findRecordLists } from './detect.ts';
import type { RecordList } from './list.ts';

function topList(html: string): RecordList {
  const [list] = findRecordLists(parseTree(html, 'https://shop.test/a/'));
  assert.ok(list);
  return list;
}

/** The second record, each field as `type:raw`. */
function second(html: string): Record<string, string> {
  const fields = topList(html).items[1]?.fields ?? {};
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(({ raw }) => raw).join('|') : `${[value].flat()[0]?.type}:${[value].flat()[0]?.raw}`,
    ]),
  );
}

const numbers = [1, 2, 3, 4, 5];
const list = (item: (n: number) => string) => `<ul>${numbers.map((n) => `<li>${item(n)}</li>`).join('')}</ul>`;

test('names by role: the heading is the title, its link the url, the picture the image', () => {
  const html = list(
    (n) =>
      `<a href="/p/${n}"><img src="/${n}.jpg"></a><h3><a href="/p/${n}">Thing number ${n}</a></h3><p>All about ${n}, with enough words that this paragraph describes the thing and is not mistaken for a title.</p>`,
  );
  const record = second(html);
  assert.deepEqual(Object.keys(record).toSorted(), ['description', 'image', 'title', 'url']);
  assert.equal(record['title'], 'text:Thing number 2');
  assert.equal(record['url'], 'url:/p/2');
});

test('prefers itemprop to classes', () => {
  const record = second(
    list(
      (n) =>
        `<b itemprop="name" class="headline">Thing ${n}</b> <span itemprop="price" content="${n}.50" class="amount">only ${n}.50</span>`,
    ),
  );
  assert.equal(record['name'], 'text:Thing 2');
  assert.equal(record['price'], 'text:2.50');
});

test('names by class, without the name of the component and without layout classes', () => {
  const record = second(
    list(
      (n) =>
        `<a class="card__title" href="/${n}">Thing ${n}</a><span class="card__location">Town ${n}</span><span class="mt-2 text-sm card__wood">Oak ${n}</span>`,
    ),
  );
  assert.deepEqual(record, { url: 'url:/2', title: 'text:Thing 2', location: 'text:Town 2', wood: 'text:Oak 2' });
});

test('names the cells of a table by its header', () => {
  const rows = numbers.map((n) => `<tr><td>Thing ${n}</td><td>$${n}.00</td><td>${n * 1000}</td></tr>`).join('');
  const found = topList(`<table><thead><tr><th>Name</th><th>Unit price</th><th>In stock</th></tr></thead><tbody>${rows}</tbody></table>`);
  assert.equal(found.source, 'table');
  assert.deepEqual(
    found.fields.map(({ name, type }) => [name, type]),
    [
      ['name', 'text'],
      ['unit_price', 'price'],
      ['in_stock', 'count'],
    ],
  );
});

test('takes constant text before a value as its label', () => {
  const record = second(
    list((n) => `<a href="/${n}">Thing ${n}</a><b>Weight:</b><i>${n} kg and more</i><p>Made in: Town ${n}</p><button>Buy</button>`),
  );
  assert.deepEqual(record, { url: 'url:/2', title: 'text:Thing 2', weight: 'text:2 kg and more', made_in: 'text:Town 2' });
});

test('types prices, dates, ratings and counts, and joins cents that stand apart', () => {
  const html = list(
    (n) => `<a href="/${n}">Thing ${n}</a><div class="cost">$<b>${n}9</b><sup>95</sup></div><time datetime="2026-01-0${n}">lately</time>
      <span class="stars" aria-label="4.${n} out of 5"></span><em>(${n},000)</em>`,
  );
  const fields = topList(html).items[1]?.fields ?? {};
  assert.deepEqual(fields['price'], { type: 'price', amount: '29.95', amountMinor: 2995, currency: 'USD', raw: '$ 29 95' });
  assert.deepEqual(fields['date'], { type: 'date', iso: '2026-01-02', secondsAgo: undefined, raw: '2026-01-02' });
  assert.deepEqual(fields['rating'], { type: 'rating', value: 4.2, best: 5, raw: '4.2 out of 5' });
  assert.deepEqual(fields['count'], { type: 'count', count: 2000, raw: '(2,000)' });
});

test('keeps all values of a field that repeats within a record', () => {
  const html = list(
    (n) => `<a href="/${n}">Thing ${n}</a>${Array.from({ length: n }, (_, i) => `<span class="tag">t${n}${i}</span>`).join('')}`,
  );
  const [, tags] = [second(html), second(html)['tags'] ?? second(html)['tag']];
  assert.equal(tags, 't20|t21');
});

test('reports how many records have a field and how many values are not of its type', () => {
  const html = `<ul>${Array.from({ length: 20 }, (_, n) => `<li><a href="/${n}">Thing ${n}</a>${n % 2 ? '' : `<i class="price">${n === 4 ? 'ask us' : `$${n}`}</i>`}</li>`).join('')}</ul>`;
  const price = topList(html).fields.find(({ name }) => name === 'price');
  assert.equal(price?.type, 'price');
  assert.equal(price?.filled, 0.5);
  assert.equal(price?.failed, 0.1);
});

test('resolves addresses and takes the largest or the lazily loaded picture', () => {
  const html = list(
    (n) =>
      `<a href="../p/${n}">Thing ${n}</a><img src="data:image/gif;base64,AA" data-src="/lazy${n}.jpg" ${n === 2 ? 'srcset="/s.jpg 100w, /l.jpg 900w"' : ''}>`,
  );
  const fields = topList(html).items.map((item) => item.fields);
  assert.deepEqual(fields[0]?.['image'], { type: 'image', url: 'https://shop.test/lazy1.jpg', raw: '/lazy1.jpg' });
  assert.deepEqual(fields[1]?.['image'], { type: 'image', url: 'https://shop.test/l.jpg', raw: '/l.jpg' });
  assert.deepEqual(fields[1]?.['url'], { type: 'url', url: 'https://shop.test/p/2', raw: '../p/2' });
});

test('keeps one address where picture and title lead to the same page', () => {
  const html = list(
    (n) =>
      `<a class="shot" href="/p/${n}"><img src="/${n}.png"></a><a class="name" href="/p/${n}">Thing ${n}</a><a class="by" href="/u/${n}">user${n}</a>`,
  );
  assert.deepEqual(
    topList(html)
      .fields.filter(({ type }) => type === 'url')
      .map(({ name, path }) => [name, path]),
    [
      ['url', '>a.name@href'],
      ['link', '>a.by@href'],
    ],
  );
});
