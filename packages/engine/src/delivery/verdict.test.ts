import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Attempt } from './delivery.ts';
import { DISABLED_AFTER_MS, decideSettlement, retryDelayMs } from './verdict.ts';

const NOW = Date.parse('2026-01-10T00:00:00Z');
const MIDDLE = 0.5;
const NEW = { failingSinceMs: undefined, failures: 0, reach: undefined };
const FAILED: Attempt = { outcome: 'failed', status: 500 };
const after = (attempt: Attempt, number = 1, channel: Parameters<typeof decideSettlement>[0] = NEW) =>
  decideSettlement(channel, number, attempt, NOW, MIDDLE);

suite('what follows of an attempt', () => {
  test('the delays are those of Svix, a fifth shorter or longer', () => {
    const seconds = [1, 2, 3, 4, 5, 6, 7, 8].map((attempt) => (retryDelayMs(attempt, MIDDLE) ?? 0) / 1000);
    assert.deepEqual(seconds, [5, 300, 1800, 7200, 18_000, 36_000, 36_000, 0]);
    assert.equal(retryDelayMs(8, MIDDLE), undefined);
    assert.deepEqual([retryDelayMs(2, 0), retryDelayMs(2, 0.999999)], [240_000, 360_000]);
  });

  test('one that arrived ends the trouble of its channel', () => {
    const before = { ...NEW, failingSinceMs: 1, failures: 9 };
    const { verdict, failingSinceMs, failures, rest, disabledReason } = after({ outcome: 'sent', status: 204 }, 3, before);
    assert.deepEqual([verdict, failingSinceMs, failures, rest, disabledReason], [{ kind: 'sent' }, undefined, 0, undefined, undefined]);
  });

  test('a failure is tried again, and the channel rests a little', () => {
    const { verdict, failingSinceMs, rest } = after(FAILED);
    assert.deepEqual(verdict, { kind: 'retry', atMs: NOW + 5_000 });
    assert.equal(failingSinceMs, NOW);
    assert.deepEqual(rest, { untilMs: NOW + 5_000, because: 'failed' });
  });

  test('the longer a channel fails, the longer it rests, up to five minutes', () => {
    const restAfter = (ms: number) => (after(FAILED, 1, { ...NEW, failingSinceMs: NOW - ms }).rest?.untilMs ?? 0) - NOW;
    assert.deepEqual([restAfter(0), restAfter(60_000), restAfter(86_400_000)], [5_000, 30_000, 300_000]);
  });

  test('Retry-After moves the next attempt and all of the channel', () => {
    const { verdict, rest } = after({ outcome: 'failed', status: 429, retryAtMs: NOW + 90_000 });
    assert.deepEqual(verdict, { kind: 'retry', atMs: NOW + 90_000 });
    assert.deepEqual(rest, { untilMs: NOW + 90_000, because: 'retry_after' });
  });

  test('a shorter Retry-After hurries nobody', () => {
    const { verdict } = after({ outcome: 'failed', status: 503, retryAtMs: NOW + 1_000 }, 2);
    assert.deepEqual(verdict, { kind: 'retry', atMs: NOW + 300_000 });
  });

  test('after the eighth attempt it is given up', () => {
    assert.deepEqual(after(FAILED, 8).verdict, { kind: 'failed', reason: 'None of 8 attempts arrived.' });
  });

  test('410 ends the delivery and switches the channel off', () => {
    const { verdict, disabledReason } = after({ outcome: 'failed', status: 410 });
    assert.equal(verdict.kind, 'failed');
    assert.match(disabledReason ?? '', /410/);
  });

  test('five days without success switch the channel off, with the last reason', () => {
    const failing = (ms: number, failures: number) => after(FAILED, 1, { ...NEW, failingSinceMs: NOW - ms, failures }).disabledReason;
    assert.equal(failing(DISABLED_AFTER_MS - 1, 100), undefined);
    assert.match(failing(DISABLED_AFTER_MS, 7) ?? '', /five days.*500/);
    assert.equal(failing(DISABLED_AFTER_MS, 6), undefined, 'a machine that slept for a week has asked too seldom');
  });

  test('a clock that was set back makes no failure older', () => {
    assert.equal(after(FAILED, 1, { ...NEW, failingSinceMs: NOW + 1 }).failingSinceMs, NOW);
  });

  test('a server that was public stays so', () => {
    assert.equal(after({ ...FAILED, reach: 'private' }, 1, { ...NEW, reach: 'public' }).reach, 'public');
    assert.equal(after({ ...FAILED, reach: 'private' }).reach, 'private');
  });
});
