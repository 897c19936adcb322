// Token buckets: how often a caller may ask (D9), and how often an address may present a wrong token (D3).

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
  take(key: string, policy: RatePolicy): RateDecision;
}

interface Bucket {
  tokens: number;
  atMs: number;
}

const BUCKETS_MAX = 10_000;

/** A limiter in memory. `now` is milliseconds of any monotonic clock; going back in time never grants tokens. */
export function createRateLimiter(now: () => number): RateLimiter {
  const buckets = new Map<string, Bucket>();
  return {
    take(key, policy) {
      const atMs = now();
      const bucket = buckets.get(key) ?? { tokens: policy.burst, atMs };
      const elapsedMs = Math.max(0, atMs - bucket.atMs);
      const tokens = Math.min(policy.burst, bucket.tokens + (elapsedMs / 1000) * policy.perSecond);
      const allowed = tokens >= 1;
      const left = allowed ? tokens - 1 : tokens;
      buckets.delete(key);
      buckets.set(key, { tokens: left, atMs: Math.max(atMs, bucket.atMs) });
      if (buckets.size > BUCKETS_MAX) dropOldest(buckets);
      return {
        allowed,
        remaining: Math.floor(left),
        retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((1 - left) / policy.perSecond)),
      };
    },
  };
}

/** The map keeps the order of last use, so the first key is the one unused for longest. */
function dropOldest(buckets: Map<string, Bucket>): void {
  const oldest = buckets.keys().next();
  if (!oldest.done) buckets.delete(oldest.value);
}
