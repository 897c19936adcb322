import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordsOf } from './work.ts';

test('says what a build found, and whom it waits for, in words', () => {
  const found = (candidates: number) => wordsOf({ type: 'found', buildId: 'bld_1', candidates });
  assert.deepEqual([0, 1, 2].map(found), ['0 candidates', '1 candidate', '2 candidates']);
  const words = wordsOf({ type: 'waiting', host: 'slow.test', sinceMs: Date.UTC(2024, 0, 2, 3, 4, 5) });
  assert.equal(words, 'waiting for slow.test since 2024-01-02T03:04:05.000Z');
});
