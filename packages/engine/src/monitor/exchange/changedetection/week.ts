// When changedetection.io may check: days of the week, each with a beginning and how long it lasts.
import type { Schedule } from '@weft/contract';
import { objectIn, textIn } from '../../../run/exchange/untrusted.ts';

type Members = Readonly<Record<string, unknown>>;
type Windows = NonNullable<Schedule['windows']>;
type Day = NonNullable<Windows[number]['days']>[number];

const DAYS: readonly (readonly [name: string, day: Day])[] = [
  ['monday', 'mon'],
  ['tuesday', 'tue'],
  ['wednesday', 'wed'],
  ['thursday', 'thu'],
  ['friday', 'fri'],
  ['saturday', 'sat'],
  ['sunday', 'sun'],
];
const DAY_MINUTES = 1440;

/** The windows of a week, those of equal hours together; `all` where it may check at any time, `never` where at none. */
export function windowsOf(week: Members): Windows | 'all' | 'never' {
  const byHours = new Map<string, { readonly from: string; readonly to: string; readonly days: Day[] }>();
  let whole = 0;
  for (const [place, [name, day]] of DAYS.entries()) {
    const span = spanOf(objectIn(week, name) ?? {});
    if (!span) continue;
    if (span.start === 0 && span.minutes >= DAY_MINUTES) whole++;
    const next = DAYS[(place + 1) % DAYS.length]?.[1] ?? day;
    for (const { on, from, to } of piecesOf(span, day, next)) {
      const key = `${from} ${to}`;
      const known = byHours.get(key) ?? { from, to, days: [] };
      if (!known.days.includes(on)) known.days.push(on);
      byHours.set(key, known);
    }
  }
  if (whole === DAYS.length) return 'all';
  const windows = [...byHours.values()].map(({ from, to, days }) => ({ days, from, to }));
  return windows.length === 0 ? 'never' : windows;
}

interface Span {
  /** Minutes from midnight. */
  readonly start: number;
  readonly minutes: number;
}

function spanOf(day: Members): Span | undefined {
  if (day['enabled'] === false) return undefined;
  const [hour = 0, minute = 0] = (textIn(day, 'start_time') ?? '00:00').split(':').map(Number);
  const duration = objectIn(day, 'duration') ?? {};
  const minutes = Number(duration['hours'] ?? 24) * 60 + Number(duration['minutes'] ?? 0);
  const start = hour * 60 + minute;
  if (!Number.isFinite(start + minutes) || start < 0 || start >= DAY_MINUTES || minutes <= 0) return undefined;
  return { start, minutes: Math.min(minutes, DAY_MINUTES) };
}

/** One window, over midnight where it has to; a day that begins late and lasts as long as one is two. */
function piecesOf(
  { start, minutes }: Span,
  day: Day,
  next: Day,
): readonly { readonly on: Day; readonly from: string; readonly to: string }[] {
  const end = start + minutes;
  if (end === DAY_MINUTES || minutes < DAY_MINUTES)
    return [{ on: day, from: clock(start), to: clock(end > DAY_MINUTES ? end - DAY_MINUTES : end) }];
  const rest = { on: next, from: '00:00', to: clock(end - DAY_MINUTES) };
  return [{ on: day, from: clock(start), to: '24:00' }, ...(end > DAY_MINUTES ? [rest] : [])];
}

function clock(minutes: number): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
