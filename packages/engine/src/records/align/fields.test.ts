import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTree } from '../../html/tree.ts';
import { findRecordLists } from '../detect.ts';
import type { RecordList } from '../list.ts';

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

test('takes for the url what leads to each record, not to the maker that many share', () => {
  const rows = numbers.map(
    (n) =>
      `<tr><td><a href="/p/${n}">${n}</a></td><td>Walnut ${n}</td><td><a href="/m/${n % 2}">${n % 2 ? 'Halvorsen' : 'Okafor'} and daughters</a></td></tr>`,
  );
  const [, record] = topList(`<table><tr><th>Id</th><th>Name</th><th>Maker</th></tr>${rows.join('')}</table>`).items;
  const urls = Object.entries(record?.fields ?? {}).filter(([, value]) => [value].flat()[0]?.type === 'url');
  assert.deepEqual(
    urls.map(([name, value]) => [name, [value].flat()[0]?.raw]),
    [
      ['url', '/p/2'],
      ['maker_url', '/m/0'],
    ],
  );
});

test('takes what a sign says that stands alone in its cell for the value of the column', () => {
  const sign = (n: number) => (n % 2 ? '<img src="/yes.svg" alt="True">' : '<img src="/no.svg" alt="False">');
  const flag = (n: number) => `<i class="flag-${n}" title="${n % 2 ? 'Norway' : 'Kenya'}"></i>`;
  const rows = numbers.map(
    (n) => `<tr><td><a href="/p/${n}">Thing ${n}</a></td><td>${sign(n)}</td><td>${flag(n)}</td><td>${n} kg</td></tr>`,
  );
  const { items } = topList(`<table><tr><th>Name</th><th>In stock</th><th>Country</th><th>Weight</th></tr>${rows.join('')}</table>`);
  assert.deepEqual(
    items.map(({ fields }) => ['in_stock', 'country', 'weight'].map((name) => [fields[name]].flat()[0]?.raw)),
    numbers.map((n) => (n % 2 ? ['True', 'Norway', `${n} kg`] : ['False', 'Kenya', `${n} kg`])),
  );
});

test('keeps a short name apart from the price beside it', () => {
  const teas = ['Tea', 'Oolong', 'Assam', 'Mate', 'Yunnan'];
  for (const tag of ['h3', 'a href="/tea"']) {
    const record = second(list((n) => `<${tag}>${teas[n - 1]}</${tag.slice(0, 2).trim()}><span class=price>${n}.50 €</span>`));
    assert.deepEqual([record['title'], record['price']], ['text:Oolong', 'price:2.50 €'], JSON.stringify(record));
  }
});

