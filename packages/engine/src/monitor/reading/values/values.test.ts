import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ExtractorSpec } from '@weft/contract';
import { PNG } from 'pngjs';
import type { JsonValue } from '../../../html/loose-json.ts';
import { readOne, readWith, targetOf } from '../reading.fixtures.ts';
import type { Told } from '../reading.fixtures.ts';

/** A name, the element's HTML, the extractor, what comes of it; a pattern is of the problem. */
type Case = readonly [name: string, html: string, spec: ExtractorSpec, expected: JsonValue | RegExp, told?: Told];

/** Each case reads the element of the class `x`. */
function holds(cases: readonly Case[], pick: (value: JsonValue | undefined) => JsonValue | undefined = (value) => value): void {
  for (const [name, html, spec, expected, told = {}] of cases)
    it(`${name}: ${spec.type} of ${html.slice(0, 60)}`, async () => {
      const { value, problem } = await readOne(html, html.includes('class=x') ? '.x' : 'body', spec, told);
      if (expected instanceof RegExp) assert.match(problem ?? `the value ${JSON.stringify(value)}`, expected);
      else assert.deepEqual(pick(value), expected, problem);
    });
}

function members(...names: readonly string[]): (value: JsonValue | undefined) => JsonValue | undefined {
  return (value) => {
    const all = (value ?? {}) as Readonly<Record<string, JsonValue>>;
    return names.map((name) => all[name] ?? null);
  };
}

const jsonLd = (data: object, rest = '') =>
  `<html lang=en><script type="application/ld+json">${JSON.stringify(data)}</script><body>${rest}</body>`;
const product = (offers: object, rest = '') => jsonLd({ '@type': 'Product', name: 'Thing', offers }, `<h1>Thing</h1>${rest}`);

describe('prices', () => {
  const price: ExtractorSpec = { type: 'price' };
  holds(
    [
      ['R1', product({ price: 121.95, priceCurrency: 'USD', availability: 'https://schema.org/InStock' }), price, [12_195, 'USD']],
      [
        'R2',
        jsonLd({ '@type': ['Product', 'Thing'], name: 'Thing', Offers: { Price: '5', PriceCurrency: 'EUR' } }, '<h1>Thing</h1>'),
        price,
        [500, 'EUR'],
      ],
      ['R3', product({ priceSpecification: { price: '9.50', priceCurrency: 'EUR' } }), price, [950, 'EUR']],
      ['R4', product([{ price: '7', priceCurrency: 'EUR' }]), price, [700, 'EUR']],
      [
        'R5',
        '<body><div itemscope itemtype="https://schema.org/Product"><h1 itemprop=name>Thing</h1><div itemprop=offers itemscope itemtype="https://schema.org/Offer"><span itemprop=price>$121.95</span></div></div>',
        price,
        [12_195, 'USD'],
      ],
      ['R8', '<p class=x>1.299,00 EUR</p>', price, [129_900, 'EUR']],
      ['R8', '<p class=x>19,99 €</p>', price, [1_999, 'EUR']],
      ['R8', '<p class=x>1 099,00 EUR</p>', price, [109_900, 'EUR']],
      ['R8', '<p class=x>12,800</p>', { type: 'price', currency: 'JPY' }, [12_800, 'JPY']],
      [
        'R12',
        '<html><head><meta property="og:type" content="product"><meta property="product:price:amount" content="5.00"><meta property="product:price:currency" content="EUR"></head><body><h1>Thing</h1>',
        price,
        [500, 'EUR'],
      ],
      ['R24', '<p class=x>Free</p>', price, [0, null]],
      ['R24', '<p class=x>0,00 €</p>', price, [0, 'EUR']],
      ['an old price', '<p class=x><del>$30.00</del> <ins>$20.00</ins></p>', price, [2_000, 'USD']],
      ['a meta element', '<p><meta class=x itemprop=price content="12.5"></p>', { type: 'price', currency: 'EUR' }, [1_250, 'EUR']],
      [
        'the product of the page',
        product({ price: '20', priceCurrency: 'EUR' }, '<div class=x><p>Thing</p><p>20,00 €</p><p>Shipping 4,90 €</p></div>'),
        price,
        [2_000, 'EUR'],
      ],
      ['the page as a whole', product({ price: '20', priceCurrency: 'EUR' }, '<p>Free shipping over 50 €</p>'), price, [2_000, 'EUR']],
      ['no price', '<p class=x>Call us</p>', price, /no price in "Call us"/],
    ],
    members('amount_minor', 'currency'),
  );

  it('R10: takes the product that the page is about, not the one that its data states first', async () => {
    const data = (name: string, amount: number) =>
      `<script type="application/ld+json">${JSON.stringify({ '@type': 'Product', name, offers: { price: amount, priceCurrency: 'EUR' } })}</script>`;
    const html = `<html><head><title>Red lamp</title>${data('Blue chair', 5)}${data('Red lamp', 9)}</head><body><h1>Red lamp</h1>`;
    assert.equal((await readOne(html, 'body', price)).text, '9.00 EUR');
  });

  it('R11: reads data with small faults, with a charset, inside a graph', async () => {
    const loose = '{"@graph":[{"@type":"Product","name":"Thing","offers":{"price":"3.00","priceCurrency":"EUR",},},]}';
    const html = `<script type="application/ld+json; charset=utf-8">${loose}</script><body><h1>Thing</h1>`;
    assert.equal((await readOne(html, 'body', price)).text, '3.00 EUR');
  });

  it('R7: gives the range beside its lowest price', async () => {
    const offers = { '@type': 'AggregateOffer', lowPrice: 10, highPrice: 20, priceCurrency: 'EUR', offers: [{ price: 10 }, { price: 20 }] };
    const read = await readOne(product(offers), 'body', price);
    assert.deepEqual(members('amount_minor', 'low_minor', 'high_minor')(read.value), [1_000, 1_000, 2_000]);
    assert.equal(read.text, '10.00 to 20.00 EUR');
  });

  it('R9: names the variants where the page chooses none', async () => {
    const variants = ['Small', 'Large'].map((name, place) => ({
      '@type': 'Product',
      name,
      sku: `s${place}`,
      offers: { price: 10 + place * 10, priceCurrency: 'EUR' },
    }));
    const html = jsonLd({ '@type': 'ProductGroup', name: 'Thing', hasVariant: variants }, '<h1>Thing</h1>');
    assert.match((await readOne(html, 'body', price)).problem ?? '', /Small, Large/);
  });

  it('takes the currency of the extractor only where the page names none', async () => {
    const spec = { type: 'price', currency: 'CHF' } as const;
    assert.equal((await readOne('<p class=x>19.90</p>', '.x', spec)).text, '19.90 CHF');
    assert.equal((await readOne('<p class=x>19.90 €</p>', '.x', spec)).text, '19.90 EUR');
  });
});

