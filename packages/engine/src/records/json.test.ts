import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOfObjects } from './json-fields.ts';
import { recordListFromJson } from './json.ts';

const numbers = [1, 2, 3];
const things = numbers.map((n) => ({
  id: n,
  name: `Thing ${n}`,
  price: n + 0.5,
  currency: 'EUR',
  url: `https://x.test/p/${n}`,
  image: `https://x.test/${n}.jpg`,
}));
const breadcrumb = {
  '@type': 'BreadcrumbList',
  itemListElement: numbers.map((n) => ({
    '@type': 'ListItem',
    position: n,
    item: { '@id': `https://x.test/${n}`, name: `A rather long crumb ${n}` },
  })),
};

const shapes: readonly (readonly [name: string, value: unknown])[] = [
  ['an array', things],
  [
    'an array deep in a state',
    {
      props: {
        pageProps: {
          menu: [
            { label: 'a', to: '/a' },
            { label: 'b', to: '/b' },
          ],
          search: { results: things },
        },
      },
    },
  ],
  ['an ItemList', { '@type': 'ItemList', itemListElement: things.map((item, i) => ({ '@type': 'ListItem', position: i + 1, item })) }],
  [
    'an @graph beside a breadcrumb',
    {
      '@graph': [
        breadcrumb,
        { '@type': 'WebSite', name: 'x', url: 'https://x.test/' },
        ...things.map((thing) => ({ '@type': 'Product', ...thing })),
      ],
    },
  ],
  [
    'the values of a cache',
    {
      cache: Object.fromEntries(things.map((thing) => [`Product:${thing.id}`, { __typename: 'Product', ...thing }])),
      ROOT: { __typename: 'Query' },
    },
  ],
  ['a connection', { data: { edges: things.map((node) => ({ cursor: 'c', node })) } }],
];

for (const [name, value] of shapes) {
  test(`finds the records in ${name}`, () => {
    const list = recordListFromJson(value, 'state');
    assert.deepEqual(
      list?.items.map(({ fields }) => fields['name']),
      numbers.map((n) => ({ type: 'text', raw: `Thing ${n}` })),
    );
    assert.deepEqual(list?.items[0]?.fields['price'], { type: 'price', amount: '1.50', amountMinor: 150, currency: 'EUR', raw: '1.5' });
    assert.equal(list?.source, 'state');
    assert.deepEqual(list?.nodes, []);
  });
}

test('types addresses and pictures, and names nested keys by their last part unless two collide', () => {
  const list = recordListFromJson(
    things.map(({ name, url, image }) => ({
      name,
      url,
      image,
      offers: { price: '5.00', priceCurrency: 'USD' },
      brand: { name: `Brand of ${name}` },
      tags: ['a', 'b'],
    })),
    'jsonld',
  );
  assert.deepEqual(Object.fromEntries(list?.fields.map(({ name, type }) => [name, type]) ?? []), {
    name: 'text',
    url: 'url',
    image: 'image',
    price: 'price',
    price_currency: 'text',
    brand_name: 'text',
    tags: 'text',
  });
  assert.deepEqual(list?.items[0]?.fields['tags'], [
    { type: 'text', raw: 'a' },
    { type: 'text', raw: 'b' },
  ]);
  assert.deepEqual(list?.items[0]?.fields['price'], { type: 'price', amount: '5.00', amountMinor: 500, currency: 'USD', raw: '5.00' });
});

test('finds nothing in scalars, single objects and mixed arrays', () => {
  for (const value of [
    undefined,
    null,
    1,
    'x',
    {},
    { a: 1 },
    [1, 2, 3],
    [{ a: 1, b: 2 }],
    [
      { a: 1, b: 1 },
      { c: 1, d: 1 },
      { e: 1, f: 1 },
    ],
  ]) {
    assert.equal(recordListFromJson(value, 'xhr'), undefined);
  }
});

test('takes the keys of an API as its schema, where few of its objects have a value or none has', () => {
  const objects = Array.from({ length: 10 }, (_, i) => ({
    id: i,
    city: i === 4 ? 'Bergen' : null,
    street: '',
    home: i < 5 ? null : { door: i },
    face: 'data:image/png;base64,AAAA',
  }));
  assert.deepEqual(
    fieldsOfObjects(objects, undefined, true).map(({ name, type, filled }) => [name, type, filled]),
    [
      ['id', 'text', 1],
      ['city', 'text', 0.1],
      ['street', 'text', 0],
      ['door', 'count', 0.5],
    ],
  );
  assert.deepEqual(
    fieldsOfObjects(objects).map(({ name }) => name),
    ['id', 'door'],
  );
});

test('ends on a value that is nested without end', () => {
  let deep: unknown = things;
  for (let i = 0; i < 5000; i++) deep = { deep };
  assert.equal(recordListFromJson(deep, 'xhr'), undefined);
});