test('takes an element with one class more for the same, beside another of its tag', () => {
  const html = list(
    (n) =>
      `<a class="day" href="/day/${n}">Monday, week ${n}</a> <a class="name${n === 2 ? ' moved' : ''}" href="/p/${n}">Thing number ${n}</a>`,
  );
  assert.equal(second(html)['name'] ?? second(html)['title'], 'text:Thing number 2', JSON.stringify(second(html)));
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

test('leaves out buttons that each row of a table has under no header, and keeps a column that says the same', () => {
  const button = (n: number, what: string) => `<a href="/${what}/${n}"><span class="sr-only">${what}</span></a>`;
  const rows = Array.from(
    { length: 8 },
    (_, n) => `<tr><td>${button(n, 'Show')} ${button(n, 'Edit')} <a href="#">Delete</a></td><td>Bolt ${n}</td><td>Active</td></tr>`,
  );
  const { fields, items } = topList(
    `<table><thead><tr><th></th><th>Name</th><th>State</th></tr></thead><tbody>${rows.join('')}</tbody></table>`,
  );
  assert.deepEqual(
    fields.map(({ name }) => name),
    ['url', 'link', 'name', 'state'],
  );
  assert.deepEqual(items[3]?.fields['state'], { type: 'text', raw: 'Active' });
});

test('reads the day in the title of an age, which stays what it is', () => {
  const list = (said: (n: number) => string, title: (n: number) => string) =>
    numbers
      .map(
        (n) =>
          `<li class="c"><a href="/c/${n}">Commit number ${n}</a><p class="by">Ada Byron ${n}</p><span title="${title(n)}">${said(n)}</span></li>`,
      )
      .join('');
  const dates = (html: string) => topList(`<ul>${html}</ul>`).items.map(({ fields }) => fields['date']);
  const [first] = dates(
    list(
      (n) => `${n + 1} minutes ago`,
      (n) => `Nov ${n}, 2026 15:16:03`,
    ),
  );
  assert.deepEqual(first, { type: 'date', iso: '2026-11-01', secondsAgo: undefined, raw: 'Nov 1, 2026 15:16:03' });
  const [bare] = dates(
    list(
      (n) => `${n + 1} minutes ago`,
      () => 'When it was written',
    ),
  );
  assert.deepEqual(bare, { type: 'date', iso: undefined, secondsAgo: 120, raw: '2 minutes ago' });
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

test('leaves out what stands between a value and its neighbours', () => {
  const record = second(list((n) => `<h3><a href="/p/${n}">Thing ${n}</a></h3><div>Room ${n} · <p>| floor ${n}</p></div>`));
  assert.deepEqual(record, { url: 'url:/p/2', title: 'text:Thing 2', field_3: 'text:Room 2', field_4: 'text:floor 2' });
});

test('takes no scheme of an address for a label', () => {
  const record = second(list((n) => `<h3><a href="/p/${n}">Thing ${n}</a></h3><span>https://shop.test/thing/${n}</span>`));
  assert.deepEqual(record, { url: 'url:/p/2', title: 'text:Thing 2', field_3: 'text:https://shop.test/thing/2' });
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

const SALES: readonly (readonly [name: string, plain: (n: number) => string, sale: (n: number) => string])[] = [
  [
    'del and ins',
    (n) => `<span class="price">$${n}.50</span>`,
    (n) => `<span class="price"><del>$${n + 5}.00</del> <ins>$${n}.50</ins></span>`,
  ],
  [
    'amounts in elements of their own, with labels for screen readers',
    (n) => `<span class="price"><span class="amount"><bdi><span class="sign">$</span>${n}.50</bdi></span></span>`,
    (n) =>
      `<span class="price"><del aria-hidden="true"><span class="amount"><bdi><span class="sign">$</span>${n + 5}.00</bdi></span></del>
       <ins><span class="amount"><bdi><span class="sign">$</span>${n}.50</bdi></span></ins></span>`,
  ],
  ['s', (n) => `<b class="price">$${n}.50</b>`, (n) => `<b class="price"><s>$${n + 5}.00</s> $${n}.50</b>`],
];

for (const [name, plain, sale] of SALES) {
  test(`takes the price that holds now from ${name}, beside one that is struck out`, () => {
    const found = topList(list((n) => `<h3><a href="/${n}">Thing ${n}</a></h3>${n === 2 ? sale(n) : plain(n)}`));
    const prices = found.items.map(({ fields }) =>
      [fields['price']].flat().map((price) => (price?.type === 'price' ? price.amount : price?.raw)),
    );
    assert.deepEqual(prices.flat(), ['1.50', '2.50', '3.50', '4.50', '5.50']);
    assert.equal([found.items[1]?.fields['old_price']].flat()[0]?.type, 'price');
    assert.equal(found.items[0]?.fields['old_price'], undefined);
  });
}

test('tells a former price and the price of a unit from the price, by class and by text', () => {
  const record = second(
    list(
      (n) =>
        `<a href="/${n}">Thing ${n}</a><p class="old-price"><span class="money">$${n + 5}.00</span></p><p class="special-price"><span class="money">from $${n}.50</span></p><i class="each">($${n}.25 / kg)</i>`,
    ),
  );
  assert.equal(record['price'], 'price:from $2.50');
  assert.equal(record['old_price'], 'price:$7.00');
  assert.equal(record['unit_price'], 'price:($2.25 / kg)');
});

test('keeps a column whose classes change by row', () => {
  const kinds = ['dir', 'js', 'md', 'js', 'dir'];
  const rows = kinds.map(
    (kind, n) =>
      `<tr class="row-${n % 2 ? 'odd' : 'even'}"><td>-rw-r--r--</td><td><a class="ls-${kind}" href="/tree/f${n}">file-${n}</a></td><td class="size">${n}4</td></tr>`,
  );
  const found = topList(`<table><tr><th>Mode</th><th>Name</th><th>%</th></tr>${rows.join('')}</table>`);
  assert.deepEqual(
    found.items.map(({ fields }) => [[fields['name']].flat()[0]?.raw, [fields['url']].flat()[0]?.raw, [fields['percent']].flat()[0]?.raw]),
    kinds.map((_, n) => [`file-${n}`, `/tree/f${n}`, `${n}4`]),
  );
});

test('keeps a value whose class says its state', () => {
  const html = list((n) => `<a href="/${n}">Page ${n}</a> <span class="diff-${n % 2 ? 'pos' : 'neg'}">changed by ${n} bytes</span>`);
  assert.ok(
    topList(html).items.every((item, i) =>
      Object.values(item.fields)
        .flat()
        .some(({ raw }) => raw === `changed by ${i + 1} bytes`),
    ),
  );
});

test('reads a grid of cells whose classes alternate', () => {
  const cells = numbers.map(
    (n) =>
      `<div class="col-first ${n % 2 ? 'odd' : 'even'}-row-color"><code>int</code></div><div class="col-second ${n % 2 ? 'odd' : 'even'}-row-color"><a href="#m${n}">method${n}</a></div><div class="col-last ${n % 2 ? 'odd' : 'even'}-row-color"><p>What method ${n} does, in a line.</p></div>`,
  );
  const found = topList(
    `<div class="summary"><div class="table-header col-first">Type</div><div class="table-header col-second">Method</div><div class="table-header col-last">Description</div>${cells.join('')}</div>`,
  );
  assert.equal(found.items.length, 5);
  assert.ok(
    found.items.every(({ fields }, i) =>
      Object.values(fields)
        .flat()
        .some(({ raw }) => raw === `method${i + 1}`),
    ),
  );
});

test('leaves out the width of a bar where the rating is said as well', () => {
  const found = topList(
    list(
      (n) =>
        `<a href="/${n}">Thing ${n}</a><div class="star-rating" aria-label="Rated ${n}.00 out of 5"><span style="width:${n * 20}%"></span></div>`,
    ),
  );
  assert.deepEqual(
    found.fields.map(({ name }) => name).filter((name) => name.startsWith('rating')),
    ['rating'],
  );
});

test('keeps words of neighbouring elements apart', () => {
  const found = topList(
    list(
      (n) =>
        `<a href="/${n}">Thing ${n}</a> <span class="ref"><span class="sku">SKU-100${n}</span></span><span class="in">Category: <b>Tea</b></span>`,
    ),
  );
  assert.equal(found.items[1]?.text, 'Thing 2 SKU-1002 Category: Tea');
});

test('keeps ratings and prices that all records share', () => {
  const record = second(
    list((n) => `<a href="/${n}">Thing ${n}</a><b>Buy now</b><i class="stars">Rated 4 out of 5</i><em class="price">$9.00</em>`),
  );
  assert.deepEqual(record, { url: 'url:/2', title: 'text:Thing 2', rating: 'rating:Rated 4 out of 5', price: 'price:$9.00' });
});

test('gives no empty records: where nothing differs, what all say is kept', () => {
  assert.deepEqual(Object.values(second(list(() => '<p>12:18</p><p class="who">Maintenance script</p>'))), [
    'text:12:18',
    'text:Maintenance script',
  ]);
});

test('what is set off amid a text belongs to it, as the words that were searched for do', () => {
  const tales = [
    'an old life of sailors',
    'the quiet life in towns',
    'a short life at sea',
    'some long life on land',
    'one more life to come',
  ];
  const record = second(
    list((n) => {
      const said = (tales[n - 1] ?? '').replace('life', '<b>life</b>');
      return `<h3><a href="/${n}">Book ${n}</a></h3><div class="said">It tells ${said} <span class="site">kept in the long hall of the library of town ${n}</span></div>`;
    }),
  );
  assert.ok(Object.values(record).includes('text:It tells the quiet life in towns'), JSON.stringify(record));
});

test('reads the date of a line, and who is named beside it, as fields of their own', () => {
  const people = ['Ann Miller', 'PTI', 'Ole van der Berg', 'admin', 'J. R. Hale'];
  const lines: readonly ((n: number) => string)[] = [
    (n) => `Posted by ${people[n - 1] ?? ''} on ${n}/11/14 2:00 PM in the news of the house`,
    (n) => `By ${people[n - 1] ?? ''} - February ${n}th 2017, 10:15:37 am, and in print`,
    (n) => `Written by ${people[n - 1] ?? ''} | New Delhi | Updated: February ${n}, 2017 at 2:41 am`,
    (n) => `Geschrieben von ${people[n - 1] ?? ''} am ${n}. Februar 2017 um 10:15 Uhr, mit Bildern`,
  ];
  for (const line of lines) {
    const record = second(list((n) => `<h3><a href="/p/${n}">Thing number ${n}</a></h3><p class="byline">${line(n)}</p>`));
    const values = Object.values(record);
    assert.ok(values.includes('text:PTI'), JSON.stringify(record));
    assert.ok(
      Object.keys(record).some((name) => name.startsWith('date')) && values.some((value) => value.startsWith('date:')),
      JSON.stringify(record),
    );
    assert.ok(values.includes(`text:${line(2)}`), 'the line stays');
  }
});

test('makes nothing of dates in some lines, and nothing of a line that is a date alone', () => {
  const some = second(
    list((n) => `<h3>Thing number ${n}</h3><p class="note">${n < 4 ? `Sold by hand since 3 May 201${n}` : 'Sold by nobody'}</p>`),
  );
  const alone = second(list((n) => `<h3>Thing number ${n}</h3><p class="when">${n} May 2014</p>`));
  assert.equal(Object.keys(some).length, 2, JSON.stringify(some));
  assert.equal(Object.keys(alone).length, 2, JSON.stringify(alone));
});
