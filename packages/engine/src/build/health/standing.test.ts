import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextCheckMs, standAfter } from './standing.ts';
import type { FunctionHealth } from './standing.ts';
import type { Recheck } from './recheck.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const CHANGE = { kind: 'login', message: 'It asks to log in.' } as const;

/** Checks a minute apart: `b` a broken proof, `h` one that holds, `c` one whose budget ended first, `u` one whose site could not be reached. */
const STORIES: readonly (readonly [story: string, states: string, turns: string])[] = [
  ['h', 'healthy', ''],
  ['b', 'degraded', 'degraded'],
  ['bh', 'healthy', 'degraded healthy'],
  ['bbb', 'failed', 'degraded failed'],
  ['bbbb', 'failed', 'degraded failed'],
  ['bbbh', 'healthy', 'degraded failed healthy'],
  ['bbhbb', 'degraded', 'degraded healthy degraded'],
  ['bbcb', 'failed', 'degraded failed'],
  ['c', '', ''],
  ['u', 'healthy', ''],
  ['uu', 'healthy', ''],
  ['uuh', 'healthy', ''],
  ['uuhuu', 'healthy', ''],
  ['uuu', 'degraded', 'degraded'],
  ['uuuuu', 'failed', 'degraded failed'],
  ['uuuh', 'healthy', 'degraded healthy'],
  ['buu', 'degraded', 'degraded'],
  ['ub', 'degraded', 'degraded'],
];

function ofLetter(letter: string): Pick<Recheck, 'change' | 'unreached'> {
  if (letter === 'u') return { change: { kind: 'unreachable', message: 'No host listens there.' }, unreached: 'connect' };
  return letter === 'b' ? { change: CHANGE } : {};
}

for (const [story, state, turns] of STORIES)
  test(`after ${story} it is ${state === '' ? 'not known' : state}`, () => {
    let functions: readonly FunctionHealth[] = [];
    const told: string[] = [];
    for (const [place, letter] of [...story].entries()) {
      const recheck = { function: 'search', isCut: letter === 'c', ...ofLetter(letter) };
      const after = standAfter(functions, [recheck], place * MINUTE_MS);
      functions = after.functions;
      told.push(...after.turns.map(({ to }) => to));
    }
    assert.deepEqual([functions[0]?.state ?? '', told.join(' ')], [state, turns]);
  });

test('a failure dates from its first broken proof, and a function that was not proved again is left out', () => {
  let functions: readonly FunctionHealth[] = [];
  for (const atMs of [1, 2, 3]) functions = standAfter(functions, [{ function: 'search', isCut: false, change: CHANGE }], atMs).functions;
  assert.deepEqual([functions[0]?.sinceMs, functions[0]?.failures], [1, 3]);
  assert.deepEqual(standAfter(functions, [], 4).functions, []);
});

for (const [failures, waitMs] of [
  [0, DAY_MS],
  [1, 10 * MINUTE_MS],
  [2, 20 * MINUTE_MS],
  [5, 160 * MINUTE_MS],
  [9, DAY_MS],
  [1000, DAY_MS],
] as const)
  test(`after ${failures} broken proofs it is looked at again ${waitMs / MINUTE_MS} minutes later`, () =>
    assert.equal(nextCheckMs([{ failures: 0 }, { failures }], 24, 5) - 5, waitMs));

test('a site that could not be reached is asked again as soon as after a broken proof, and that is said', () => {
  const { functions, unchecked } = standAfter([], [{ function: 'search', isCut: false, ...ofLetter('u') }], 5);
  assert.deepEqual([unchecked, nextCheckMs(functions, 24, 5)], ['No host listens there.', 5 + 10 * MINUTE_MS]);
  const again = standAfter(functions, [{ function: 'search', isCut: false }], 6);
  assert.deepEqual([again.unchecked, nextCheckMs(again.functions, 24, 6)], [undefined, 6 + DAY_MS]);
});
