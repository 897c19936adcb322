import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ScheduleWindow } from '@weft/contract';
import { wallAt } from './wall-time.ts';
import { openingAt } from './windows.ts';

const at = (text: string) => Date.parse(text);

/** The opening at an instant as `from/to`, in UTC. */
function opening(windows: readonly ScheduleWindow[], zone: string, instant: string): string {
  const { openMs, closeMs } = openingAt(windows, zone, at(instant));
  return [openMs, closeMs].map((ms) => new Date(ms).toISOString().slice(0, 16)).join('/');
}

suite('a window', () => {
  const night: readonly ScheduleWindow[] = [{ from: '22:00', to: '06:00' }];

  test('goes over midnight: at two in the morning it is open, at noon it opens in the evening', () => {
    assert.equal(opening(night, 'Asia/Tokyo', '2026-05-05T17:00:00Z'), '2026-05-05T13:00/2026-05-05T21:00');
    assert.equal(opening(night, 'Asia/Tokyo', '2026-05-05T03:00:00Z'), '2026-05-05T13:00/2026-05-05T21:00');
    assert.equal(opening(night, 'Asia/Tokyo', '2026-05-05T21:00:00Z'), '2026-05-06T13:00/2026-05-06T21:00');
  });

  test('belongs to the day on which it begins', () => {
    const friday: readonly ScheduleWindow[] = [{ days: ['fri'], from: '22:00', to: '06:00' }];
    assert.equal(opening(friday, 'UTC', '2026-05-09T02:00:00Z'), '2026-05-08T22:00/2026-05-09T06:00');
    assert.equal(opening(friday, 'UTC', '2026-05-08T02:00:00Z'), '2026-05-08T22:00/2026-05-09T06:00');
    assert.equal(opening(friday, 'UTC', '2026-05-09T06:00:00Z'), '2026-05-15T22:00/2026-05-16T06:00');
  });

  test('is a whole day to 24:00', () => {
    assert.equal(
      opening([{ days: ['sun'], from: '00:00', to: '24:00' }], 'Europe/Berlin', '2026-03-28T12:00:00Z'),
      '2026-03-28T23:00/2026-03-29T22:00',
    );
  });

  test('that a change of the clocks leaves out is open after it, for as long', () => {
    assert.equal(opening([{ from: '02:00', to: '03:00' }], 'Europe/Berlin', '2026-03-29T00:00:00Z'), '2026-03-29T01:00/2026-03-29T02:00');
    assert.equal(opening([{ from: '02:30', to: '03:30' }], 'Europe/Berlin', '2026-03-29T00:00:00Z'), '2026-03-29T01:00/2026-03-29T01:30');
  });

  test('that a change of the clocks repeats is open the first time alone', () => {
    const quarter: readonly ScheduleWindow[] = [{ from: '02:30', to: '02:45' }];
    assert.equal(opening(quarter, 'Europe/Berlin', '2026-10-25T00:00:00Z'), '2026-10-25T00:30/2026-10-25T00:45');
    assert.equal(opening(quarter, 'Europe/Berlin', '2026-10-25T00:45:00Z'), '2026-10-26T01:30/2026-10-26T01:45');
  });

  test('on a day that a zone left out is open on the next', () => {
    // Samoa went over the date line: there was no 30 December 2011.
    assert.equal(
      opening([{ days: ['fri'], from: '09:00', to: '10:00' }], 'Pacific/Apia', '2011-12-29T12:00:00Z'),
      '2011-12-30T10:00/2011-12-30T11:00',
    );
  });

  test('of several, the one that is open and closes last counts, else the next', () => {
    const windows: readonly ScheduleWindow[] = [
      { from: '09:00', to: '17:00' },
      { days: ['tue'], from: '08:00', to: '20:00' },
      { from: '12:00', to: '13:00' },
    ];
    assert.equal(opening(windows, 'UTC', '2026-05-05T12:30:00Z'), '2026-05-05T08:00/2026-05-05T20:00');
    assert.equal(opening(windows, 'UTC', '2026-05-05T07:00:00Z'), '2026-05-05T08:00/2026-05-05T20:00');
    assert.equal(opening(windows, 'UTC', '2026-05-05T20:00:00Z'), '2026-05-06T09:00/2026-05-06T17:00');
  });
});

test('a wall clock shows what its zone has at that instant, and an unknown zone is an error', () => {
  assert.equal(wallAt(at('2026-03-29T01:00:00Z'), 'Europe/Berlin'), Date.UTC(2026, 2, 29, 3));
  assert.equal(wallAt(at('2026-01-01T00:00:00Z'), 'Asia/Kathmandu'), Date.UTC(2026, 0, 1, 5, 45));
  assert.throws(() => wallAt(0, 'Asia/Atlantis'), RangeError);
});
