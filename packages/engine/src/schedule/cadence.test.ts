import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { FIRST_CADENCE, afterRun, intervalOf, waitSeconds } from './cadence.ts';
import type { Cadence, RunOutcome } from './cadence.ts';

const HOURLY = { every: 3600 };

/** What is remembered after so many runs that ended alike. */
function after(outcome: RunOutcome, times: number, from: Cadence = FIRST_CADENCE): Cadence {
  return Array.from({ length: times }).reduce<Cadence>((cadence) => afterRun(HOURLY, cadence, outcome), from);
}

/** Seconds to wait after one, two, three ... failures. */
const waits = (seconds: number, outcome: RunOutcome) => [1, 2, 3, 4, 5, 20].map((times) => waitSeconds(seconds, after(outcome, times)));

suite('failures', () => {
  test('that cannot reach the site double the interval, up to an hour or the interval itself', () => {
    assert.deepEqual(waits(600, { failure: 'connect' }), [600, 1200, 2400, 3600, 3600, 3600]);
    assert.deepEqual(waits(600, { failure: 'server_error', status: 502 }), [600, 1200, 2400, 3600, 3600, 3600]);
    assert.deepEqual(waits(7200, { failure: 'dns' }), [7200, 7200, 7200, 7200, 7200, 7200]);
  });

  test('in which the site refuses double it up to a day', () => {
    for (const outcome of [
      { failure: 'captcha' },
      { failure: 'http_status', status: 403 },
      { failure: 'rate_limited', status: 429 },
    ] as const)
      assert.deepEqual(waits(3600, outcome), [3600, 7200, 14_400, 28_800, 57_600, 86_400]);
    assert.equal(waitSeconds(604_800, after({ failure: 'blocked' }, 9)), 604_800);
  });

  test('that lie in the page, in the definition or here change nothing', () => {
    for (const outcome of [
      { failure: 'selector' },
      { failure: 'internal' },
      { failure: 'vault_locked' },
      { failure: 'http_status', status: 404 },
    ] as const)
      assert.equal(waitSeconds(60, after(outcome, 9)), 60);
  });

  test('are forgotten with the first run that comes through', () => {
    assert.deepEqual(after({ changed: false }, 1, after({ failure: 'timeout' }, 5)), FIRST_CADENCE);
  });

  test('keep what a Retry-After asked for, until the next run', () => {
    const asked = after({ failure: 'rate_limited', status: 429, retryAtMs: 5000 }, 1);
    assert.equal(asked.notBeforeMs, 5000);
    assert.equal(after({ changed: false }, 1, asked).notBeforeMs, undefined);
  });
});

suite('an adaptive interval', () => {
  const adaptive = { every: 1000, adaptive: { min: 500, max: 2000 } };
  const run = (cadence: Cadence, outcome: RunOutcome) => afterRun(adaptive, cadence, outcome);

  test('shrinks with a change and grows without, between its bounds', () => {
    const changed = run(FIRST_CADENCE, { changed: true });
    assert.equal(intervalOf(adaptive, changed), 800);
    assert.equal(intervalOf(adaptive, run(changed, { changed: false })), 1120);
    let cadence = FIRST_CADENCE;
    for (let times = 0; times < 10; times++) cadence = run(cadence, { changed: true });
    assert.equal(intervalOf(adaptive, cadence), 500);
    for (let times = 0; times < 10; times++) cadence = run(cadence, { changed: false });
    assert.equal(intervalOf(adaptive, cadence), 2000);
  });

  test('stays through a failure, and goes by new bounds at once', () => {
    const failed = run(run(FIRST_CADENCE, { changed: true }), { failure: 'connect' });
    assert.equal(intervalOf(adaptive, failed), 800);
    assert.equal(intervalOf({ every: 1000, adaptive: { min: 900, max: 950 } }, failed), 900);
    assert.equal(intervalOf({ every: 1000 }, failed), 1000);
  });
});
