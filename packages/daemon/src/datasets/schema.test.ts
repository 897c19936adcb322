import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { formatCursor, parseCursor } from './cursor.ts';
import { inferFields } from './schema.ts';
import { searchTextOf } from './search-text.ts';

suite('inferred schema', () => {
  test('has types by frequency, the share of nulls, and different examples', () => {
    const fields = inferFields([{ a: 1, b: 'x' }, { a: 1.5, b: null }, { a: 2 }, { a: 2, b: 'x' }]);
    assert.deepEqual(fields, [
      { name: 'a', types: ['integer', 'number'], null_share: 0, examples: [1, 1.5, 2] },
      { name: 'b', types: ['string', 'null'], null_share: 0.5, examples: ['x'] },
    ]);
  });

  test('shows nested values as JSON and cuts long ones', () =>
    assert.deepEqual(
      inferFields([{ a: { b: [1] }, c: 'y'.repeat(100) }]).map(({ examples }) => examples),
      [['{"b":[1]}'], [`${'y'.repeat(80)}\u2026`]],
    ));

  test('F60 lists at most 1,000 fields, whatever they are called', () => {
    const names = ['select', '', '__proto__', 'a"b', ...Array.from({ length: 1100 }, (_, i) => `c${i}`)];
    const fields = inferFields([JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:1`).join()}}`) as Record<string, unknown>]);
    assert.deepEqual(
      fields.slice(0, 4).map(({ name }) => name),
      names.slice(0, 4),
    );
    assert.equal(fields.length, 1000);
  });

  test('is empty without records', () => assert.deepEqual(inferFields([]), []));
});

suite('cursors', () => {
  const list = ['records', 1, undefined];
  const cursor = formatCursor(list, [12, 3]);
  const refused = { code: 'bad_request' };

  test('give back their position', () => assert.deepEqual(parseCursor(list, cursor, 2), [12, 3]));
  test('have no position when there is none', () => assert.deepEqual(parseCursor(list, undefined, 2), []));
  for (const [name, wrong] of [
    ['changed', cursor.replace('12', '13')],
    ['cut', cursor.slice(0, -1)],
    ['empty', ''],
    ['foreign', 'eyJpZCI6MX0='],
    ['numeric', '12'],
    ['negative', cursor.replace('12', '-12')],
  ] as const)
    test(`F59 refuse a ${name} one`, () => assert.throws(() => parseCursor(list, wrong, 2), refused));
  test('F59 refuse one of another list', () => assert.throws(() => parseCursor(['records', 2, undefined], cursor, 2), refused));
  test('F59 refuse one with another number of parts', () => assert.throws(() => parseCursor(list, cursor, 1), refused));
});

const PAGE = { url: 'https://a.test/', content_hash: 'h', fetched_at: 't', lane: 'http', status: 200, title: 'Shelf' };

suite('searchable text', () => {
  for (const [name, record, text] of [
    ['of a row: its values', { title: 'T', a: 'x', b: 2, c: { d: ['y'] }, e: null, f: true }, { title: 'T', body: 'x\n2\ny' }],
    ['of a page: title, content, address', { ...PAGE, markdown: '# Books' }, { title: 'Shelf', body: 'Books\nhttps://a.test/' }],
    [
      'of a page: what a link says, not where it leads',
      { ...PAGE, markdown: 'See [**red** books](https://b.test/x_(y)#z "t") and ![a `shelf`](/s.png), a[0](1), \\_x\\_' },
      { title: 'Shelf', body: 'See red books and a shelf, a[0](1), _x_\nhttps://a.test/' },
    ],
    [
      'of a page kept as HTML: without its tags',
      { ...PAGE, html: '<p>Books<b>!</b>' },
      { title: 'Shelf', body: ' Books ! \nhttps://a.test/' },
    ],
    ['of a page of which only the address was kept: none', { ...PAGE, title: undefined }, { title: '', body: '' }],
    ['of Chinese: character by character', { a: '\u5317\u4eac ab' }, { title: '', body: '\u5317 \u4eac ab' }],
  ] as const)
    test(name, () => assert.deepEqual(searchTextOf(record), text));

  test('ends at half a million characters', () => assert.ok(searchTextOf({ a: 'x'.repeat(2_000_000), b: 'y' }).body.length <= 500_000));
});
