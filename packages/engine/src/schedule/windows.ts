// The parts of the week in which something may come due. Each opens once on each of its days, whatever the clocks do.
import type { ScheduleWindow } from '@weft/contract';
import { DAY_MS, MINUTE_MS, firstInstant, wallAt } from './wall-time.ts';
import type { WallMs } from './wall-time.ts';

/** From when to when a window is open, in epoch milliseconds; the end is not included. */
export interface Opening {
  readonly openMs: number;
  readonly closeMs: number;
}

/** By the number that `getUTCDay` gives. */
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
/** A window is open for a day at most, and comes again within a week. */
const DAYS_BACK = 2;
const DAYS_AHEAD = 8;

/**
 * The window that is open at `atMs`, the one that closes last where several are, or else the next that opens. It opens at the first
 * instant at which the clocks show `from` or later, and closes at the first at which they show `to` or later; one that a change of the
 * clocks leaves out as a whole is open after it, for as long as it would have been.
 */
export function openingAt(windows: readonly ScheduleWindow[], zone: string, atMs: number): Opening {
  const today = startOfDay(wallAt(atMs, zone));
  let open: Opening | undefined;
  for (let day = -DAYS_BACK; day <= DAYS_AHEAD; day++) {
    const openings = openingsOn(windows, today + day * DAY_MS, zone).filter(({ closeMs }) => closeMs > atMs);
    for (const opening of openings) open = better(open, opening, atMs);
    // What opens on a later day opens later, and of those that are open now, the last is known once today is over.
    if (day >= 0 && open) return open;
  }
  throw new Error('A window of the week did not open for a week.');
}

function better(one: Opening | undefined, other: Opening, atMs: number): Opening {
  if (!one) return other;
  const areOpen = [one, other].filter(({ openMs }) => openMs <= atMs);
  if (areOpen.length === 2) return one.closeMs >= other.closeMs ? one : other;
  return one.openMs <= other.openMs ? one : other;
}

function openingsOn(windows: readonly ScheduleWindow[], day: WallMs, zone: string): readonly Opening[] {
  const name = DAYS[new Date(day).getUTCDay()];
  return windows.filter(({ days }) => !days || days.some((other) => other === name)).map((window) => openingOf(window, day, zone));
}

function openingOf({ from, to }: ScheduleWindow, day: WallMs, zone: string): Opening {
  const [fromMs, toMs] = [timeOfDay(from), timeOfDay(to)];
  const lengthMs = toMs > fromMs ? toMs - fromMs : toMs - fromMs + DAY_MS;
  const openMs = firstInstant(day + fromMs, zone);
  const closeMs = firstInstant(day + fromMs + lengthMs, zone);
  return { openMs, closeMs: closeMs > openMs ? closeMs : openMs + lengthMs };
}

function startOfDay(wallMs: WallMs): WallMs {
  return Math.floor(wallMs / DAY_MS) * DAY_MS;
}

function timeOfDay(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return (hours * 60 + minutes) * MINUTE_MS;
}
