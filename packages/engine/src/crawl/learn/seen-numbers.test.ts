import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeenNumbers } from './seen-numbers.ts';

test('knows every number that it has seen', () => {
  const seen = new SeenNumbers();
  for (let i = 0; i < 10_000; i++) seen.add(i * 7919);
  for (let i = 0; i < 10_000; i++) assert.equal(seen.add(i * 7919), false);
});

test('takes few new numbers for seen, and says when it is full', () => {
  const seen = new SeenNumbers();
  let mistaken = 0;
  let count = 0;
  for (; !seen.isFull; count++) if (!seen.add(Math.imul(count, 2654435761) ^ (count << 3))) mistaken++;
  assert.ok(count > 100_000, String(count));
  assert.ok(mistaken / count < 0.07, String(mistaken / count));
  assert.equal(seen.add(-1), false);
});
