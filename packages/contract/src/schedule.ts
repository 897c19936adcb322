// When what is saved comes due by itself, for every body that says so.
import { z } from 'zod';
import { faultOfCron } from './cron.ts';

/** The days of the week, the first one first (ISO 8601). */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

const SECONDS_MIN = 5;
/** A year. */
const SECONDS_MAX = 31_536_000;
const seconds = z
  .int('must be a whole number of seconds')
  .min(SECONDS_MIN, `must be at least ${SECONDS_MIN} seconds`)
  .max(SECONDS_MAX, `must be at most ${SECONDS_MAX} seconds, a year`);
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** A part of the week. Where `to` is not after `from` it goes over midnight, and belongs to the day on which it begins. */
export const ScheduleWindow = z
  .strictObject({
    days: z
      .array(z.enum(WEEKDAYS))
      .min(1)
      .max(7)
      .refine((days) => new Set(days).size === days.length, 'names a day twice')
      .optional()
      .describe('On which it begins; every day unless said.'),
    from: z.string().regex(TIME, 'must be a time of day from 00:00 to 23:59').describe('Included, such as 22:00.'),
    to: z
      .string()
      .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time of day from 00:00 to 24:00')
      .describe('Not included. Before `from`: on the next day.'),
  })
  .refine(({ from, to }) => from !== to, {
    path: ['to'],
    error: 'is the same as "from", a window without time; a whole day is 00:00 to 24:00',
  });
export type ScheduleWindow = z.infer<typeof ScheduleWindow>;

/** A zone that this system knows by name. */
export const TimeZone = z
  .string()
  .max(100)
  .refine(isTimeZone, 'is no time zone that is known here; write its IANA name, such as Europe/Berlin')
  .describe("Of cron and windows, by its IANA name; the system's unless said.");

/** When something comes due: `every` so many seconds or by `cron`, either only in `windows` where there are any. */
export const Schedule = z
  .strictObject({
    every: seconds.optional().describe('Seconds from one time to the next.'),
    cron: z
      .string()
      .max(200)
      .check((context) => {
        const message = faultOfCron(context.value);
        if (message !== undefined) context.issues.push({ code: 'custom', message, input: context.value });
      })
      .optional()
      .describe(
        'Minute, hour, day of the month, month, day of the week, as crontab(5) has them; where both days are limited, either will do. A time that a change of the clocks leaves out comes after the gap, and one that it repeats comes once, unless minute or hour has a star or a step.',
      ),
    timezone: TimeZone.optional(),
    windows: z.array(ScheduleWindow).min(1).max(50).optional().describe('It comes due in one of these alone.'),
    jitter: z
      .number()
      .min(0)
      .max(0.5)
      .optional()
      .describe(
        'Share of the interval by which a time may be off, so that not all come at once: 0.1 unless said with `every`, sooner or later; 0 with `cron`, later alone.',
      ),
    adaptive: z
      .strictObject({ min: seconds, max: seconds })
      .refine(({ min, max }) => min <= max, { path: ['max'], error: 'is less than "min"' })
      .optional()
      .describe('With `every`: seconds between which the interval goes down with each change, and up while nothing changes.'),
    missed: z
      .enum(['once', 'skip'])
      .optional()
      .describe('After a time at which the agent slept or was stopped: `once`, at once, unless said; or `skip`, until the next.'),
  })
  .check(({ value, issues }) => {
    for (const { path, message } of faultsOf(value)) issues.push({ code: 'custom', message, path: [...path], input: value });
  })
  .meta({ id: 'Schedule' });
export type Schedule = z.infer<typeof Schedule>;

interface ScheduleFault {
  readonly path: readonly string[];
  readonly message: string;
}

function faultsOf({
  every,
  cron,
  adaptive,
}: {
  readonly every?: unknown;
  readonly cron?: unknown;
  readonly adaptive?: unknown;
}): ScheduleFault[] {
  if (every === undefined && cron === undefined) return [{ path: ['every'], message: 'is missing, and so is "cron": say one of the two' }];
  if (every !== undefined && cron !== undefined) return [{ path: ['cron'], message: 'stands beside "every": say one of the two' }];
  return adaptive !== undefined && cron !== undefined ? [{ path: ['adaptive'], message: 'goes with "every" alone' }] : [];
}

function isTimeZone(name: string): boolean {
  try {
    // An offset such as +02:00 is taken as well, and knows no change of the clocks.
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
