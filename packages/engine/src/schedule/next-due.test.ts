import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Schedule } from '@weft/contract';
import { FIRST_CADENCE } from './cadence.ts';
import { nextDue } from './next-due.ts';
import type { ScheduledThing } from './next-due.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOW = Date.parse('2026-05-05T12:00:00Z');
const at = (text: string) => Date.parse(text);

function thing(given: Partial<ScheduledThing> = {}): ScheduledThing {
  return { seed: 'monitor-1', startedMs: NOW, cadence: FIRST_CADENCE, ...given };
}

function next(schedule: Schedule, given: Partial<ScheduledThing>, nowMs: number): string | undefined {
  const dueMs = nextDue(schedule, thing(given), nowMs);
  return dueMs === undefined ? undefined : new Date(dueMs).toISOString();
}

/** All times from one instant to another, each asked for when the one before came due. */
function timesOf(schedule: Schedule, from: string, to: string): readonly string[] {
  const times: string[] = [];
  for (let nowMs = at(from); ;) {
    const dueMs = nextDue(schedule, thing({ startedMs: at(from), lastDueMs: nowMs }), nowMs);
    if (dueMs === undefined || dueMs >= at(to)) return times;
    times.push(new Date(dueMs).toISOString());
    nowMs = dueMs;
  }
}

suite('an interval', () => {
  const exact: Schedule = { every: 3600, jitter: 0 };

  test('counts from one time to the next, however late it began', () => {
    assert.equal(next(exact, { lastDueMs: NOW }, NOW + 20 * MINUTE_MS), '2026-05-05T13:00:00.000Z');
  });

  test('comes once after ten hours of sleep, and then as before', () => {
    assert.equal(next(exact, { lastDueMs: NOW }, NOW + 10 * HOUR_MS), '2026-05-05T23:00:00.000Z');
  });

  test('waits for no longer where the clock was set back, and comes once where it was set forward by ten years', () => {
    assert.equal(next(exact, { lastDueMs: NOW }, NOW - HOUR_MS), '2026-05-05T12:00:00.000Z');
    const later = at('2036-05-05T12:00:00Z');
    assert.equal(next(exact, { lastDueMs: NOW }, later), '2036-05-05T13:00:00.000Z');
    assert.equal(next(exact, { lastDueMs: later }, NOW), '2026-05-05T13:00:00.000Z');
  });

  test('is off by its jitter at most, sooner or later, and by the same whenever it is asked for', () => {
    const offs = Array.from({ length: 500 }, (_, id) => {
      const given = thing({ seed: `monitor-${id}`, lastDueMs: NOW });
      const dueMs = nextDue({ every: 3600 }, given, NOW) ?? 0;
      assert.equal(nextDue({ every: 3600 }, given, NOW + 50 * MINUTE_MS), dueMs);
      return (dueMs - NOW) / HOUR_MS;
    });
    assert.ok(Math.min(...offs) >= 0.9 && Math.max(...offs) <= 1.1, `${Math.min(...offs)} to ${Math.max(...offs)}`);
    assert.ok(Math.min(...offs) < 0.91 && Math.max(...offs) > 1.09, `${Math.min(...offs)} to ${Math.max(...offs)}`);
  });

  test('2,000 that are made at once come spread over five minutes, none of them later', () => {
    const perMinute = [0, 0, 0, 0, 0];
    for (let id = 0; id < 2000; id++) {
      const dueMs = nextDue({ every: 3600 }, thing({ seed: `monitor-${id}` }), NOW) ?? 0;
      const minute = Math.floor((dueMs - NOW) / MINUTE_MS);
      perMinute[minute] = (perMinute[minute] ?? 0) + 1;
    }
    assert.equal(perMinute.length, 5);
    // Four times the deviation that an even spread has.
    for (const count of perMinute) assert.ok(Math.abs(count - 400) < 4 * Math.sqrt(2000 * 0.2 * 0.8), `${perMinute.join(', ')}`);
  });

  test('waits for longer after failures, and for as long as the site asked', () => {
    const cadence = { failures: 3, isRefused: true };
    assert.equal(next(exact, { lastDueMs: NOW, cadence }, NOW), '2026-05-05T16:00:00.000Z');
    assert.equal(
      next(exact, { lastDueMs: NOW, cadence: { ...FIRST_CADENCE, notBeforeMs: NOW + 5 * HOUR_MS } }, NOW),
      '2026-05-05T17:00:00.000Z',
    );
  });

  test('goes by what changes made of it', () => {
    const schedule: Schedule = { ...exact, adaptive: { min: 60, max: 7200 } };
    assert.equal(next(schedule, { lastDueMs: NOW, cadence: { ...FIRST_CADENCE, intervalSeconds: 5400 } }, NOW), '2026-05-05T13:30:00.000Z');
  });
});

