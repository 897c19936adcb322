// A stretch of time as the clocks of a zone show it, minute after minute: what schedules are held against. It knows no rule of any zone.
import type { ScheduleWindow } from '@weft/contract';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** One minute and what the clocks show then, as `2026-03-29 01:59`. */
export interface Minute {
  readonly atMs: number;
  readonly shows: string;
}

/** Every minute from `fromMs` on, for `days`. */
export function minutesOf(zone: string, fromMs: number, days: number): readonly Minute[] {
  const fields = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, ...fields });
  return Array.from({ length: (days * DAY_MS) / MINUTE_MS }, (_, index) => {
    const atMs = fromMs + index * MINUTE_MS;
    return { atMs, shows: format.format(atMs) };
  });
}

/** The minutes in which one of the windows is open. Those of the first two and the last two days may be too few. */
export function openMinutes(windows: readonly ScheduleWindow[], minutes: readonly Minute[]): ReadonlySet<number> {
  const open = new Set<number>();
  const days = new Set(minutes.map(({ shows }) => shows.slice(0, 10)));
  for (const day of [...days, ...[...days].map(dayAfter)]) {
    const weekday = WEEKDAYS[new Date(day).getUTCDay()] ?? '';
    for (const { from, to } of windows.filter(({ days: on }) => !on || on.some((name) => name === weekday))) {
      const [opens, closes] = [`${day} ${from}`, to > from ? `${day} ${to}` : `${dayAfter(day)} ${to}`].map((text) =>
        text.replace(/^(.{10}) 24:00/, (_, date: string) => `${dayAfter(date)} 00:00`),
      );
      const first = minutes.findIndex(({ shows }) => shows >= (opens ?? ''));
      const last = minutes.findIndex(({ shows }) => shows >= (closes ?? ''));
      if (first < 0) continue;
      const length = (Date.parse(`${closes}Z`) - Date.parse(`${opens}Z`)) / MINUTE_MS;
      const end = last < 0 ? minutes.length : last > first ? last : first + length;
      for (const { atMs } of minutes.slice(first, end)) open.add(atMs);
    }
  }
  return open;
}

/** The minutes at which a text of cron comes due, by the rules of Vixie cron for changes of the clocks. */
export function cronMinutes(text: string, minutes: readonly Minute[]): ReadonlySet<number> {
  const fits = fitsCron(text);
  const [minute = '', hour = ''] = text.split(' ');
  const isFixed = !/[*/]/.test(minute + hour);
  const due = new Set<number>();
  const seen = new Set<string>();
  let before: string | undefined;
  for (const { atMs, shows } of minutes) {
    if (fits(shows) && !(isFixed && seen.has(shows))) due.add(atMs);
    if (isFixed && before !== undefined && leftOut(before, shows).some(fits)) due.add(atMs);
    seen.add(shows);
    before = shows;
  }
  return due;
}

/** The times between two that follow each other on the clocks, where these leave some of the same day out. */
function leftOut(before: string, after: string): readonly string[] {
  const [from, to] = [before, after].map((shows) => Date.parse(`${shows}Z`));
  const times: string[] = [];
  for (let ms = (from ?? 0) + MINUTE_MS; ms < (to ?? 0); ms += MINUTE_MS)
    times.push(new Date(ms).toISOString().slice(0, 16).replace('T', ' '));
  return times.filter((shows) => shows.slice(0, 10) === after.slice(0, 10));
}

function fitsCron(text: string): (shows: string) => boolean {
  const names = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = text.split(' ');
  const sets = [
    valuesOf(minute, 0, 59, []),
    valuesOf(hour, 0, 23, []),
    valuesOf(day, 1, 31, []),
    valuesOf(month, 1, 12, ['', ...names]),
    valuesOf(weekday, 0, 7, WEEKDAYS),
  ];
  return (shows) => {
    const [year = 0, ...fields] = shows.split(/[- :]/).map(Number);
    const [months = 0, days = 0, hours = 0, minutes = 0] = fields;
    const weekdays = new Date(Date.UTC(year, months - 1, days)).getUTCDay();
    const isDay = sets[2]?.has(days) ?? false;
    const isWeekday = (sets[4]?.has(weekdays) || (weekdays === 0 && sets[4]?.has(7))) ?? false;
    const isOn = day === '*' || weekday === '*' ? isDay && isWeekday : isDay || isWeekday;
    return isOn && (sets[0]?.has(minutes) ?? false) && (sets[1]?.has(hours) ?? false) && (sets[3]?.has(months) ?? false);
  };
}

function valuesOf(text: string, min: number, max: number, names: readonly string[]): ReadonlySet<number> {
  const numberOf = (word: string) => (names.includes(word) ? names.indexOf(word) : Number(word));
  const values = text.split(',').flatMap((item) => {
    const [span = '', step = '1'] = item.split('/');
    const [from = min, end = from] = span === '*' ? [min, max] : span.split('-').map(numberOf);
    // Sunday is the first day of the week, and the last.
    const to = end < from ? end + 7 : end;
    return Array.from({ length: to - from + 1 }, (_, index) => from + index).filter((value) => (value - from) % Number(step) === 0);
  });
  return new Set(values);
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
}
