import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import type { Condition } from '@weft/contract';
import { compare, decideCondition } from './condition.ts';

const none = async () => [];

suite('conditions', () => {
  for (const [value, op, wanted, holds] of [
    [1, 'eq', '1', true],
    ['a', 'eq', 'b', false],
    [[1], 'eq', [1], true],
    [null, 'eq', '', true],
    [1, 'ne', 2, true],
    ['10', 'gt', '9', true],
    [2, 'gt', 2, false],
    ['2026-02-01', 'lt', '2026-10-01', true],
    [2, 'ge', 2, true],
    [2, 'le', 1, false],
    ['a', 'lt', 1, false],
    ['Order 12', 'matches', '^Order \\d+$', true],
    ['order', 'matches', '/ORDER/i', true],
    ['sand', 'contains', 'an', true],
    [['a', 1], 'contains', '1', true],
    ['', 'exists', undefined, false],
    [[], 'exists', undefined, false],
    [0, 'exists', undefined, true],
    [{ a: 1 }, 'schema', { type: 'object', required: ['a'] }, true],
    [{ a: 'x' }, 'schema', { type: 'object', properties: { a: { type: 'number' } } }, false],
    [[1, 2], 'count', 2, true],
    [{ a: 1 }, 'count', '1', true],
    [null, 'count', 0, true],
  ] as const)
    test(`${JSON.stringify(value)} ${op} ${JSON.stringify(wanted)} is ${holds}`, () => assert.equal(compare(value, op, wanted), holds));

  test('a part of the page is compared value by value', async () => {
    const read = async () => ['a', 'b'];
    const page = { selectors: ['li'] };
    const decide = (condition: Condition) => decideCondition(condition, { vars: { w: 'b' } }, read);
    assert.equal(await decide({ page, op: 'eq', with: '{{vars.w}}' }), true);
    assert.equal(await decide({ page, op: 'ne', with: 'b' }), false);
    assert.equal(await decide({ page, op: 'count', with: 2 }), true);
    assert.equal(await decide({ page, op: 'exists' }), true);
  });

  test('a pattern that would stall another engine takes no time of its own', () => {
    assert.equal(compare(`${'a'.repeat(50_000)}!`, 'matches', '(a+)+$'), false);
  });

  const leaf = fc.boolean().map((holds): Condition => ({ value: holds ? 1 : 0, op: 'eq', with: 1 }));
  const tree = fc.letrec<{ one: Condition }>((tie) => ({
    one: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie('one'), { minLength: 1, maxLength: 3 }).map((all): Condition => ({ all })),
      fc.array(tie('one'), { minLength: 1, maxLength: 3 }).map((any): Condition => ({ any })),
      tie('one').map((not): Condition => ({ not })),
    ),
  })).one;
  const truth = (condition: Condition): boolean => {
    if ('all' in condition) return condition.all.every(truth);
    if ('any' in condition) return condition.any.some(truth);
    return 'not' in condition ? !truth(condition.not) : condition.value === 1;
  };

  test('put together they decide as logic does', () =>
    fc.assert(fc.asyncProperty(tree, async (condition) => assert.equal(await decideCondition(condition, {}, none), truth(condition)))));

  test('the opposite of an order is the other one with equality, for any numbers', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.integer(),
        (a, b) => compare(a, 'lt', b) === !compare(a, 'ge', b) && compare(a, 'gt', b) === !compare(a, 'le', b),
      ),
    );
  });
});
