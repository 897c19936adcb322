import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NEW_HOST, afterAnswer, afterGivenBack, afterRobots, afterStart, nextStartMs, parseRetryAfter } from './host-pace.ts';
import type { HostState } from './host-pace.ts';

const NOW = Date.UTC(2026, 10, 20);
const LIMITS = { inFlightMax: 2, gapMs: 0 };
const ok = { status: 200, retryAtMs: undefined };
const refused = { status: 429, retryAtMs: undefined };

test('admits two at a time and keeps the gap between their starts', () => {
  const one = afterStart(NEW_HOST, LIMITS, NOW);
  assert.equal(nextStartMs(one, LIMITS, NOW), NOW);
  const two = afterStart(one, LIMITS, NOW);
  assert.equal(nextStartMs(two, LIMITS, NOW), Infinity);
  assert.equal(nextStartMs(afterAnswer(two, ok, NOW), LIMITS, NOW), NOW);
  const spaced = afterStart(NEW_HOST, { inFlightMax: 2, gapMs: 500 }, NOW);
  assert.equal(nextStartMs(spaced, LIMITS, NOW + 100), NOW + 500);
});

test('counts the gap from the answer, because only that tells when the request had arrived', () => {
  const spaced = { inFlightMax: 1, gapMs: 500 };
  const answered = afterAnswer(afterStart(NEW_HOST, spaced, NOW), ok, NOW + 200);
  assert.equal(nextStartMs(answered, spaced, NOW + 200), NOW + 700);
  assert.equal(nextStartMs(afterAnswer(afterStart(NEW_HOST, LIMITS, NOW), ok, NOW + 200), LIMITS, NOW + 200), NOW + 200);
});

test('forgets the start of a request that was never sent, and nothing that was learnt meanwhile', () => {
  const spaced = { inFlightMax: 1, gapMs: 500 };
  const started = afterStart(NEW_HOST, spaced, NOW);
  assert.equal(nextStartMs(afterGivenBack(started, NEW_HOST, started), spaced, NOW), NOW);
  const learnt = afterRobots(started, 2_000, NOW);
  assert.equal(nextStartMs(afterGivenBack(learnt, NEW_HOST, started), spaced, NOW), NOW + 2_000);
});

test('waits as long as the host says, else twice as long each time up to five minutes', () => {
  let state: HostState = NEW_HOST;
  const waits: number[] = [];
  for (let i = 0; i < 12; i++) {
    state = afterAnswer(afterStart(state, LIMITS, NOW), refused, NOW);
    waits.push(state.blockedUntilMs - NOW);
  }
  assert.deepEqual(waits.slice(0, 4), [1_000, 2_000, 4_000, 8_000]);
  assert.equal(waits.at(-1), 300_000);
  const told = afterAnswer(afterStart(NEW_HOST, LIMITS, NOW), { status: 503, retryAtMs: NOW + 42_000 }, NOW);
  assert.equal(nextStartMs(told, LIMITS, NOW), NOW + 42_000);
});

test('lets one request alone find out whether the host answers again, and forgets refusals once it does', () => {
  let state = afterAnswer(afterStart(NEW_HOST, LIMITS, NOW), refused, NOW);
  state = afterStart(state, LIMITS, NOW + 1_000);
  assert.equal(nextStartMs(state, LIMITS, NOW + 1_000), Infinity);
  state = afterAnswer(state, ok, NOW + 1_100);
  assert.deepEqual([state.refusals, state.refusedSinceMs, nextStartMs(state, LIMITS, NOW + 1_100)], [0, undefined, NOW + 1_100]);
});

test('does not take a lost connection for a good answer', () => {
  const state = afterAnswer(
    afterStart(afterAnswer(afterStart(NEW_HOST, LIMITS, NOW), refused, NOW), LIMITS, NOW),
    { status: undefined, retryAtMs: undefined },
    NOW,
  );
  assert.equal(state.refusals, 1);
});

test('reads Retry-After as seconds or as a date, a day at most', () => {
  const cases: readonly (readonly [string | undefined, number | undefined])[] = [
    ['120', NOW + 120_000],
    [' 0 ', NOW],
    ['Fri, 20 Nov 2026 00:01:00 GMT', NOW + 60_000],
    ['Fri, 20 Nov 2020 00:01:00 GMT', NOW],
    ['86401', NOW + 86_400_000],
    ['Fri, 20 Nov 2099 00:00:00 GMT', NOW + 86_400_000],
    ['-5', undefined],
    ['soon', undefined],
    ['2026', NOW + 2_026_000],
    ['', undefined],
    [undefined, undefined],
  ];
  for (const [value, expected] of cases) assert.equal(parseRetryAfter(value, NOW), expected, String(value));
});
