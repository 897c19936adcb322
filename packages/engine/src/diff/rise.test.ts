import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assert as check, array, integer, property } from 'fast-check';
import { longestRise } from './rise.ts';

test('finds a rise that no other is longer than', () => {
  check(
    property(array(integer({ min: 0, max: 9 }), { maxLength: 10 }), (numbers) => {
      const rise = longestRise(numbers).map((place) => numbers[place] ?? Number.NaN);
      assert.ok(rise.every((number, i) => i === 0 || number > (rise[i - 1] ?? 0)));
      assert.equal(rise.length, longestByTrying(numbers));
    }),
  );
});

/** Every choice of numbers. */
function longestByTrying(numbers: readonly number[]): number {
  const choices = Array.from({ length: 2 ** numbers.length }, (_, bits) => numbers.filter((__, i) => (bits >> i) % 2 === 1));
  const rising = choices.filter((choice) => choice.every((number, i) => i === 0 || number > (choice[i - 1] ?? 0)));
  return Math.max(...rising.map(({ length }) => length));
}
