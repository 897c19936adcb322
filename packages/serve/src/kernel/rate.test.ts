import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { createRateLimiter } from './rate.ts';

const POLICY = { perSecond: 10, burst: 60 };

function limiterAt(startMs = 0) {
  let nowMs = startMs;
  const limiter = createRateLimiter(() => nowMs);
  return { take: (key = 'a', policy = POLICY) => limiter.take(key, policy), advance: (ms: number) => void (nowMs += ms) };
}

suite('token bucket (F74)', () => {
  test('a burst passes whole, and not one more', () => {
    const { take } = limiterAt();
    for (let left = 59; left >= 0; left--) assert.deepEqual(take(), { allowed: true, remaining: left, retryAfterSeconds: 0 });
    assert.deepEqual(take(), { allowed: false, remaining: 0, retryAfterSeconds: 1 });
  });

  test('the moment that Retry-After names is enough, and one millisecond before a token is not', () => {
    const slow = { perSecond: 0.5, burst: 1 };
    const { take, advance } = limiterAt();
    take('a', slow);
    const { retryAfterSeconds } = take('a', slow);
    assert.equal(retryAfterSeconds, 2);
    advance(retryAfterSeconds * 1000 - 1);
    assert.equal(take('a', slow).allowed, false);
    advance(1);
    assert.equal(take('a', slow).allowed, true);
  });

  test('a minute at full speed passes the burst and ten a second, to the request', () => {
    const { take, advance } = limiterAt();
    let passed = 0;
    for (let ms = 0; ms < 60_000; ms++) {
      if (take().allowed) passed++;
      advance(1);
    }
    assert.ok(Math.abs(passed - 660) <= 1, String(passed));
  });

  test('refused requests cost nothing', () => {
    const { take, advance } = limiterAt();
    for (let i = 0; i < 1000; i++) take();
    advance(100);
    assert.equal(take().allowed, true);
  });

  test('callers do not share a bucket', () => {
    const { take } = limiterAt();
    for (let i = 0; i < 60; i++) take('a');
    assert.deepEqual([take('a').allowed, take('b').allowed], [false, true]);
  });

  test('a clock that jumps back grants nothing, and one that jumps ahead no more than a burst', () => {
    const { take, advance } = limiterAt(10_000);
    for (let i = 0; i < 60; i++) take();
    advance(-10_000);
    assert.equal(take().allowed, false);
    advance(10_000);
    assert.equal(take().allowed, false);
    advance(10 * 365 * 86_400_000);
    assert.equal(take().remaining, 59);
  });

  test('twenty thousand callers leave the newest buckets known', () => {
    const { take } = limiterAt();
    for (let i = 0; i < 60; i++) take('kept');
    for (let i = 0; i < 9000; i++) take(`caller ${i}`);
    assert.equal(take('kept').allowed, false);
  });

  test('no schedule of calls gets more than the burst and the rate together', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(2000), fc.nat(80)), { maxLength: 40 }), (steps) => {
        const { take, advance } = limiterAt();
        let [passed, elapsedMs] = [0, 0];
        for (const [ms, calls] of steps) {
          advance(ms);
          elapsedMs += ms;
          for (let i = 0; i < calls; i++) if (take().allowed) passed++;
          assert.ok(passed <= POLICY.burst + (elapsedMs / 1000) * POLICY.perSecond + 1e-6);
        }
      }),
    );
  });
});