suite('windows', () => {
  const night: Schedule = { every: 3600, jitter: 0, timezone: 'Asia/Tokyo', windows: [{ from: '22:00', to: '06:00' }] };

  test('T36 a night window is open at two in the morning, and what the day holds back comes when it opens', () => {
    assert.equal(next(night, { lastDueMs: at('2026-05-05T16:00:00Z') }, at('2026-05-05T16:30:00Z')), '2026-05-05T17:00:00.000Z');
    assert.equal(next(night, { lastDueMs: at('2026-05-05T20:30:00Z') }, at('2026-05-05T20:31:00Z')), '2026-05-06T13:00:00.000Z');
  });

  test('T36 a time in the night in which the clocks change comes once', () => {
    const daily: Schedule = { every: 43_200, jitter: 0, timezone: 'Europe/Berlin', windows: [{ from: '02:30', to: '02:45' }] };
    assert.deepEqual(timesOf(daily, '2026-03-27T12:00:00Z', '2026-03-31T12:00:00Z'), [
      '2026-03-28T01:30:00.000Z',
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:30:00.000Z',
      '2026-03-31T00:30:00.000Z',
    ]);
    assert.deepEqual(timesOf(daily, '2026-10-24T12:00:00Z', '2026-10-27T12:00:00Z'), [
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
      '2026-10-27T01:30:00.000Z',
    ]);
  });

  test('what waits for one spreads over as much of it as the jitter says', () => {
    const opensMs = at('2026-05-05T13:00:00Z');
    const offs = Array.from({ length: 300 }, (_, id) => {
      const schedule: Schedule = { every: 3600, jitter: 0.5, timezone: 'Asia/Tokyo', windows: [{ from: '22:00', to: '22:10' }] };
      return (nextDue(schedule, thing({ seed: `monitor-${id}`, lastDueMs: opensMs - 5 * HOUR_MS }), opensMs - 4 * HOUR_MS) ?? 0) - opensMs;
    });
    assert.ok(Math.min(...offs) >= 0 && Math.max(...offs) < 10 * MINUTE_MS);
    assert.ok(new Set(offs).size > 30);
  });
});

