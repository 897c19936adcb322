import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffFunctions } from './diff-functions.ts';
import type { BuiltFunction } from './functions/built-function.ts';

interface Part {
  readonly rows: readonly Readonly<Record<string, string>>[];
  readonly inputs?: readonly string[];
  readonly state?: 'proved' | 'failed';
}

/** What a diff reads of a function. */
function built(name: string, { rows, inputs = ['q'], state = 'proved' }: Part): BuiltFunction {
  const properties = (names: readonly string[]) => ({ properties: Object.fromEntries(names.map((each) => [each, {}])) });
  const part = {
    name,
    workflow: { steps: [], inputs: properties(inputs) },
    rowSchema: properties(Object.keys(rows[0] ?? {})),
    sample: rows,
    certificate: { state, lane: 'http', reason: 'As it is.' },
  };
  // The rest of a function is read by nothing here.
  return part as unknown as BuiltFunction;
}

const ROWS = [
  { title: 'Green Tea', price: '3.50 EUR' },
  { title: 'Black Tea', price: '4.20 EUR' },
];

test('functions of the same name that are the same are no change', () => {
  const one = built('search', { rows: ROWS });
  assert.deepEqual(diffFunctions([one], [one]), { added: [], removed: [], changed: [] });
});

test('a function that is gone and one that is new are named', () => {
  const { added, removed } = diffFunctions([built('search', { rows: ROWS })], [built('list', { rows: ROWS })]);
  assert.deepEqual([added, removed], [['list'], ['search']]);
});

test('a field with the same values under another name is renamed, others are gone and new', () => {
  const now = ROWS.map(({ title, price }) => ({ name: title, cost: price.replace('EUR', 'USD'), stock: 'In store' }));
  const [change] = diffFunctions([built('search', { rows: ROWS })], [built('search', { rows: now })]).changed;
  assert.deepEqual(change?.fields, { added: ['cost', 'stock'], gone: ['price'], renamed: [{ from: 'title', to: 'name' }] });
});

test('prices that changed are the same field under another name', () => {
  const now = [
    { title: 'Green Tea', cost: '9.99 EUR' },
    { title: 'Black Tea', cost: '1.25 EUR' },
  ];
  const [change] = diffFunctions([built('search', { rows: ROWS })], [built('search', { rows: now })]).changed;
  assert.deepEqual(change?.fields?.renamed, [{ from: 'price', to: 'cost' }]);
});

test('inputs and proofs that differ are named', () => {
  const [change] = diffFunctions(
    [built('search', { rows: ROWS })],
    [built('search', { rows: ROWS, inputs: ['word'], state: 'failed' })],
  ).changed;
  assert.deepEqual(change?.inputs, { added: ['word'], gone: ['q'], renamed: [] });
  assert.deepEqual(change?.proof, { before: 'proved', after: 'failed', reason: 'As it is.' });
});
