// When a text of cron comes due. The library knows the rules of Vixie cron for changes of the clocks.
import { Cron } from 'croner';

/** The times of one text in one zone, in epoch milliseconds. */
export interface CronTimes {
  /** The first after `afterMs`; undefined where there is none before the year 10000. */
  after(afterMs: number): number | undefined;
  /** The last before `beforeMs`. */
  before(beforeMs: number): number | undefined;
}

/** Throws an error of the library's for a text or a zone that it can't read. */
export function cronTimes(text: string, zone: string): CronTimes {
  // Lists and ranges of hours are fixed times to Vixie cron; only a star makes them follow the clock.
  const cron = new Cron(text, { timezone: zone, mode: '5-part', fixedTimeRule: 'no-wildcard', paused: true });
  return {
    after: (afterMs) => cron.nextRun(new Date(afterMs))?.getTime(),
    before: (beforeMs) => cron.previousRuns(1, new Date(beforeMs))[0]?.getTime(),
  };
}
