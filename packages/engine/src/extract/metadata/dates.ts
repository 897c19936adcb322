// Reads the dates that pages state in their metadata, in the forms that publishing software writes.

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const ISO =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2})?)?/i;
const DAY_FIRST =
  /^(?:[a-z]{3,9},?\s+)?(\d{1,2})(?:st|nd|rd|th)?[\s-]+([a-z]{3,9})\.?,?[\s-]+(\d{4})(?:,?\s+(?:at\s+)?(\d{1,2}):(\d{2})(?::(\d{2}))?\s*(Z|UTC|GMT|[+-]\d{4})?)?/i;
const MONTH_FIRST = /^(?:[a-z]{3,9},?\s+)?([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})/i;
const COMPACT = /^(\d{4})(\d{2})(\d{2})(?:T?(\d{2})(\d{2})(\d{2})?(Z)?)?$/;
const SLASHED = /^(\d{4})[/.](\d{1,2})[/.](\d{1,2})/;

/**
 * A stated date as ISO 8601: `2024-05-01`, `2024-05-01T10:00:00` where no zone is stated, `2024-05-01T10:00:00+02:00` where one is.
 * Undefined for anything else, dates that don't exist and days whose order is a guess (`01/02/2024`) included.
 */
export function parseDate(text: string): string | undefined {
  const stated = text.trim().slice(0, 80);
  const iso = ISO.exec(stated) ?? COMPACT.exec(stated) ?? SLASHED.exec(stated);
  if (iso) return writeDate(iso[1], iso[2], iso[3], iso.slice(4));
  const dayFirst = DAY_FIRST.exec(stated);
  if (dayFirst) return writeDate(dayFirst[3], monthNumber(dayFirst[2]), dayFirst[1], dayFirst.slice(4));
  const monthFirst = MONTH_FIRST.exec(stated);
  return monthFirst ? writeDate(monthFirst[3], monthNumber(monthFirst[1]), monthFirst[2], []) : undefined;
}

function monthNumber(name: string | undefined): string | undefined {
  const index = MONTHS.indexOf((name ?? '').slice(0, 3).toLowerCase());
  return index < 0 ? undefined : String(index + 1);
}

function writeDate(
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
  time: readonly (string | undefined)[],
): string | undefined {
  if (!isDay(Number(year), Number(month), Number(day))) return undefined;
  const date = `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`;
  const [hour, minute, second = '00', zone] = time;
  if (hour === undefined || minute === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return date;
  return `${date}T${hour.padStart(2, '0')}:${minute}:${second}${writeZone(zone)}`;
}

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return year >= 1000 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function writeZone(zone: string | undefined): string {
  if (zone === undefined) return '';
  if (!/^[+-]/.test(zone)) return 'Z';
  return `${zone.slice(0, 3)}:${zone.slice(-2) === zone.slice(1) ? '00' : zone.slice(-2)}`;
}
