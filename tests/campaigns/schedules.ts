// Random schedules in random zones, in weeks in which the clocks change: they come due when a walk over every minute says, and never else.
import assert from 'node:assert/strict';
import { Schedule, WEEKDAYS } from '@weft/contract';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { FIRST_CADENCE } from '../../packages/engine/src/schedule/cadence.ts';
import { nextDue } from '../../packages/engine/src/schedule/next-due.ts';
import { mulberry32 } from '../conformance/fuzz.ts';
import { cronMinutes, minutesOf, openMinutes } from '../week.ts';
import type { Minute } from '../week.ts';

export const roundsInTests = 40;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Two days on either side tell what is open at the ends of the week between. */
const DAYS = 11;
const MARGIN_MS = 2 * DAY_MS;
const ZONES = Intl.supportedValuesOf('timeZone');

/** One round is one schedule in one zone for a week. */
export async function campaign({ rounds, seed, log }: CampaignOptions): Promise<void> {
  const random = mulberry32(seed);
  const below = (count: number) => Math.floor(random() * count);
  let times = 0;
  let changed = 0;
  for (let round = 0; round < rounds; round++) {
    const { zone, day } = randomWeek(below);
    const fromMs = day - MARGIN_MS;
    const minutes = minutesOf(zone, fromMs, DAYS);
    const hour = hourOfChange(minutes);
    const schedule = Schedule.parse(randomSchedule(below, zone, hour));
    const expected = expectedTimes(schedule, minutes);
    const found = foundTimes(schedule, fromMs + MARGIN_MS, fromMs + DAYS * DAY_MS - MARGIN_MS);
    assert.deepEqual(found.map(isoOf), expected.map(isoOf), `round ${round}, seed ${seed}: ${JSON.stringify(schedule)} from ${isoOf(day)}`);
    times += found.length;
    changed += hour === undefined ? 0 : 1;
  }
  log(`${rounds} schedules came due ${times} times as each minute says, ${changed} of them around a change of the clocks`);
}

/** A zone and the first day of a week, in which its clocks change if they did in one of three years that are looked at. */
function randomWeek(below: Below): { readonly zone: string; readonly day: number } {
  for (let tries = 1; ; tries++) {
    const zone = ZONES[below(ZONES.length)] ?? 'UTC';
    const year = 2000 + below(38);
    const changes = changesOf(zone, year);
    if (changes.length > 0) return { zone, day: (changes[below(changes.length)] ?? 0) - below(7) * DAY_MS };
    if (tries === 3) return { zone, day: Date.UTC(year, 0, 1 + below(365)) };
  }
}

/** The days of a year on which the clocks of a zone change. */
function changesOf(zone: string, year: number): readonly number[] {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  const offset = (atMs: number) => format.format(atMs).split('GMT')[1];
  const days = Array.from({ length: 365 }, (_, index) => Date.UTC(year, 0, 1) + index * DAY_MS);
  return days.filter((atMs) => offset(atMs) !== offset(atMs + DAY_MS));
}

/** The hour that is the first to be left out or to be shown again. */
function hourOfChange(minutes: readonly Minute[]): number | undefined {
  const shown = minutes.map(({ shows }) => Date.parse(`${shows}Z`));
  const at = shown.findIndex((ms, index) => index > 0 && ms - (shown[index - 1] ?? 0) !== MINUTE_MS);
  return at < 0 ? undefined : new Date(Math.min(shown[at] ?? 0, (shown[at - 1] ?? 0) + MINUTE_MS)).getUTCHours();
}

type Below = (count: number) => number;

function randomSchedule(below: Below, timezone: string, hour: number | undefined): unknown {
  const windows = below(3) === 0 ? undefined : Array.from({ length: 1 + below(3) }, () => randomWindow(below, hour));
  const shared = { timezone, jitter: 0, ...(windows ? { windows } : {}) };
  return below(2) === 0 ? { every: (MINUTE_MS / 1000) * (1 + below(600)), ...shared } : { cron: randomCron(below, hour), ...shared };
}

/** Half of them about the hour in which the clocks change, some so short that it leaves them out. */
function randomWindow(below: Below, near: number | undefined): unknown {
  const hour = () => String(near !== undefined && below(2) === 0 ? (near + below(2)) % 24 : below(24)).padStart(2, '0');
  const minute = () => ['00', '15', '30', '59'][below(4)] ?? '00';
  const from = `${hour()}:${minute()}`;
  const to = [`${hour()}:${minute()}`, `${from.slice(0, 2)}:59`, '24:00'][below(3)];
  const days = WEEKDAYS.filter(() => below(2) === 0);
  return { from, to: to === from ? '24:00' : to, ...(days.length > 0 && below(2) === 0 ? { days } : {}) };
}

function randomCron(below: Below, near = 2): string {
  const one = (min: number, max: number) => String(min + below(max - min + 1));
  const field = (min: number, max: number): string => {
    const [from, to] = [one(min, max), one(min, max)].sort((a, b) => Number(a) - Number(b)) as [string, string];
    return (
      ['*', one(min, max), one(min, max), `${from},${to}`, `${from}-${to}`, `*/${1 + below(max - min)}`, `${from}-${to}/${1 + below(5)}`][
        below(7)
      ] ?? '*'
    );
  };
  const hour = below(2) === 0 ? String((near + below(2)) % 24) : field(0, 23);
  const day = below(4) === 0 ? field(1, 28) : '*';
  const weekday = below(3) === 0 ? field(0, 6) : below(6) === 0 ? 'fri-sun' : '*';
  return `${field(0, 59)} ${hour} ${day} ${below(8) === 0 ? '1-12' : '*'} ${weekday}`;
}

function expectedTimes({ every, cron, windows }: Schedule, minutes: readonly Minute[]): readonly number[] {
  const fromMs = minutes[0]?.atMs ?? 0;
  const open = windows && openMinutes(windows, minutes);
  const [firstMs, lastMs] = [fromMs + MARGIN_MS, fromMs + DAYS * DAY_MS - MARGIN_MS];
  const inWeek = minutes.map(({ atMs }) => atMs).filter((atMs) => atMs > firstMs && atMs < lastMs);
  if (cron !== undefined) {
    const due = cronMinutes(cron, minutes);
    return inWeek.filter((atMs) => due.has(atMs) && (open?.has(atMs) ?? true));
  }
  const times: number[] = [];
  let notBeforeMs = firstMs + (every ?? 0) * 1000;
  for (const atMs of inWeek) {
    if (atMs < notBeforeMs || open?.has(atMs) === false) continue;
    times.push(atMs);
    notBeforeMs = atMs + (every ?? 0) * 1000;
  }
  return times;
}

/** Each as it is given for the instant at which the one before came due. */
function foundTimes(schedule: Schedule, firstMs: number, lastMs: number): readonly number[] {
  const times: number[] = [];
  for (let nowMs = firstMs; ;) {
    const dueMs = nextDue(schedule, { seed: 'monitor-1', startedMs: firstMs, lastDueMs: nowMs, cadence: FIRST_CADENCE }, nowMs);
    if (dueMs === undefined || dueMs >= lastMs) return times;
    times.push(dueMs);
    nowMs = dueMs;
  }
}

function isoOf(atMs: number): string {
  return new Date(atMs).toISOString();
}