describe('availability', () => {
  const spec: ExtractorSpec = { type: 'availability' };
  const inData = (term: string, rest = '') => product({ price: 1, priceCurrency: 'EUR', availability: term }, rest);
  holds(
    [
      ['R1', inData('https://schema.org/InStock'), spec, 'in_stock'],
      ['R6', inData('OutOfStock'), spec, 'out_of_stock'],
      ['R13', inData('PreOrder'), spec, 'preorder'],
      ['R13', inData('BackOrder'), spec, 'backorder'],
      ['R13', inData('SoldOut'), spec, 'out_of_stock'],
      ['R13', inData('Discontinued'), spec, 'discontinued'],
      ['R13', inData('MadeToOrder'), spec, 'made_to_order'],
      ['R13', inData('LimitedAvailability'), spec, 'limited'],
      [
        'R14',
        '<body><header><button>Add to cart</button></header><main><h1>Thing</h1><p>$10.00</p><p>Out of stock</p></main>',
        spec,
        'out_of_stock',
      ],
      ['R17', '<h1>403 Forbidden</h1><p>You do not have access.</p>', spec, /stands before the page/],
      ['R17', '<p class=x>Ask in our shop</p>', spec, 'unknown'],
      ['R18', inData('InStock', '<section class=related><h2>Related</h2><p>Other: sold out</p></section>'), spec, 'in_stock'],
      ['an element', '<p class=x>Currently sold out</p>', spec, 'out_of_stock'],
      ['an element', '<p><link class=x itemprop=availability href="http://schema.org/PreOrder"></p>', spec, 'preorder'],
      ['a button', '<p><button class=x>Add to cart</button></p>', spec, 'in_stock'],
    ],
    (value) => members('state')(value)?.[0 as never],
  );

  it('R16: tells the conflict between data and an element, with both as evidence', async () => {
    const { value, compared } = await readOne(inData('InStock', '<p class=x>Sold out</p><p>10 €</p>'), '.x', spec);
    const { state, conflict, evidence } = value as { state: string; conflict: boolean; evidence: { source: string }[] };
    assert.deepEqual([state, conflict, evidence.map(({ source }) => source)], ['out_of_stock', true, ['text', 'jsonld']]);
    assert.equal(compared, 'out_of_stock');
  });

  it('R17: answers unknown with no evidence', async () => {
    const { value, problem } = await readOne('<p class=x>Nothing</p>', '.x', spec);
    assert.deepEqual([value, problem], [{ state: 'unknown', evidence: [], conflict: false }, undefined]);
  });
});

