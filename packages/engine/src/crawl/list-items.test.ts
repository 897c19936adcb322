import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { FieldScalar, RecordItem } from '../records/list.ts';
import { ListItems } from './list-items.ts';

const itemOf = (fields: Readonly<Record<string, string | FieldScalar>>): RecordItem => ({
  text: Object.values(fields).join(' '),
  fields: Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? { type: 'text', raw: value } : value]),
  ),
});
const seen = (raw: string, secondsAgo: number): FieldScalar => ({ type: 'date', iso: undefined, secondsAgo, raw });

suite('items of several pages', () => {
  test('leaves out what an earlier page showed whole, and keeps two rows of one page that say the same', () => {
    const items = new ListItems([]);
    assert.equal(items.add([itemOf({ a: '1' }), itemOf({ a: '1' }), itemOf({ a: '2' })]), 3);
    assert.equal(items.add([itemOf({ a: '2' }), itemOf({ a: '3' })]), 1);
    assert.deepEqual([items.all.length, items.repeated], [4, 1]);
  });

  test('takes one thing for another by its key alone, and by all that it says where it has none', () => {
    const items = new ListItems(['id']);
    assert.equal(items.add([itemOf({ id: '1', a: 'x' }), itemOf({ id: '1', a: 'y' }), itemOf({ a: 'x' })]), 2);
    assert.equal(items.add([itemOf({ a: 'x' }), itemOf({ id: '2', a: 'x' })]), 1);
  });

  test('how long ago something was tells no item from another', () => {
    const items = new ListItems([]);
    items.add([itemOf({ a: '1', at: seen('1 minute ago', 60) })]);
    assert.equal(items.add([itemOf({ a: '1', at: seen('2 minutes ago', 120) })]), 0);
  });

  test('an item without fields is told by its text', () => {
    const items = new ListItems([]);
    items.add([{ text: 'one', fields: {} }]);
    assert.equal(
      items.add([
        { text: 'one', fields: {} },
        { text: 'two', fields: {} },
      ]),
      1,
    );
  });
});
