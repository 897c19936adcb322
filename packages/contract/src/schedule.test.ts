import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Schedule } from './schedule.ts';

/** The first fault as `path: sentence`; undefined for what is taken. */
function faultOf(value: unknown): string | undefined {
  const issue = Schedule.safeParse(value).error?.issues[0];
  return issue && `${issue.path.join('.')}: ${issue.message}`;
}

const cron = (text: string) => faultOf({ cron: text });

suite('a schedule', () => {
  test('is either an interval or a text of cron', () => {
    assert.equal(faultOf({ every: 3600 }), undefined);
    assert.equal(faultOf({ cron: '30 7 * * mon-fri', timezone: 'Europe/Berlin' }), undefined);
    assert.match(faultOf({}) ?? '', /^every: is missing, and so is "cron"/);
    assert.match(faultOf({ every: 60, cron: '* * * * *' }) ?? '', /^cron: stands beside "every"/);
  });

  test('has bounds, and an adaptive interval goes with `every` alone', () => {
    assert.equal(faultOf({ every: 4 }), 'every: must be at least 5 seconds');
    assert.equal(faultOf({ every: 31_536_001 }), 'every: must be at most 31536000 seconds, a year');
    assert.equal(faultOf({ every: 60, adaptive: { min: 4, max: 60 } }), 'adaptive.min: must be at least 5 seconds');
    assert.match(faultOf({ every: 60, jitter: 0.51 }) ?? '', /^jitter: /);
    assert.match(faultOf({ every: 60, adaptive: { min: 90, max: 60 } }) ?? '', /^adaptive\.max: is less than "min"/);
    assert.match(faultOf({ cron: '* * * * *', adaptive: { min: 5, max: 6 } }) ?? '', /^adaptive: goes with "every" alone/);
    assert.match(faultOf({ every: 60, missed: 'twice' }) ?? '', /^missed: /);
  });

  test('names a zone that there is', () => {
    assert.equal(faultOf({ every: 60, timezone: 'Asia/Tokyo' }), undefined);
    assert.match(faultOf({ every: 60, timezone: 'Asia/Atlantis' }) ?? '', /^timezone: is no time zone that is known here/);
  });

  test('has windows that may go over midnight, and none without time', () => {
    const windows = (...list: unknown[]) => faultOf({ every: 60, windows: list });
    assert.equal(windows({ from: '22:00', to: '06:00' }, { days: ['sat', 'sun'], from: '00:00', to: '24:00' }), undefined);
    assert.match(windows({ from: '9:00', to: '10:00' }) ?? '', /^windows\.0\.from: must be a time of day/);
    assert.match(windows({ from: '24:00', to: '10:00' }) ?? '', /^windows\.0\.from: /);
    assert.match(windows({ from: '09:00', to: '09:00' }) ?? '', /^windows\.0\.to: is the same as "from"/);
    assert.match(windows({ days: ['mon', 'mon'], from: '09:00', to: '10:00' }) ?? '', /^windows\.0\.days: names a day twice/);
    assert.match(windows() ?? '', /^windows: /);
  });
});

suite('a text of cron', () => {
  for (const text of [
    '* * * * *',
    '*/5 0-6/2 1,15 jan-mar,DEC 1-5',
    '0 12 29 2 *',
    '0 0 31 */2 *',
    '5 4 * * fri-sun',
    '0 0 30 feb mon',
    ' 1 2 3 4 5 ',
  ])
    test(`${text} is taken`, () => assert.equal(cron(text), undefined));

  const REFUSED: readonly (readonly [text: string, fault: RegExp])[] = [
    ['', /five fields .* it has 0$/],
    ['* * * *', /it has 4$/],
    ['0 * * * * *', /it has 6$/],
    ['@daily', /it has 1$/],
    ['60 * * * *', /field 1, the minute: "60" is neither \*, a number from 0 to 59,/],
    ['0 24 * * *', /field 2, the hour/],
    ['0 0 0 * *', /field 3, the day of the month/],
    ['0 0 * 13 *', /field 4, the month: .* a name such as feb/],
    ['0 0 * * 8', /field 5, the day of the week/],
    ['0 0 * * funday', /field 5/],
    ['1, * * * *', /field 1/],
    ['5-1 * * * *', /the range "5-1" ends before it begins/],
    ['5/10 * * * *', /"5\/10" has a step without a range; write 5-59\/10/],
    ['*/0 * * * *', /the step of "\*\/0" must be from 1 to 60/],
    ['*/61 * * * *', /the step/],
    ['1-2-3 * * * *', /field 1/],
    ['*/2/2 * * * *', /field 1/],
    ['0 0 L * *', /field 3/],
    ['0 0 30 2 *', /never comes due: 30 is no day of any of the months 2/],
    ['0 0 31 4,6,sep *', /never comes due/],
  ];
  for (const [text, fault] of REFUSED) test(`"${text}" is refused with the place`, () => assert.match(cron(text) ?? '', fault));
});