describe('quantities', () => {
  const spec: ExtractorSpec = { type: 'quantity' };
  holds([
    ['R19', '<p class=x>Only 5 left</p>', spec, 5],
    ['R19', '<p class=x>Only 2 left</p>', spec, 2],
    ['a figure', '<p class=x>Stock: 1,200</p>', spec, 1200],
    ['sold out', '<p class=x>Sold out</p>', spec, 0],
    ['nothing', '<p class=x>Ask us</p>', spec, /how many are left/],
  ]);
});

describe('numbers', () => {
  const spec: ExtractorSpec = { type: 'number' };
  const inLanguage = (lang: string, text: string) => `<html lang=${lang}><body><p class=x>${text}</p>`;
  holds([
    ['plain', '<p class=x>42 items</p>', spec, 42],
    ['grouped', '<p class=x>1,234.5</p>', spec, 1234.5],
    ['grouped', '<p class=x>1.234,5</p>', spec, 1234.5],
    ['without a language', '<p class=x>1.234</p>', spec, 1234],
    ['English', inLanguage('en', '1.234'), spec, 1.234],
    ['English', inLanguage('en', '1,234'), spec, 1234],
    ['German', inLanguage('de-DE', '1.234'), spec, 1234],
    ['German', inLanguage('de', '1,234'), spec, 1.234],
    ['beside a currency', inLanguage('en', '1.234 €'), spec, 1234],
    ['a language that is none', inLanguage('x-y-z!', '1.234'), spec, 1234],
    ['below zero', '<p class=x>Today: -3.5 °C</p>', spec, -3.5],
    ['a range', '<p class=x>10-20</p>', spec, 10],
    ['a share', '<p class=x>12 %</p>', spec, 12],
    ['shortened', '<p class=x>12.3k stars</p>', spec, 12_300],
    ['shortened', '<p class=x>1.2M</p>', spec, 1_200_000],
    ['a unit', '<p class=x>5 m</p>', spec, 5],
    ['other digits', '<p class=x>٤٢</p>', spec, 42],
    ['a version is none', '<p class=x>1.2.3</p>', spec, /no number/],
    ['none', '<p class=x>none</p>', spec, /no number in "none"/],
  ]);
});

describe('dates', () => {
  const spec: ExtractorSpec = { type: 'date' };
  holds([
    ['a day', '<p class=x>5 January 2026</p>', spec, '2026-01-05'],
    ['a day', '<p class=x>Released: 05.01.2026</p>', spec, '2026-01-05'],
    ['on a line', '<div class=x><p>Some title that is long enough to be no date at all</p><p>2026-01-05</p></div>', spec, '2026-01-05'],
    ['stated', '<p class=x><time datetime="2026-01-05T10:00:00+01:00">today</time></p>', spec, '2026-01-05T09:00:00Z'],
    ['without a zone', '<p class=x>2026-01-05 10:00</p>', spec, '2026-01-05T10:00:00Z'],
    ['of a mail', '<p class=x>Mon, 05 Jan 2026 12:00:00 +0200</p>', spec, '2026-01-05T10:00:00Z'],
    ['no day of any calendar', '<p class=x>2026-02-31</p>', spec, /no date/],
    ['moving', '<p class=x>3 hours ago</p>', spec, /moves with the clock/],
    ['none', '<p class=x>soon</p>', spec, /no date in "soon"/],
  ]);
});

describe('versions', () => {
  const spec: ExtractorSpec = { type: 'version' };
  holds([
    ['dotted', '<p class=x>Latest release: v24.21.0 (LTS)</p>', spec, '24.21.0'],
    ['before its release', '<p class=x>2.0.0-rc.1</p>', spec, '2.0.0-rc.1'],
    ['named', '<p class=x>Version 12</p>', spec, '12'],
    ['alone', '<p class=x>12</p>', spec, '12'],
    ['beside a price', '<p class=x>$30.00 for v1.2</p>', spec, '1.2'],
    ['none', '<p class=x>In 2026 we go on</p>', spec, /no version/],
  ]);
});

