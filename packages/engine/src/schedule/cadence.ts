// What runs tell of how often to run: failures that ask for patience, and changes that ask for haste.
import type { RunFailure, Schedule } from '@weft/contract';

/** What is remembered from run to run; plain JSON. */
export interface Cadence {
  /** Failures in a row that lie with the site or the way to it. */
  readonly failures: number;
  /** The last of them was a refusal, and not that nothing could be reached. */
  readonly isRefused: boolean;
  /** Not before this, in epoch milliseconds: the site said so. */
  readonly notBeforeMs?: number;
  /** Seconds, of an adaptive schedule that has run. */
  readonly intervalSeconds?: number;
}

/** How a run ended: whether it saw a change, or why it failed. Neither for a run that failed for want of the machine's own network. */
export interface RunOutcome {
  readonly changed?: boolean;
  readonly failure?: RunFailure['code'];
  /** Of the answer, where there was one. */
  readonly status?: number;
  /** What a Retry-After asked for, in epoch milliseconds. */
  readonly retryAtMs?: number;
}

/** Of what has not run yet. */
export const FIRST_CADENCE: Cadence = { failures: 0, isRefused: false };

/** The interval grows by so much with each run that saw no change, and shrinks with each that saw one: `inc_rate` and `dec_rate` of Apache Nutch's AdaptiveFetchSchedule (conf/nutch-default.xml). */
const GROWS_BY = 0.4;
const SHRINKS_BY = 0.2;
/** A site that is down is asked as often as by a monitor that names no interval (D36): it will be back, and somebody waits for that. */
const DOWN_SECONDS_MAX = 3_600;
/** A site that refuses is asked once a day: as long as its robots.txt may be believed (RFC 9309, 2.4). */
const REFUSED_SECONDS_MAX = 86_400;

const REFUSALS: ReadonlySet<string> = new Set(['rate_limited', 'blocked', 'captcha', 'robots']);
const REFUSING_STATUSES: ReadonlySet<number> = new Set([401, 403, 429, 451, 503]);
const UNREACHED: ReadonlySet<string> = new Set(['dns', 'connect', 'tls', 'timeout', 'bad_response', 'truncated']);

/** What is remembered after a run. */
export function afterRun(schedule: Schedule, before: Cadence, outcome: RunOutcome): Cadence {
  const trouble = troubleOf(outcome);
  const interval = intervalAfter(schedule, before, outcome);
  return {
    failures: trouble === undefined ? 0 : before.failures + 1,
    isRefused: trouble === 'refused',
    ...(outcome.retryAtMs === undefined ? {} : { notBeforeMs: outcome.retryAtMs }),
    ...(interval === undefined ? {} : { intervalSeconds: interval }),
  };
}

/** Seconds from one run to the next where an interval alone would say `seconds`: twice as many with each further failure, up to a bound. */
export function waitSeconds(seconds: number, { failures, isRefused }: Cadence): number {
  const max = Math.max(seconds, isRefused ? REFUSED_SECONDS_MAX : DOWN_SECONDS_MAX);
  return Math.min(max, seconds * 2 ** Math.max(0, failures - 1));
}

/** Seconds between runs that fail in no way: as scheduled, or as changes made it. */
export function intervalOf({ every = 0, adaptive }: Schedule, { intervalSeconds = every }: Cadence): number {
  return adaptive ? Math.min(adaptive.max, Math.max(adaptive.min, intervalSeconds)) : every;
}

function intervalAfter(schedule: Schedule, before: Cadence, { changed }: RunOutcome): number | undefined {
  if (!schedule.adaptive) return undefined;
  const interval = intervalOf(schedule, before);
  if (changed === undefined) return interval;
  return intervalOf(schedule, { ...before, intervalSeconds: interval * (changed ? 1 - SHRINKS_BY : 1 + GROWS_BY) });
}

function troubleOf({ failure, status = 0 }: RunOutcome): 'refused' | 'down' | undefined {
  if (failure === undefined) return undefined;
  if (REFUSALS.has(failure) || (failure === 'http_status' && REFUSING_STATUSES.has(status))) return 'refused';
  return UNREACHED.has(failure) || failure === 'server_error' ? 'down' : undefined;
}
