// When something comes due next, by its schedule and by what its runs told. Pure: the same answer whenever it is asked for the same.
import type { Schedule } from '@weft/contract';
import { intervalOf, waitSeconds } from './cadence.ts';
import type { Cadence } from './cadence.ts';
import { cronTimes } from './cron.ts';
import type { CronTimes } from './cron.ts';
import { shareOf } from './share.ts';
import { systemZone } from './wall-time.ts';
import { openingAt } from './windows.ts';
import type { Opening } from './windows.ts';

/** What is known of one thing that is scheduled. Times are epoch milliseconds. */
export interface ScheduledThing {
  /** Names it among all, such as `monitor-12`: its jitter hangs on that. */
  readonly seed: string;
  /** Since when it has its schedule. */
  readonly startedMs: number;
  /** When it was due last, of the times that this module gave; absent before the first. */
  readonly lastDueMs?: number | undefined;
  readonly cadence: Cadence;
}

const EVERY_JITTER = 0.1;
const CRON_JITTER = 0;
/** The first time is within so much of the start: 2,000 that are made at once come at 6.7 a second, the rate that the agent is meant for. */
const FIRST_MS_MAX = 300_000;
/** A clock that was set back by less does not repeat what came due in between, as cron(8) has it. */
const SET_BACK_MS = 3 * 3_600_000;
/** Times that windows may refuse before it is said that there is none: more than a year of days. */
const TRIES = 400;
const ALWAYS: Opening = { openMs: Number.NEGATIVE_INFINITY, closeMs: Number.POSITIVE_INFINITY };

/**
 * The next time after `nowMs`; undefined where there is none, such as a time of day that no window holds. However many were missed, it is
 * one time. Throws for a zone or a text of cron that can't be read.
 */
export function nextDue(schedule: Schedule, thing: ScheduledThing, nowMs: number): number | undefined {
  const dueMs = schedule.cron === undefined ? nextOfInterval(schedule, thing, nowMs) : nextOfCron(schedule, schedule.cron, thing, nowMs);
  return dueMs === undefined ? undefined : Math.max(Math.round(dueMs), nowMs + 1);
}

function nextOfInterval(schedule: Schedule, thing: ScheduledThing, nowMs: number): number {
  const { jitter = EVERY_JITTER } = schedule;
  const { seed, startedMs, lastDueMs, cadence } = thing;
  const waitMs = waitSeconds(intervalOf(schedule, cadence), cadence) * 1000;
  const share = shareOf(seed, lastDueMs ?? startedMs);
  const gapMs = lastDueMs === undefined ? share * Math.min(jitter * waitMs, FIRST_MS_MAX) : waitMs * (1 + jitter * (2 * share - 1));
  // A time that has not been yet was given by a clock that was ahead.
  const planned = Math.min(lastDueMs ?? startedMs, nowMs) + gapMs;
  const notBeforeMs = notBefore(cadence, share * jitter * waitMs);
  return inWindow(schedule, Math.max(planned > nowMs ? planned : nowMs + gapMs, notBeforeMs), share * jitter * waitMs);
}

/** `dueMs` if a window is open then, else up to `offMs` after one opens. */
function inWindow({ windows, timezone }: Schedule, dueMs: number, offMs: number): number {
  if (!windows) return dueMs;
  const { openMs, closeMs } = openingAt(windows, timezone ?? systemZone(), dueMs);
  return openMs <= dueMs ? dueMs : openMs + Math.min(offMs, closeMs - openMs - 1);
}

function nextOfCron(schedule: Schedule, text: string, thing: ScheduledThing, nowMs: number): number | undefined {
  const zone = schedule.timezone ?? systemZone();
  const times = cronTimes(text, zone);
  const sinceMs = sinceOf(thing, nowMs);
  const notBeforeMs = Math.max(notBefore(thing.cadence, 0), patience(times, thing, sinceMs));
  let atMs = firstAfter(times, schedule, sinceMs, nowMs);
  for (let tries = 0; atMs !== undefined && tries < TRIES; tries++) {
    const { openMs, closeMs } = schedule.windows ? openingAt(schedule.windows, zone, atMs) : ALWAYS;
    if (openMs > atMs) {
      atMs = times.after(openMs - 1);
      continue;
    }
    const gapMs = (times.after(atMs) ?? atMs) - atMs;
    const dueMs = Math.min(closeMs - 1, atMs + gapMs * (schedule.jitter ?? CRON_JITTER) * shareOf(thing.seed, atMs));
    if (dueMs > nowMs && dueMs >= notBeforeMs) return dueMs;
    atMs = times.after(Math.max(atMs, notBeforeMs - 1));
  }
  return undefined;
}

/** The first time that may not have come due yet: with jitter that is one that has been, but is late. */
function firstAfter(times: CronTimes, { jitter = CRON_JITTER }: Schedule, sinceMs: number, nowMs: number): number | undefined {
  const lateMs = jitter > 0 ? times.before(nowMs + 1) : undefined;
  return lateMs !== undefined && lateMs > sinceMs ? lateMs : times.after(Math.max(sinceMs, nowMs));
}

/** Times up to this one have had their turn. */
function sinceOf({ startedMs, lastDueMs = startedMs }: ScheduledThing, nowMs: number): number {
  return lastDueMs <= nowMs || lastDueMs - nowMs <= SET_BACK_MS ? lastDueMs : nowMs;
}

/** Until when failures ask for patience: the distance between two times stands for the interval. */
function patience(times: CronTimes, { cadence }: ScheduledThing, sinceMs: number): number {
  if (cadence.failures < 2) return Number.NEGATIVE_INFINITY;
  const first = times.after(sinceMs);
  const second = first === undefined ? undefined : times.after(first);
  if (first === undefined || second === undefined) return Number.NEGATIVE_INFINITY;
  return sinceMs + waitSeconds((second - first) / 1000, cadence) * 1000;
}

function notBefore({ notBeforeMs }: Cadence, offMs: number): number {
  return notBeforeMs === undefined ? Number.NEGATIVE_INFINITY : notBeforeMs + offMs;
}