describe('attributes, HTML, counts, pictures', () => {
  holds([
    ['an attribute', '<a class=x href="/a?b=1">A</a>', { type: 'attribute', attribute: 'HREF' }, '/a?b=1'],
    ['another one', '<a class=x href=/a>A</a>', { type: 'attribute', attribute: 'title' }, /no attribute title; it has class, href/],
    ['HTML', '<p class=x>A <b>b</b></p>', { type: 'html' }, '<p class="x">A <b>b</b></p>'],
    ['matches', '<p class=x>A</p><p class=x>B</p>', { type: 'count' }, 2],
    ['a control', '<input class=x value=7>', { type: 'number' }, 7],
    ['an option', '<select><option>1<option class=x>2</select>', { type: 'text' }, '2'],
    ['no picture', '<p class=x>A</p>', { type: 'image_hash' }, /no picture/],
  ]);

  it('hashes what counts of a text', async () => {
    const of = async (html: string) => (await readOne(html, '.x', { type: 'hash' }, { filter: { ignore: ['/\\d+/'] } })).value;
    assert.equal(await of('<p class=x>A  1</p>'), await of('<p class=x>A 2</p>'));
    assert.notEqual(await of('<p class=x>A</p>'), await of('<p class=x>B</p>'));
  });

  it('tells a picture that is the page by what it looks like', async () => {
    const gradient = (shade: (x: number) => number, size: number) => {
      const png = new PNG({ width: size, height: size });
      for (let at = 0; at < size * size; at++) png.data.set([shade((at % size) / size), 0, 0, 255], at * 4);
      return new Uint8Array(PNG.sync.write(png));
    };
    const of = async (body: Uint8Array) => await readOne(body, 'body', { type: 'image_hash' }, { type: 'image/png' });
    const light = await of(gradient((x) => x * 255, 90));
    assert.match(String(light.value), /^[\da-f]{16}$/);
    assert.equal((await of(gradient((x) => x * 255, 180))).value, light.value);
    assert.notEqual((await of(gradient((x) => 255 - x * 255, 90))).digest, light.digest);
  });

  it('wants to see the pictures that it is to tell', async () => {
    const wantedBy = async (html: string) => (await readWith(html, { targets: [targetOf('.x', [{ type: 'image_hash' }])] })).pictures;
    assert.deepEqual(await wantedBy('<p class=x><img src=/a.png></p>'), ['https://shop.example/a.png']);
    assert.deepEqual(await wantedBy('<img class=x src="data:image/gif;base64,R0lG" data-src=b.png>'), ['https://shop.example/p/b.png']);
    assert.deepEqual(await wantedBy('<p class=x style="background: url(c.png)">'), ['https://shop.example/p/c.png']);
    assert.deepEqual(await wantedBy('<p class=x>A</p>'), []);
  });

  it('tells a picture by its pixels, by its bytes where those are in another form, and not at all where it did not come', async () => {
    const url = 'https://shop.example/a.png';
    const shade = (light: number) => {
      const png = new PNG({ width: 20, height: 20 });
      for (let at = 0; at < 400; at++) png.data.set([at % 20 < 10 ? light : 255 - light, 0, 0, 255], at * 4);
      return new Uint8Array(PNG.sync.write(png));
    };
    const of = async (picture: { readonly body?: Uint8Array; readonly problem?: string }) =>
      await readOne('<img class=x src=/a.png>', '.x', { type: 'image_hash' }, { pictures: [{ url, ...picture }] });
    const light = await of({ body: shade(255) });
    assert.match(String(light.value), /^[\da-f]{16}$/);
    assert.notEqual((await of({ body: shade(0) })).digest, light.digest);
    assert.match(String((await of({ body: new TextEncoder().encode('GIF89a') })).value), /^[\da-f]{64}$/);
    assert.match((await of({ body: shade(0).subarray(0, 60) })).problem ?? '', /broken PNG/);
    assert.equal((await of({ problem: 'It did not come.' })).problem, 'It did not come.');
  });

  it('says nothing of many pictures where one did not come', async () => {
    const html = '<img class=x src=/a.gif><img class=x src=/b.gif>';
    const a = { url: 'https://shop.example/a.gif', body: new TextEncoder().encode('GIF89a') };
    const b = { url: 'https://shop.example/b.gif', problem: 'It did not come.' };
    const read = await readOne(html, '.x', { type: 'image_hash' }, { many: true, pictures: [a, b] });
    assert.deepEqual([read.value, read.problem], [undefined, 'It did not come.']);
  });
});

