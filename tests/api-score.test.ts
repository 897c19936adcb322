import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scoreRows } from './api-score.ts';

const TRUTH = [
  {
    id: 1,
    title: 'Look after the bean',
    price: 12.5,
    day: '2024-04-03T08:00:00Z',
    link: '/beans/1',
    text: 'Sow it in the open once the soil is warm.',
  },
  { id: 2, title: 'Look after the pea', price: 1200, day: '2024-05-01T08:00:00Z', link: '/beans/2', text: 'Most lose their first one.' },
];
const WANTED = ['title', 'price', 'day'];
const score = (rows: readonly Readonly<Record<string, unknown>>[]) => scoreRows(rows, TRUTH, ['title', 'link'], WANTED);

test('counts what the application says as right, however a page writes it', () => {
  const { cells, right, wanted, found, matched } = score([
    {
      name: 'Look after the bean',
      cost: { amount: 12.5, currency: 'EUR' },
      on: 'April 3, 2024',
      url: 'http://127.0.0.1:80/beans/1',
      more: 'once the soil',
    },
    { name: 'LOOK after the pea', cost: '1,200.00 €', on: 'Written on 2024-05-01', url: 'http://127.0.0.1/beans/2', more: null },
  ]);
  assert.deepEqual({ cells, right, wanted, found, matched }, { cells: 9, right: 9, wanted: 6, found: 6, matched: 2 });
});

test('counts every cell of a row that is no such thing as wrong, and a thing that comes twice once', () => {
  const bean = { name: 'Look after the bean', cost: 12.5 };
  const { cells, right, rows, matched, wrong } = score([bean, { ...bean }, { name: 'Imprint', cost: 3 }]);
  assert.deepEqual({ cells, right, rows, matched }, { cells: 6, right: 2, rows: 3, matched: 1 });
  assert.deepEqual(wrong, { name: 'Look after the bean', cost: '12.5' });
});

test('counts an excerpt as right whose pieces are each a part of the fact, and no other', () => {
  const excerpt = (text: string) => score([{ name: 'Look after the bean', text }]).right;
  assert.equal(excerpt('ow it in the open on ... ce the soil is warm.'), 2);
  assert.equal(excerpt('ow it in the open on ... ce the moon is full.'), 1);
});

test('takes a fact from one column alone', () => {
  const { found } = score([
    { a: 'Look after the bean', b: 12.5 },
    { a: 'x', b: 'Look after the pea', c: 1200 },
  ]);
  assert.equal(found, 2);
});

test('leaves out addresses that lead elsewhere', () => {
  const { cells, right } = score([{ name: 'Look after the bean', picture: 'http://127.0.0.1/beans/1.png' }]);
  assert.deepEqual({ cells, right }, { cells: 1, right: 1 });
});
