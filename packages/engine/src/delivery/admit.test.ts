import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { admitNotice, fitData, levelOfEvent } from './admit.ts';
import type { ChannelPolicy } from './delivery.ts';

const NOW = Date.parse('2026-01-10T12:00:00Z');
const ALL: ChannelPolicy = { levelMin: 'info', digestMinutes: 0, quiet: undefined, mutedUntilMs: 0 };
const NOON = { from: '11:00', to: '13:00', timezone: 'UTC' };

suite('what becomes of a notice', () => {
  test('it is queued for now', () => assert.deepEqual(admitNotice(ALL, 'info', NOW), { kind: 'queue', dueMs: NOW }));
  test('it is dropped below the level of the channel', () => {
    const kinds = (['info', 'warning', 'error'] as const).map((level) => admitNotice({ ...ALL, levelMin: 'warning' }, level, NOW).kind);
    assert.deepEqual(kinds, ['drop', 'queue', 'queue']);
  });
  test('it is dropped while the channel is muted', () => {
    assert.equal(admitNotice({ ...ALL, mutedUntilMs: NOW + 1 }, 'error', NOW).kind, 'drop');
    assert.equal(admitNotice({ ...ALL, mutedUntilMs: NOW }, 'error', NOW).kind, 'queue');
  });
  test('in quiet hours it waits, or is dropped where the channel says so', () => {
    assert.equal(admitNotice({ ...ALL, quiet: { ...NOON, drop: false } }, 'info', NOW).kind, 'queue');
    assert.equal(admitNotice({ ...ALL, quiet: { ...NOON, drop: true } }, 'info', NOW).kind, 'drop');
    assert.equal(admitNotice({ ...ALL, quiet: { ...NOON, to: '12:00', drop: true } }, 'info', NOW).kind, 'queue');
  });
  test('a digest collects it', () =>
    assert.deepEqual(admitNotice({ ...ALL, digestMinutes: 15 }, 'info', NOW), { kind: 'collect', dueMs: NOW + 900_000 }));
});

suite('how grave an event is', () => {
  for (const [event, level] of [
    ['monitor.changed', 'info'],
    ['monitor.error', 'error'],
    ['run.failed', 'error'],
    ['monitor.blocked', 'warning'],
    ['monitor.recovered', 'info'],
    ['constructor', 'info'],
  ] as const)
    test(`${event} is ${level}`, () => assert.equal(levelOfEvent(event), level));
});

suite('what is carried is small', () => {
  test('what fits is left as it is', () => {
    const data = { message: 'x'.repeat(10_000), list: [1, { a: null }] };
    assert.equal(fitData(data), data);
  });
  test('long texts are cut, and it says so', () => {
    const fitted = fitData({ change: { difference: 'ä'.repeat(1_000_000) }, message: 'short' });
    assert.deepEqual([fitted['message'], fitted['cut']], ['short', true]);
    assert.ok(JSON.stringify(fitted).length <= 16_000);
  });
  test('what has no end but members is left out', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`member_${i}`, i]));
    assert.deepEqual(fitData(many), { cut: true });
  });
});