suite('cron', () => {
  const cron = (text: string, from: string, to: string, more: Partial<Schedule> = {}) =>
    timesOf({ cron: text, timezone: 'Europe/Berlin', ...more }, from, to);

  test('a fixed time that a change of the clocks leaves out comes after it, and one that it repeats comes once', () => {
    assert.deepEqual(cron('30 2 * * *', '2026-03-28T12:00:00Z', '2026-03-30T12:00:00Z'), [
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ]);
    assert.deepEqual(cron('30 2 * * *', '2026-10-24T12:00:00Z', '2026-10-26T12:00:00Z'), [
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
  });

  test('what follows the clock goes on through an hour that is repeated', () => {
    assert.equal(cron('*/20 * * * *', '2026-10-24T23:59:00Z', '2026-10-25T02:00:00Z').length, 6);
  });

  test('the 29th of February comes in leap years', () => {
    assert.deepEqual(cron('0 12 29 2 *', '2026-01-01T00:00:00Z', '2034-01-01T00:00:00Z', { timezone: 'UTC' }), [
      '2028-02-29T12:00:00.000Z',
      '2032-02-29T12:00:00.000Z',
    ]);
  });

  test('either day will do where both are limited', () => {
    assert.deepEqual(cron('0 0 13 * fri', '2026-02-01T00:00:00Z', '2026-02-21T00:00:00Z', { timezone: 'UTC' }), [
      '2026-02-06T00:00:00.000Z',
      '2026-02-13T00:00:00.000Z',
      '2026-02-20T00:00:00.000Z',
    ]);
  });

  test('comes in its windows alone, and never where these hold none of its times', () => {
    const windows = [{ days: ['sat' as const], from: '00:00', to: '24:00' }];
    assert.deepEqual(cron('0 12 * * *', '2026-05-05T00:00:00Z', '2026-05-20T00:00:00Z', { windows }), [
      '2026-05-09T10:00:00.000Z',
      '2026-05-16T10:00:00.000Z',
    ]);
    assert.equal(next({ cron: '0 12 * * *', windows: [{ from: '22:00', to: '06:00' }] }, {}, NOW), undefined);
  });

  test('with jitter each time comes once, later by a share of the distance to the next, and by the same whenever it is asked for', () => {
    const schedule: Schedule = { cron: '0 * * * *', timezone: 'UTC', jitter: 0.5 };
    const times = timesOf(schedule, '2026-05-05T00:30:00Z', '2026-05-07T00:30:00Z').map((text) => new Date(text));
    assert.deepEqual(
      times.map((time) => time.getUTCHours()),
      Array.from({ length: times.length }, (_, index) => (index + 1) % 24),
    );
    assert.ok(times.every((time) => time.getUTCMinutes() < 30) && new Set(times.map((time) => time.getUTCMinutes())).size > 10);
    const dueMs = nextDue(schedule, thing({ lastDueMs: NOW - 10 * MINUTE_MS }), NOW - MINUTE_MS) ?? 0;
    assert.ok(dueMs > NOW + 1);
    // Its hour has come, but it has not.
    assert.equal(nextDue(schedule, thing({ lastDueMs: NOW - 10 * MINUTE_MS }), dueMs - 1), dueMs);
  });

  test('a clock that is set back by less than three hours repeats nothing, and by more begins again', () => {
    const hourly: Schedule = { cron: '0 * * * *', timezone: 'UTC' };
    assert.equal(next(hourly, { lastDueMs: NOW }, NOW - HOUR_MS - 1), '2026-05-05T13:00:00.000Z');
    assert.equal(next(hourly, { lastDueMs: NOW }, NOW - 5 * HOUR_MS - 1), '2026-05-05T07:00:00.000Z');
    assert.equal(next(hourly, { lastDueMs: NOW }, NOW + 10.5 * HOUR_MS), '2026-05-05T23:00:00.000Z');
  });

  test('leaves times out after failures', () => {
    const cadence = { failures: 4, isRefused: true };
    assert.equal(next({ cron: '0 * * * *', timezone: 'UTC' }, { lastDueMs: NOW, cadence }, NOW), '2026-05-05T20:00:00.000Z');
  });
});

test('goes by the zone of the system where it names none', () => {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  for (const schedule of [{ cron: '30 7 * * *' }, { every: 60, jitter: 0, windows: [{ from: '07:30', to: '07:31' }] }])
    assert.equal(next(schedule, {}, NOW), next({ ...schedule, timezone: zone }, {}, NOW));
});

test('what cannot be read is an error', () => {
  assert.throws(() => next({ cron: '61 * * * *' }, {}, NOW));
  assert.throws(() => next({ cron: '0 * * * *', timezone: 'Asia/Atlantis' }, {}, NOW));
});
