// Texts of cron as bodies carry them: the five fields of crontab(5), held to what every reader of them understands alike.

interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Names that stand for numbers, the first for `min`. */
  readonly names?: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Sunday is 0, and at the end of a range 7. */
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const FIELDS: readonly Field[] = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of the month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, names: MONTHS },
  { name: 'day of the week', min: 0, max: 7, names: DAYS },
];
/** In a leap year. */
const DAYS_OF_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** What is wrong with a text of cron, as the end of a sentence that begins with its name; undefined for one that comes due. */
export function faultOfCron(text: string): string | undefined {
  const parts = text.trim().split(/\s+/);
  if (parts.length !== FIELDS.length)
    return `must have five fields (minute, hour, day of the month, month, day of the week), such as "30 7 * * mon-fri"; it has ${text.trim() === '' ? 0 : parts.length}`;
  for (const [index, field] of FIELDS.entries()) {
    const fault = faultOfField(parts[index] ?? '', field);
    if (fault !== undefined) return `has a fault in field ${index + 1}, the ${field.name}: ${fault}`;
  }
  const [, , days = '', months = '', weekdays = ''] = parts;
  return weekdays === '*' && !hasDay(days, months) ? `never comes due: ${days} is no day of any of the months ${months}` : undefined;
}

function faultOfField(text: string, field: Field): string | undefined {
  return text
    .split(',')
    .map((item) => faultOfItem(item, field))
    .find((fault) => fault !== undefined);
}

/** One of a list: a star, a number or a range, and every how many of a star or a range. */
function faultOfItem(item: string, field: Field): string | undefined {
  const { min, max, names } = field;
  const [span = '', step, ...more] = item.split('/');
  const ends = span === '*' ? [] : span.split('-');
  const values = ends.map((end, index) => valueOf(end, field, index > 0));
  if (more.length > 0 || ends.length > 2 || values.includes(undefined))
    return `"${item.slice(0, 40)}" is neither *, a number from ${min} to ${max}${names ? `, a name such as ${names[1]}` : ''}, nor a range of them`;
  const [from = min, to = max] = values;
  if (from > to) return `the range "${item.slice(0, 40)}" ends before it begins`;
  if (step === undefined) return undefined;
  if (ends.length === 1) return `"${item.slice(0, 40)}" has a step without a range; write ${span}-${max}/${step.slice(0, 10)}`;
  const width = field.name === 'day of the week' ? 7 : max - min + 1;
  return /^\d{1,2}$/.test(step) && Number(step) >= 1 && Number(step) <= width
    ? undefined
    : `the step of "${item.slice(0, 40)}" must be from 1 to ${width}`;
}

/** The number that `text` stands for, where the field knows it. */
function valueOf(text: string, { min, max, names }: Field, isEnd: boolean): number | undefined {
  const word = text.toLowerCase();
  const at = isEnd ? names?.lastIndexOf(word) : names?.indexOf(word);
  const value = at !== undefined && at >= 0 ? min + at : /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}

/** Whether one of the days is in one of the months, for fields without faults. */
function hasDay(days: string, months: string): boolean {
  const first = Math.min(...days.split(',').map((item) => firstOf(item, FIELDS[2] as Field)));
  return monthsOf(months).some((month) => first <= (DAYS_OF_MONTHS[month - 1] ?? 0));
}

function firstOf(item: string, field: Field): number {
  return valueOf(item.split(/[-/]/)[0] ?? '', field, false) ?? field.min;
}

function monthsOf(text: string): readonly number[] {
  const field = FIELDS[3] as Field;
  return text.split(',').flatMap((item) => {
    const [span = '', step = '1'] = item.split('/');
    const [from, to = from] = span === '*' ? [field.min, field.max] : span.split('-').map((end) => valueOf(end, field, true));
    return Array.from({ length: field.max }, (_, index) => index + 1).filter(
      (month) => month >= (from ?? field.min) && month <= (to ?? field.max) && (month - (from ?? field.min)) % Number(step) === 0,
    );
  });
}
