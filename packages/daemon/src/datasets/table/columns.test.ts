import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { findColumns, findFacets } from './columns.ts';

const bodies = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row));
const LIMITS = { columns: 2, distinctOfColumn: 3, distinctOfAll: 4 };

suite('facets of many values', () => {
  test('F60 a column with too many says so, keeps what is exact, and shows no frequent values', () => {
    const { columns } = findFacets(bodies([{ a: 5 }, { a: 1 }, { a: 2 }, { a: 2 }, { a: 9 }, { a: 0 }]), 10, LIMITS);
    assert.deepEqual(columns, [
      { name: 'a', types: ['integer'], filled: 6, distinct: 3, distinct_is_capped: true, min: 0, max: 9, top: [] },
    ]);
  });

  test('F60 where all columns together have too many, the one with the most gives way', () => {
    const { columns } = findFacets(
      bodies([
        { a: 1, b: 1 },
        { a: 2, b: 1 },
        { a: 3, b: 2 },
      ]),
      10,
      LIMITS,
    );
    assert.deepEqual(
      columns.map(({ name, distinct, distinct_is_capped, top }) => [name, distinct, distinct_is_capped, top.map(({ count }) => count)]),
      [
        ['a', 3, true, []],
        ['b', 2, false, [2, 1]],
      ],
    );
  });

  test('F60 long values that begin alike are told apart, and shown cut', () => {
    const [one, other] = ['a', 'b'].map((end) => `${'x'.repeat(300)}${end}`);
    const { columns } = findFacets(bodies([{ a: one }, { a: other }, { a: one }]), 10);
    const shown = `${'x'.repeat(200)}\u2026`;
    assert.deepEqual(
      [columns[0]?.distinct, columns[0]?.top],
      [
        2,
        [
          { value: shown, count: 2 },
          { value: shown, count: 1 },
        ],
      ],
    );
  });
});

test('F60 columns behind the last that is listed are said to be there', () => {
  const { columns, hasMoreColumns } = findColumns(bodies([{ a: 1, b: null }, { c: 1, a: 'x' }, { a: 'y' }]), LIMITS);
  assert.deepEqual(
    [columns, hasMoreColumns],
    [
      [
        { name: 'a', types: ['string', 'integer'] },
        { name: 'b', types: ['null'] },
      ],
      true,
    ],
  );
});
