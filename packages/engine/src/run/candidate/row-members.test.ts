import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { findRows } from './row-members.ts';

const answer = {
  meta: { pages: [{ a: 1 }, { a: 2 }] },
  found: [
    { id: 7, name: 'Tea', price: { amount: 4.5 }, tags: ['a'], sold: false },
    { id: 14, name: 'Milk {{x}}', price: { amount: 1 }, tags: [], sold: true },
  ],
};

suite('rows of a page in the JSON that its scripts were answered', () => {
  const cases: readonly (readonly [string, readonly object[], Readonly<Record<string, string>> | undefined])[] = [
    ['as they are', [{ title: 'Tea' }, { title: 'Milk {{x}}' }], { title: '{{item.name}}' }],
    ['numbers as text', [{ number: '7' }, { number: '14' }], { number: '{{item.id | append: ""}}' }],
    ['with words around', [{ cost: '$4.5 each' }, { cost: '$1 each' }], { cost: '${{item.price.amount}} each' }],
    ['of their own type', [{ sold: false }, { sold: true }], { sold: '{{item.sold}}' }],
    ['with other words around each', [{ cost: '$4.5 each' }, { cost: '$1 a pair' }], undefined],
    ['in another order', [{ title: 'Milk {{x}}' }, { title: 'Tea' }], undefined],
    ['fewer than there are', [{ title: 'Tea' }], undefined],
    [
      'one field of which is nowhere',
      [
        { title: 'Tea', in: 'stock' },
        { title: 'Milk {{x}}', in: 'stock' },
      ],
      undefined,
    ],
    ['none', [], undefined],
  ];
  for (const [name, rows, fields] of cases)
    test(name, () => assert.deepEqual(findRows(answer, rows as never), fields && { path: 'json.found', fields }));

  test('a single row tells too little', () => assert.equal(findRows([{ a: 'x' }], [{ b: 'x' }]), undefined));
});