describe('expressions and paths', () => {
  holds([
    ['all matches', '<p class=x>a1 b2</p>', { type: 'regex', pattern: '[a-z](\\d)' }, '1\n2'],
    ['flags', '<p class=x>Ab</p>', { type: 'regex', pattern: '/AB/i' }, 'Ab'],
    ['none', '<p class=x>Ab</p>', { type: 'regex', pattern: 'z' }, /"z" matches nothing in "Ab"/],
    ['no RE2', '<p class=x>Ab</p>', { type: 'regex', pattern: '(?=A)' }, /not an RE2 expression/],
    ['of a page', '<script>window.STATE = {"a": {"price": 5}}</script>', { type: 'json', path: '$.a.price' }, 5],
    ['of a script', '<script class=x type="application/json">{"a":[1,2]}</script>', { type: 'json', path: '$.a' }, [1, 2]],
    ['nothing', '<p class=x>A</p>', { type: 'json', path: '$.a' }, /finds nothing in the JSON/],
    ['no path', '<p class=x>A</p><script type="application/json">{}</script>', { type: 'json', path: '$[' }, /not JSONPath|failed/],
  ]);
});

describe('lists', () => {
  const spec: ExtractorSpec = { type: 'list' };
  const keysOf = async (html: string, selector: string, more: Partial<ExtractorSpec> = {}, many = false) => {
    const read = await readOne(html, selector, { ...spec, ...more }, { many });
    return { ...read, keys: ((read.value ?? []) as { key: string }[]).map(({ key }) => key) };
  };
  const LINKS = '<ul class=x><li><a href="/a?utm_source=m">A</a> 1</li><li><a href=/b>B</a> 2</li></ul>';

  it('takes the items of a list by their addresses, whatever their order and tracking', async () => {
    const first = await keysOf(LINKS, '.x');
    assert.deepEqual(first.keys, ['https://shop.example/a', 'https://shop.example/b']);
    const turned = await keysOf('<ul class=x><li><a href=/b>B</a> 2</li><li><a href="/a?utm_source=n">A</a> 1</li></ul>', '.x');
    assert.equal(turned.digest, first.digest);
    const changed = await keysOf(LINKS.replace('> 2<', '> 3<'), '.x');
    assert.deepEqual([changed.keys, changed.digest === first.digest], [first.keys, false]);
  });

  it('takes each match as an item where there are many, with the fields that are asked for', async () => {
    const html =
      '<div class=x data-id=7><h3>A</h3><a href=/same>Go</a><b>1 €</b></div><div class=x data-id=8><h3>B</h3><a href=/same>Go</a></div>';
    const read = await keysOf(html, '.x', { fields: { name: 'h3', price: 'b', link: 'a@href', id: '@data-id' } }, true);
    assert.deepEqual(read.keys, ['7', '8']);
    assert.deepEqual((read.value as { item: object }[])[1]?.item, { name: 'B', price: null, link: 'https://shop.example/same', id: '8' });
    assert.deepEqual((await keysOf(html, '.x', { fields: { name: 'h3' }, item_key: 'name' }, true)).keys, ['A', 'B']);
    assert.match(
      (await keysOf(html, '.x', { fields: { name: 'h3' }, item_key: 'sku' }, true)).problem ?? '',
      /no item has the field sku.*there are name/i,
    );
  });

  it('tells items without a key of their own by what they say, and counts equal ones', async () => {
    assert.deepEqual((await keysOf('<ul class=x><li>A<li>B<li>A</ul>', '.x')).keys, ['A', 'B', 'A #2']);
  });

  it('takes the rows of a table without its head, and the list within a larger part', async () => {
    const table = '<table class=x><tr><th>N</th></tr><tr><td>1</td></tr><tr><td>2</td></tr></table>';
    assert.deepEqual((await keysOf(table, '.x')).keys, ['1', '2']);
    const cards = ['A', 'B', 'C', 'D']
      .map((name) => `<article><h3><a href=/${name}>${name}</a></h3><p>About ${name} in a few words.</p></article>`)
      .join('');
    const part = await keysOf(`<main class=x><h1>All</h1><p>Intro</p><section>${cards}</section></main>`, '.x');
    assert.deepEqual(
      part.keys,
      ['A', 'B', 'C', 'D'].map((name) => `https://shop.example/${name}`),
    );
  });

  it('leaves out items that are ignored', async () => {
    const read = await readOne(LINKS, '.x', spec, { filter: { ignore: ['B 2'] } });
    assert.equal((read.value as readonly object[]).length, 1);
  });

  it('takes lists of JSON by their ids', async () => {
    const read = await readOne('{"a":[{"id":2,"n":"x"},{"id":1,"n":"y"}]}', '$.a', spec, { type: 'application/json' });
    assert.deepEqual(
      (read.value as { key: string }[]).map(({ key }) => key),
      ['2', '1'],
    );
  });
});
