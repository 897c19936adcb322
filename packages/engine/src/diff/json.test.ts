import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { JsonChange } from '@weft/contract';
import { assert as check, array, constantFrom, dictionary, integer, jsonValue, oneof, property, record, uniqueArray } from 'fast-check';
import { PageError } from '../errors.ts';
import type { JsonObject, JsonValue } from '../html/loose-json.ts';
import { diffItems, diffJson } from './json.ts';

const shown = ({ kind, pointer, from, old, new: fresh }: JsonChange) =>
  [
    kind,
    pointer,
    ...(kind === 'moved' ? [from] : []),
    ...(old === undefined ? [] : [JSON.stringify(old)]),
    ...(fresh === undefined ? [] : ['->', JSON.stringify(fresh)]),
  ].join(' ');
const changes = (old: JsonValue, fresh: JsonValue, key?: string[]) => diffJson(old, fresh, key ? { key } : {}).changes.map(shown);

suite('the difference of JSON', () => {
  test('names the field, what it was and what it is', () => {
    for (const [old, fresh, expected] of [
      [{ price: 10 }, { price: 12 }, ['changed /price 10 -> 12']],
      [{ a: 1 }, { b: 1 }, ['added /b -> 1', 'removed /a 1']],
      [{ a: { 'x/y~z': 1 } }, { a: { 'x/y~z': 2 } }, ['changed /a/x~1y~0z 1 -> 2']],
      [{ a: 1, b: 2 }, { b: 2, a: 1 }, []],
      [{ a: 1 }, { a: '1' }, ['changed /a 1 -> "1"']],
      [{ a: null }, {}, ['removed /a null']],
      [{ a: [] }, { a: {} }, ['changed /a [] -> {}']],
      [1, 2, ['changed  1 -> 2']],
    ] as [JsonValue, JsonValue, string[]][])
      assert.deepEqual(changes(old, fresh), expected);
  });

  test('true that becomes false is a change of a boolean', () => {
    assert.deepEqual(diffJson({ p: true }, { p: false }).changes, [{ kind: 'changed', pointer: '/p', old: true, new: false }]);
  });

  test('numbers are equal as numbers', () => {
    assert.deepEqual(changes(JSON.parse('[1.0, 1e2, -0]'), JSON.parse('[1, 100, 0]')), []);
  });

  test('members that objects inherit are no members', () => {
    assert.deepEqual(changes({}, JSON.parse('{"__proto__": 1, "toString": 2}')), ['added /__proto__ -> 1', 'added /toString -> 2']);
  });

  test('items are found again by their key, wherever they stand', () => {
    const old = [
      { sku: 'A', price: 1 },
      { sku: 'B', price: 2 },
      { sku: 'C', price: 3 },
    ];
    const fresh = [
      { sku: 'N', price: 9 },
      { sku: 'C', price: 3 },
      { sku: 'A', price: 5 },
    ];
    assert.deepEqual(changes(old, fresh), [
      'moved /1 /2',
      'changed /2/price 1 -> 5',
      'added /0 -> {"sku":"N","price":9}',
      'removed /1 {"sku":"B","price":2}',
    ]);
  });

  test('a key that was given wins over one that would be found, and holds where items have it', () => {
    const old = {
      list: [
        { id: 1, name: 'a' },
        { id: 2, name: 'b' },
      ],
      tags: ['x'],
    };
    const fresh = {
      list: [
        { id: 2, name: 'a' },
        { id: 1, name: 'b' },
      ],
      tags: ['y'],
    };
    assert.deepEqual(changes(old, fresh, ['name']), [
      'changed /list/0/id 1 -> 2',
      'changed /list/1/id 2 -> 1',
      'changed /tags/0 "x" -> "y"',
    ]);
  });

  test('items without a key are paired by what they hold, then by where they stand', () => {
    assert.deepEqual(changes(['a', 'b', 'c'], ['a', 'x', 'c']), ['changed /1 "b" -> "x"']);
    assert.deepEqual(changes([1, 2, 3], [3, 1, 2]), ['moved /0 /2']);
    assert.deepEqual(changes(['a', 'b'], ['n', 'a', 'b']), ['added /0 -> "n"']);
    assert.deepEqual(changes([{ p: 1 }, { p: 1 }], [{ p: 1 }, { p: 2 }]), ['changed /1/p 1 -> 2']);
  });

  test('JSON that is nested too deeply is refused with the limit', () => {
    const deep = (value: JsonValue) => Array.from({ length: 300 }).reduce<JsonValue>((inner) => [inner], value);
    assert.throws(
      () => diffJson(deep(1), deep(2)),
      (error) => error instanceof PageError && error.code === 'page_too_complex' && /200/.test(error.message),
    );
  });

  test('there are none exactly where the values are equal', () => {
    const value = jsonValue({ maxDepth: 3 });
    check(
      property(value, value, (a, b) => {
        const [old, fresh] = [a, b].map((each) => JSON.parse(JSON.stringify(each)) as JsonValue) as [JsonValue, JsonValue];
        assert.deepEqual(changes(old, structuredClone(old)), []);
        assert.equal(changes(old, fresh).length === 0, isDeepStrictEqual(old, fresh));
      }),
    );
  });

  test('exchanged objects exchange what was added and removed', () => {
    const nested = dictionary(
      constantFrom('a', 'b', 'c'),
      oneof(integer({ min: 0, max: 1 }), dictionary(constantFrom('x', 'y'), integer({ min: 0, max: 1 }))),
    );
    check(
      property(nested, nested, (old, fresh) => {
        const places = (found: readonly JsonChange[], kind: string) =>
          found.filter((change) => change.kind === kind).map(({ pointer }) => pointer);
        const [there, back] = [
          diffJson(old as JsonObject, fresh as JsonObject).changes,
          diffJson(fresh as JsonObject, old as JsonObject).changes,
        ];
        assert.deepEqual(places(there, 'added').toSorted(), places(back, 'removed').toSorted());
        assert.deepEqual(places(there, 'changed').toSorted(), places(back, 'changed').toSorted());
      }),
    );
  });

  test('changes of members, applied, make the new object', () => {
    const flat = dictionary(constantFrom('a', 'b', 'c/d', '~'), integer({ min: 0, max: 3 }));
    check(
      property(flat, flat, (old, fresh) => {
        const made: Record<string, unknown> = { ...old };
        for (const { kind, pointer, new: value } of diffJson(old, fresh).changes) {
          const name = pointer.slice(1).replaceAll('~1', '/').replaceAll('~0', '~');
          if (kind === 'removed') delete made[name];
          else made[name] = value;
        }
        assert.deepEqual(made, { ...fresh });
      }),
    );
  });
});

