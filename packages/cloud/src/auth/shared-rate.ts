// Token buckets of all processes together (D9): a caller may ask as often as it may, whichever process it reaches.
import { createHmac } from 'node:crypto';
import type { RateLimiter } from '@weft/serve';
import type { Queries } from '../db/queries.ts';

/** `key` makes prints of callers and addresses that nobody can guess back. */
export function createSharedRate({ find, rows }: Queries, key: Uint8Array): RateLimiter & { prune(): Promise<void> } {
  return {
    async take(caller, { perSecond, burst }) {
      const grown = `least($2::float8, bucket.tokens + extract(epoch FROM clock_timestamp() - bucket.at) * $3)`;
      const row = await find<{ tokens: number; is_allowed: boolean }>(
        `INSERT INTO rate_bucket AS bucket (caller, tokens, is_allowed, at) VALUES ($1, $2::float8 - 1, true, clock_timestamp())
         ON CONFLICT (caller) DO UPDATE SET is_allowed = ${grown} >= 1, at = clock_timestamp(),
           tokens = CASE WHEN ${grown} >= 1 THEN ${grown} - 1 ELSE greatest(0, ${grown}) END
         RETURNING tokens, is_allowed`,
        [createHmac('sha256', key).update(`rate\0${caller}`).digest(), burst, perSecond],
      );
      const { tokens = 0, is_allowed: allowed = false } = row ?? {};
      const retryAfterSeconds = allowed ? 0 : Math.max(1, Math.ceil((1 - tokens) / perSecond));
      return { allowed, remaining: Math.floor(tokens), retryAfterSeconds };
    },
    async prune() {
      await rows(`DELETE FROM rate_bucket WHERE at < now() - interval '1 hour'`);
    },
  };
}
