// What an attempt means: sent, again later, or given up; and whether its channel is left alone or switched off.
import type { Attempt, DeliveryChannel } from './delivery.ts';
import type { DeliverySettlement } from './ports.ts';

/** Between two attempts, in seconds: the schedule of Svix (https://docs.svix.com/retries). */
const DELAYS_S = [5, 300, 1800, 7200, 18_000, 36_000, 36_000];
/** Of one delivery. */
const ATTEMPTS_MAX = DELAYS_S.length + 1;
/** Shares of a delay by which it may be longer or shorter, so that what failed together does not come back together. */
const JITTER = 0.2;
/** As long as nothing arrives, a channel is asked at most so often, whatever its queue holds. */
const REST_MS_MIN = 5_000;
const REST_MS_MAX = 300_000;
/** After so long without success a channel is switched off, as Svix does; not before as many attempts as one delivery has, for a machine may have slept. */
export const DISABLED_AFTER_MS = 5 * 86_400_000;
/** The receiver wants no more (Standard Webhooks 1.0.0, Status codes). */
const GONE = 410;

/** Milliseconds from the failure of the `attempt`-th to the next; undefined after the last. `random` is from 0 up to 1. */
export function retryDelayMs(attempt: number, random: number): number | undefined {
  const seconds = DELAYS_S[attempt - 1];
  return seconds === undefined ? undefined : Math.round(seconds * 1000 * (1 - JITTER + 2 * JITTER * random));
}

/** What follows of an attempt, the `number`-th of its delivery. */
export function decideSettlement(
  channel: Pick<DeliveryChannel, 'failingSinceMs' | 'failures' | 'reach'>,
  number: number,
  attempt: Attempt,
  nowMs: number,
  random: number,
): Omit<DeliverySettlement, 'durationMs'> {
  const reach = channel.reach === 'public' ? 'public' : (attempt.reach ?? channel.reach);
  const shared = { nowMs, attempt, reach };
  if (attempt.outcome === 'sent')
    return { ...shared, verdict: { kind: 'sent' }, failingSinceMs: undefined, failures: 0, rest: undefined, disabledReason: undefined };
  const failures = channel.failures + 1;
  const failingSinceMs = Math.min(channel.failingSinceMs ?? nowMs, nowMs);
  return {
    ...shared,
    verdict: verdictOf(attempt, number, nowMs, random),
    failingSinceMs,
    failures,
    rest: restOf(attempt, nowMs, failingSinceMs),
    disabledReason: disabledReasonOf(attempt, failures, nowMs - failingSinceMs),
  };
}

function verdictOf(attempt: Attempt, number: number, nowMs: number, random: number): DeliverySettlement['verdict'] {
  if (attempt.status === GONE) return { kind: 'failed', reason: 'The receiver answered 410: it wants no more.' };
  const delayMs = retryDelayMs(number, random);
  if (delayMs === undefined) return { kind: 'failed', reason: `None of ${number} attempts arrived.` };
  return { kind: 'retry', atMs: Math.max(nowMs + delayMs, attempt.retryAtMs ?? 0) };
}

/** Half as long as it has failed already: a short fault costs seconds, and a dead receiver is asked every few minutes. */
function restOf({ retryAtMs }: Attempt, nowMs: number, failingSinceMs: number): DeliverySettlement['rest'] {
  const untilMs = nowMs + Math.min(REST_MS_MAX, Math.max(REST_MS_MIN, (nowMs - failingSinceMs) / 2));
  return retryAtMs !== undefined && retryAtMs >= untilMs
    ? { untilMs: retryAtMs, because: 'retry_after' }
    : { untilMs: Math.round(untilMs), because: 'failed' };
}

function disabledReasonOf({ status, error }: Attempt, failures: number, failingMs: number): string | undefined {
  if (status === GONE) return 'The receiver answered 410: it wants no more.';
  if (failingMs < DISABLED_AFTER_MS || failures < ATTEMPTS_MAX) return undefined;
  const last = error ?? (status === undefined ? '' : `It answered ${status}.`);
  return `Nothing has arrived there for five days. ${last}`.trim();
}