suite('the difference of lists', () => {
  test('says which items are new, gone, changed in which fields, and moved', () => {
    const old = [
      { sku: 'A', price: 1, tags: ['x'] },
      { sku: 'B', price: 2 },
      { sku: 'C', price: 3 },
    ];
    const fresh = [
      { sku: 'C', price: 3 },
      { sku: 'A', price: 5, tags: ['x', 'y'] },
      { sku: 'D', price: 4 },
    ];
    const { changed, ...rest } = diffItems(old, fresh);
    assert.deepEqual(rest, {
      kind: 'items',
      key: ['sku'],
      added: [{ position: 2, item: fresh[2] }],
      gone: [{ position: 1, item: old[1] }],
      moved: [{ old_position: 2, new_position: 0 }],
      unchanged: 1,
      exact: true,
    });
    assert.deepEqual(
      changed.map(({ old_position, new_position, fields }) => [old_position, new_position, fields.map(shown)]),
      [[0, 1, ['changed /price 1 -> 5', 'added /tags/1 -> "y"']]],
    );
  });

  test('a member that only happens to differ is no key', () => {
    const rows = (prices: readonly number[]) => prices.map((price) => ({ price, kind: 'book' }));
    assert.equal(diffItems(rows([1, 2, 3]), rows([4, 5, 6])).key, null);
    assert.deepEqual(diffItems(rows([1, 2, 3]), rows([1, 2, 4])).key, ['price']);
  });

  test('a key may be several members; items that share it are paired in their order', () => {
    const row = (a: number, b: number, v: number) => ({ a, b, v });
    const { key, changed, added } = diffItems(
      [row(1, 1, 1), row(1, 1, 2), row(1, 2, 3)],
      [row(1, 1, 1), row(1, 1, 9), row(1, 2, 3), row(1, 1, 4)],
      { key: ['a', 'b'] },
    );
    assert.deepEqual([key, changed.map(({ new_position }) => new_position), added.map(({ position }) => position)], [['a', 'b'], [1], [3]]);
  });

  test('each item is in one place of the answer, and the moved ones alone left their order', () => {
    const rows = uniqueArray(record({ id: integer({ min: 0, max: 9 }), v: integer({ min: 0, max: 1 }) }), {
      selector: ({ id }) => id,
      maxLength: 10,
    });
    check(
      property(rows, rows, (old, fresh) => {
        const diff = diffItems(old, fresh, { key: ['id'] });
        const kept = old.filter(({ id }) => fresh.some((other) => other.id === id));
        assert.equal(diff.gone.length, old.length - kept.length);
        assert.equal(diff.added.length, fresh.length - kept.length);
        assert.equal(diff.changed.length + diff.unchanged, kept.length);
        const moved = new Set(diff.moved.map(({ new_position }) => fresh[new_position]?.id));
        const order = (items: typeof old) =>
          items.flatMap(({ id }) => (kept.some((other) => other.id === id) && !moved.has(id) ? [id] : []));
        assert.deepEqual(order(old), order(fresh));
      }),
    );
  });

  test('rows without any key are paired', () => {
    const cells = array(record({ a: integer({ min: 0, max: 1 }) }), { maxLength: 8 });
    check(
      property(cells, cells, (old, fresh) => {
        const { added, gone, changed, unchanged } = diffItems(old, fresh);
        assert.equal(gone.length + changed.length + unchanged, old.length);
        assert.equal(added.length + changed.length + unchanged, fresh.length);
      }),
    );
  });
});
