// Quiet hours: whether a moment lies in them, and when they end.
import type { QuietHours } from '@weft/contract';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;
/** Clocks are set forward or back by three hours at most in one step (the time zone database since 1970, dates that were skipped left out). */
const SHIFT_MINUTES_MAX = 180;

/** When the quiet hours end that `nowMs` lies in; undefined where it lies in none. All day is left only by changing the channel: it is looked at again after a day. */
export function quietUntilMs(quiet: QuietHours | undefined, nowMs: number): number | undefined {
  if (!quiet) return undefined;
  const [from, to] = [minutesOf(quiet.from), minutesOf(quiet.to)];
  const localMinute = clockOf(quiet.timezone);
  const isQuiet = (ms: number) => isWithin(localMinute(ms), from, to);
  if (!isQuiet(nowMs)) return undefined;
  const wholeMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  const left = (to - localMinute(nowMs) + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES;
  if (from === to) return wholeMs + left * MINUTE_MS;
  const endMs = wholeMs + left * MINUTE_MS;
  if (localMinute(endMs) === to) return endMs;
  // The clocks change in between: each minute is looked at, and the next day where the end was left out.
  const lastMs = endMs + SHIFT_MINUTES_MAX * MINUTE_MS;
  for (let ms = wholeMs + MINUTE_MS; ms <= lastMs; ms += MINUTE_MS) if (!isQuiet(ms)) return ms;
  return quietUntilMs(quiet, lastMs);
}

function isWithin(minute: number, from: number, to: number): boolean {
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** The minute of the day that clocks of `timeZone` show. */
function clockOf(timeZone: string | undefined): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(timeZone === undefined ? {} : { timeZone }),
  });
  return (ms) => minutesOf(format.format(ms));
}
