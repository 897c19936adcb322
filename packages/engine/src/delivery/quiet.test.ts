import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { QuietHours } from '@weft/contract';
import fc from 'fast-check';
import { quietUntilMs } from './quiet.ts';

const MINUTE_MS = 60_000;
const NIGHT: QuietHours = { from: '22:00', to: '07:00', timezone: 'Asia/Tokyo', drop: false };
const at = (text: string) => Date.parse(text);
const until = (quiet: QuietHours, text: string) => {
  const ms = quietUntilMs(quiet, at(text));
  return ms === undefined ? undefined : new Date(ms).toISOString();
};

suite('quiet hours', () => {
  const cases: readonly (readonly [promise: string, quiet: QuietHours, now: string, end: string | undefined])[] = [
    ['begin on their minute', NIGHT, '2026-03-01T13:00:00Z', '2026-03-01T22:00:00.000Z'],
    ['go over midnight', NIGHT, '2026-03-01T17:00:30Z', '2026-03-01T22:00:00.000Z'],
    ['end before their last minute', NIGHT, '2026-03-01T22:00:00Z', undefined],
    ['are over by day', NIGHT, '2026-03-01T03:00:00Z', undefined],
    ['within a day', { ...NIGHT, from: '12:00', to: '13:30', timezone: 'UTC' }, '2026-03-01T12:59:59Z', '2026-03-01T13:30:00.000Z'],
    [
      'of the whole day last on',
      { ...NIGHT, from: '09:00', to: '09:00', timezone: 'UTC' },
      '2026-03-01T09:00:00Z',
      '2026-03-02T09:00:00.000Z',
    ],
    [
      'are an hour shorter where the clocks go forward',
      { ...NIGHT, timezone: 'Europe/Berlin' },
      '2026-03-28T21:00:00Z',
      '2026-03-29T05:00:00.000Z',
    ],
    [
      'are an hour longer where the clocks go back',
      { ...NIGHT, timezone: 'Europe/Berlin' },
      '2026-10-24T20:00:00Z',
      '2026-10-25T06:00:00.000Z',
    ],
    [
      'that would end in an hour that is left out end with it',
      { ...NIGHT, to: '02:30', timezone: 'Europe/Berlin' },
      '2026-03-28T23:00:00Z',
      '2026-03-29T01:00:00.000Z',
    ],
    [
      'of all but an hour end in that hour where the clocks go forward',
      { ...NIGHT, from: '08:00', to: '07:00', timezone: 'America/New_York' },
      '2026-03-08T00:00:00Z',
      '2026-03-08T11:00:00.000Z',
    ],
    [
      'whose only hour of leave is left out go on to the next day',
      { ...NIGHT, from: '03:00', to: '02:00', timezone: 'America/New_York' },
      '2026-03-08T05:30:00Z',
      '2026-03-09T06:00:00.000Z',
    ],
    [
      'end where the clocks go back to before they began',
      { ...NIGHT, from: '02:01', to: '00:00', timezone: 'Europe/Berlin' },
      '2026-10-25T00:01:00Z',
      '2026-10-25T01:00:00.000Z',
    ],
  ];
  for (const [promise, quiet, now, end] of cases) test(promise, () => assert.equal(until(quiet, now), end));

  test('end where a clock that is watched minute by minute says so', () => {
    const time = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 1, 30, 59));
    const zone = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'Africa/Casablanca', 'UTC');
    // Around the changes of the clocks in 2026.
    const moment = fc.constantFrom('2026-03-08', '2026-03-29', '2026-04-05', '2026-10-04', '2026-10-25', '2026-11-01', '2026-02-15');
    fc.assert(
      fc.property(time, time, zone, moment, fc.integer({ min: -1500, max: 1500 }), (from, to, timezone, day, minutes) => {
        const quiet: QuietHours = { from: written(from), to: written(to), timezone, drop: false };
        fc.pre(quiet.from !== quiet.to);
        const nowMs = at(`${day}T00:00:00Z`) + minutes * MINUTE_MS;
        assert.equal(quietUntilMs(quiet, nowMs), watched(quiet, nowMs));
      }),
      { numRuns: 150 },
    );
  });
});

function written([hours, minutes]: readonly [number, number]): string {
  return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
}

/** The first minute that is not quiet, by looking at each. */
function watched({ from, to, timezone }: QuietHours, nowMs: number): number | undefined {
  const format = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: timezone ?? 'UTC' });
  const isQuiet = (ms: number) => {
    const local = format.format(ms);
    return from < to ? local >= from && local < to : local >= from || local < to;
  };
  if (!isQuiet(nowMs)) return undefined;
  let ms = nowMs;
  while (isQuiet(ms)) ms += MINUTE_MS;
  return ms;
}
