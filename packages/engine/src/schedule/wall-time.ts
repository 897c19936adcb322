// Wall clocks of time zones: what they show at an instant, and when they first show a time.

/** What a wall clock shows: milliseconds as `Date.UTC` counts its date and time, so that it can be reckoned with. */
export type WallMs = number;

export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

/** No zone is further from UTC than 14 hours (IANA, Pacific/Kiritimati), and no change of the clocks but that of a date line is a day long. */
const FAR_MS = 15 * 3_600_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** The zone of a schedule that names none. */
export function systemZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** What the clocks of `zone` show at `atMs`, to the second. Throws RangeError for a zone that there is not. */
export function wallAt(atMs: number, zone: string): WallMs {
  const parts = formatOf(zone).formatToParts(atMs);
  const field = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return Date.UTC(field('year'), field('month') - 1, field('day'), field('hour'), field('minute'), field('second'));
}

/** The first instant at which the clocks of `zone` show `wallMs`, or, where a change of the clocks leaves that out, a later time. */
export function firstInstant(wallMs: WallMs, zone: string): number {
  const offsets = [-FAR_MS, FAR_MS].map((farMs) => wallAt(wallMs + farMs, zone) - (wallMs + farMs));
  const exact = offsets.map((offsetMs) => wallMs - offsetMs).filter((atMs) => wallAt(atMs, zone) === wallMs);
  return exact.length > 0 ? Math.min(...exact) : endOfGap(wallMs, zone);
}

/** Over a gap the clocks only go forward. */
function endOfGap(wallMs: WallMs, zone: string): number {
  let beforeMs = wallMs - FAR_MS - DAY_MS;
  let afterMs = wallMs + FAR_MS + DAY_MS;
  while (afterMs - beforeMs > 1000) {
    const middleMs = beforeMs + Math.floor((afterMs - beforeMs) / 2000) * 1000;
    if (wallAt(middleMs, zone) < wallMs) beforeMs = middleMs;
    else afterMs = middleMs;
  }
  return afterMs;
}

/** Making one takes longer than using it many times. */
function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    const numeric = 'numeric';
    const fields = { year: numeric, month: numeric, day: numeric, hour: numeric, minute: numeric, second: numeric } as const;
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      ...fields,
    });
    formats.set(zone, format);
  }
  return format;
}
