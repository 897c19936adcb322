import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPartSize } from './part-size.ts';

test('parts of all answers that are under way add up to what may be held, within bounds of one', () => {
  const size = createPartSize(4_000_000);
  assert.equal(size.bytes(), 1_048_576);
  const ends = Array.from({ length: 10 }, () => size.begin());
  assert.equal(size.bytes(), 400_000);
  ends.push(...Array.from({ length: 990 }, () => size.begin()));
  assert.equal(size.bytes(), 65_536);
  for (const end of ends) end();
  assert.equal(size.bytes(), 1_048_576);
});
