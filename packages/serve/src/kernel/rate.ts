// Token buckets: how often a caller may ask (D9), and how often an address may present a wrong token (D3).

import type { Awaitable } from '../wire/message.ts';

export interface RatePolicy {
  readonly perSecond: number;
  /** How many at once after a pause. */
  readonly burst: number;
}

export interface RateDecision {
  readonly allowed: boolean;
  /** Whole requests left now. */
  readonly remaining: number;
  /** Seconds until one more request is allowed, rounded up; 0 when allowed. */
  readonly retryAfterSeconds: number;
}

export interface RateLimiter {
  /** Takes one from the bucket of `key`, unless it is empty. */
  take(key: string, policy: RatePolicy): Awaitable<RateDecision>;
}

interface Bucket {
  tokens: number;
  atMs: number;
}

/** So many callers that came last are known for certain; at most twice as many are kept. */
const BUCKETS_MAX = 10_000;

/** A limiter in memory, which answers at once. `now` is milliseconds of any monotonic clock; going back in time never grants tokens. */
export function createRateLimiter(now: () => number): { take(key: string, policy: RatePolicy): RateDecision } {
  // Two generations instead of one order of use: a caller that is known costs one look-up.
  let recent = new Map<string, Bucket>();
  let older = new Map<string, Bucket>();
  return { take: (key, policy) => takeFrom(bucketOf(key, policy), policy, now()) };

  function bucketOf(key: string, policy: RatePolicy): Bucket {
    const known = recent.get(key);
    if (known) return known;
    if (recent.size >= BUCKETS_MAX) [older, recent] = [recent, new Map()];
    const bucket = older.get(key) ?? { tokens: policy.burst, atMs: now() };
    recent.set(key, bucket);
    return bucket;
  }
}

function takeFrom(bucket: Bucket, policy: RatePolicy, atMs: number): RateDecision {
  const elapsedMs = Math.max(0, atMs - bucket.atMs);
  const tokens = Math.min(policy.burst, bucket.tokens + (elapsedMs / 1000) * policy.perSecond);
  const allowed = tokens >= 1;
  bucket.tokens = allowed ? tokens - 1 : tokens;
  bucket.atMs += elapsedMs;
  return {
    allowed,
    remaining: Math.floor(bucket.tokens),
    retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((1 - bucket.tokens) / policy.perSecond)),
  };
}
