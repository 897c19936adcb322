// The formats that users' schemas may name, each in one pass over its text.

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** By name; a schema that names another one is refused. */
export const USER_FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  time: isTime,
  'date-time': (text) => isDate(text.slice(0, 10)) && /^[tT ]$/.test(text.charAt(10)) && isTime(text.slice(11)),
  email: (text) => text.length <= 320 && /^[^\s@]{1,64}@[^\s@]+$/.test(text) && isHostName(text.slice(text.lastIndexOf('@') + 1)),
  hostname: isHostName,
  uri: (text) => /^[a-z][a-z\d+.-]*:/i.test(text) && !/\s/.test(text) && URL.canParse(text),
  uuid: (text) => /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(text),
};

/** RFC 3339, full-date. */
function isDate(text: string): boolean {
  const [, year, month, day] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined || day < 1) return false;
  if (month === 2 && day === 29) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return day <= (DAYS[month - 1] ?? 0);
}

/** RFC 3339, full-time. */
function isTime(text: string): boolean {
  const [, hour = 99, minute = 99, second = 99] = (/^(\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?(?:z|[+-]\d\d:\d\d)$/i.exec(text) ?? [])
    .slice(0, 4)
    .map(Number);
  return hour < 24 && minute < 60 && second < 61;
}

/** RFC 1123, section 2.1. */
function isHostName(text: string): boolean {
  return text.length <= 253 && text.split('.').every((label) => /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i.test(label));
}
