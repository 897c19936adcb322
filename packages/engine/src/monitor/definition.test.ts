import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { withoutReplaced } from './definition.ts';

suite('what a merge patch replaces as a whole', () => {
  const current = { name: 'n', schedule: { every: 60 }, when: { value: '{{values.a}}', op: 'exists' } } as const;
  test('stays where the patch says nothing of it', () => assert.deepEqual(withoutReplaced(current, {}), current));
  test('is gone where it says another schedule, another condition, or none', () => {
    const { schedule, when, ...rest } = current;
    assert.deepEqual(withoutReplaced(current, { schedule: { cron: '0 * * * *' } }), { ...rest, when });
    assert.deepEqual(withoutReplaced(current, { when: { all: [current.when] } }), { ...rest, schedule });
    assert.deepEqual(withoutReplaced(current, { when: null, schedule: null }), rest);
  });
});
