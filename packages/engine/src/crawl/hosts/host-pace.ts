// Decides when a host may be asked again. Pure: the caller owns the clock.
import type { CrawlClock, HostAnswer, HostLimits, HostRest } from '../crawl-ports.ts';

/** What is remembered of one host. */
export interface HostState {
  readonly inFlight: number;
  /** What its robots.txt asks for between two requests; 0 until somebody has read it. */
  readonly ownGapMs: number;
  /** What was asked for between the last request and the next. */
  readonly gapMs: number;
  /** Earliest start of the next request, from the gap between two. */
  readonly nextStartMs: number;
  /** Earliest start of any request, from what the host asked for. */
  readonly blockedUntilMs: number;
  /** Refusals since the last good answer. */
  readonly refusals: number;
  readonly refusedSinceMs: number | undefined;
  /** The last refusal; undefined before the first. */
  readonly refusal?: HostRefusal;
}

/** How a host refused. */
export interface HostRefusal {
  /** 429 or 503; undefined where the host only said when to come back. */
  readonly status: number | undefined;
  /** The host named the time itself, in Retry-After; else it is ours. */
  readonly isNamed: boolean;
}

/** A host that was never asked. */
export const NEW_HOST: HostState = {
  inFlight: 0,
  ownGapMs: 0,
  gapMs: 0,
  nextStartMs: 0,
  blockedUntilMs: 0,
  refusals: 0,
  refusedSinceMs: undefined,
};

/** A host that refuses for so long, or asks to be left alone for longer, is given up. */
export const HOST_PATIENCE_MS = 900_000;
const BACKOFF_FIRST_MS = 1_000;
const BACKOFF_MAX_MS = 300_000;
/** A wish for longer than a day is a mistake more often than a wish. */
const RETRY_AFTER_MS_MAX = 86_400_000;

/** When the next request may start, in epoch milliseconds: not before `nowMs`; Infinity while all places are taken. */
export function nextStartMs(state: HostState, limits: HostLimits, nowMs: number): number {
  // A host that has just refused gets one request to show that it answers again; one that asks for a gap is never asked twice at once.
  const places = state.refusals > 0 || state.ownGapMs > 0 ? 1 : limits.inFlightMax;
  if (state.inFlight >= places) return Infinity;
  return Math.max(nowMs, state.nextStartMs, state.blockedUntilMs);
}

/** The state after a request was started at `nowMs`. */
export function afterStart(state: HostState, limits: HostLimits, nowMs: number): HostState {
  const gapMs = Math.max(limits.gapMs, state.ownGapMs);
  return { ...state, inFlight: state.inFlight + 1, gapMs, nextStartMs: nowMs + gapMs };
}

/** The state after a request was not sent that had been admitted, with the states before and after that: as if nobody had come. */
export function afterGivenBack(state: HostState, before: HostState, after: HostState): HostState {
  const nextStartMs = state.nextStartMs === after.nextStartMs ? before.nextStartMs : state.nextStartMs;
  return { ...state, inFlight: Math.max(0, state.inFlight - 1), nextStartMs };
}

/** The state once the host's robots.txt is known to ask for `ownGapMs` between two requests; whoever asks it from now on keeps that. */
export function afterRobots(state: HostState, ownGapMs: number, nowMs: number): HostState {
  return { ...state, ownGapMs, nextStartMs: Math.max(state.nextStartMs, nowMs + ownGapMs) };
}

/** The state after an answer. The gap counts from here: when a request reached the host, only its answer tells. 429 and 503 hold the host back for as long as it asks, else twice as long each time, up to five minutes. */
export function afterAnswer(state: HostState, answer: HostAnswer, nowMs: number): HostState {
  const rested = {
    ...state,
    inFlight: Math.max(0, state.inFlight - 1),
    nextStartMs: Math.max(state.nextStartMs, state.gapMs > 0 ? nowMs + state.gapMs : 0),
  };
  if (!isRefusal(answer)) {
    // A request that was under way when the host refused does not take its wish back.
    return answer.status === undefined ? rested : { ...rested, refusals: 0, refusedSinceMs: undefined };
  }
  const backoffMs = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** Math.min(state.refusals, 20));
  const untilMs = answer.retryAtMs ?? nowMs + backoffMs;
  return {
    ...rested,
    blockedUntilMs: Math.max(state.blockedUntilMs, untilMs),
    refusals: state.refusals + 1,
    refusedSinceMs: state.refusedSinceMs ?? nowMs,
    refusal: { status: answer.status, isNamed: answer.retryAtMs !== undefined },
  };
}

/** The state once a person has decided that the host be asked again: its wish is passed over, and one request at a time shows whether it answers. */
export function afterPerson(state: HostState, nowMs: number): HostState {
  return { ...state, blockedUntilMs: Math.min(state.blockedUntilMs, nowMs), refusedSinceMs: undefined };
}

/** What the state says to those who want to ask. */
export function restOf({ refusedSinceMs, blockedUntilMs, nextStartMs: restedMs }: HostState): HostRest {
  return { refusedSinceMs, blockedUntilMs, restsUntilMs: Math.max(blockedUntilMs, restedMs) };
}

/** Whether nothing about the host needs to be remembered any more. */
export function isAtRest({ inFlight, ownGapMs, refusals, nextStartMs: restedMs, blockedUntilMs }: HostState, nowMs: number): boolean {
  return inFlight === 0 && ownGapMs === 0 && refusals === 0 && Math.max(restedMs, blockedUntilMs) <= nowMs;
}

/** Whether an answer means "not now" rather than anything about the page. */
export function isRefusal(answer: HostAnswer): boolean {
  return answer.status === 429 || answer.status === 503 || (answer.status === undefined && answer.retryAtMs !== undefined);
}

/**
 * The time in a Retry-After header, seconds or a date, as epoch milliseconds, at most a day from now; undefined for anything else (RFC 9110,
 * 10.2.3).
 */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const date = /[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  const atMs = /^\s*\d{1,9}\s*$/.test(value) ? nowMs + Number(value) * 1_000 : date;
  return Number.isNaN(atMs) ? undefined : Math.min(Math.max(nowMs, atMs), nowMs + RETRY_AFTER_MS_MAX);
}

/** The time in a Retry-After header on the steady scale of `clock`: what its date says is a time of day. */
export function retryAtOf(value: string | undefined, clock: CrawlClock): number | undefined {
  const nowMs = clock.now();
  const atMs = parseRetryAfter(value, nowMs);
  return atMs === undefined ? undefined : clock.steadyMs() + (atMs - nowMs);
}
