import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assert as check, array, integer, property } from 'fast-check';
import { mulberry32 } from '../../../../tests/conformance/fuzz.ts';
import type { Alignment } from './align.ts';
import { alignSequences } from './align.ts';

const few = array(integer({ min: 0, max: 4 }), { maxLength: 30 });
const matched = ({ matches }: Alignment) => matches.reduce((sum, { count }) => sum + count, 0);

test('matches as many tokens as there can be, in order, and equal ones alone', () => {
  check(
    property(few, few, (old, fresh) => {
      const alignment = alignSequences(old, fresh);
      assertSound(alignment, old, fresh);
      assert.equal(alignment.exact, true);
      assert.equal(matched(alignment), longestCommon(old, fresh));
    }),
    { numRuns: 500 },
  );
});

test('finds the same for exchanged sequences', () => {
  check(
    property(few, few, (old, fresh) => {
      const back = alignSequences(fresh, old).matches.map((match) => ({ old: match.new, new: match.old, count: match.count }));
      assert.deepEqual(alignSequences(old, fresh).matches, back);
    }),
  );
});

test('what differs in every token costs nothing and is exact', () => {
  const old = Array.from({ length: 100_000 }, (_, i) => i);
  const alignment = alignSequences(
    old,
    old.map((token) => -1 - token),
  );
  assert.deepEqual(alignment, { matches: [], exact: true });
});

test('what differs in too much is compared in parts: less matches, what matches is right, and it says so', () => {
  const random = mulberry32(7);
  const old = Array.from({ length: 40_000 }, () => Math.floor(random() ** 3 * 5000));
  const fresh = old.map((token) => (random() < 0.1 ? Math.floor(random() * 5000) : token));
  const alignment = alignSequences(old, fresh);
  assert.equal(alignment.exact, false);
  assertSound(alignment, old, fresh);
  const kept = old.filter((token, i) => token === fresh[i]).length;
  assert.ok(matched(alignment) >= 0.99 * kept, `${matched(alignment)} of ${kept}`);
});

test('what is out of order, and what holds nothing rare, ends too', () => {
  const random = mulberry32(8);
  const lines = Array.from({ length: 20_000 }, (_, i) => i);
  for (const [old, fresh] of [
    [lines, lines.toReversed()],
    [lines, lines.toSorted(() => random() - 0.5)],
    [lines.map(() => Math.floor(random() * 2)), lines.map(() => Math.floor(random() * 2))],
  ] as const) {
    const alignment = alignSequences(old, fresh);
    assert.equal(alignment.exact, false);
    assertSound(alignment, old, fresh);
  }
});

function assertSound({ matches }: Alignment, old: readonly number[], fresh: readonly number[]): void {
  let [oldEnd, newEnd] = [0, 0];
  for (const match of matches) {
    assert.ok(match.count > 0 && match.old >= oldEnd && match.new >= newEnd);
    for (let i = 0; i < match.count; i++) assert.equal(old[match.old + i], fresh[match.new + i]);
    [oldEnd, newEnd] = [match.old + match.count, match.new + match.count];
  }
  assert.ok(oldEnd <= old.length && newEnd <= fresh.length);
}

/** The textbook table. */
function longestCommon(old: readonly number[], fresh: readonly number[]): number {
  let row = fresh.map(() => 0);
  for (const token of old) {
    const next: number[] = [];
    fresh.forEach((other, j) => next.push(token === other ? (row[j - 1] ?? 0) + 1 : Math.max(row[j] ?? 0, next[j - 1] ?? 0)));
    row = next;
  }
  return row.at(-1) ?? 0;
}
