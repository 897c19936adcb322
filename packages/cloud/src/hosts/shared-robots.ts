// What hosts say in their robots.txt, for all processes: one asks, the others read it here.
import type { RobotsRules, SharedRobots } from '@weft/engine';
import type { Queries } from '../db/queries.ts';

export function createSharedRobots({ rows, find }: Queries): SharedRobots & { prune(): Promise<void> } {
  return {
    async find(host, ageMsMax) {
      const row = await find<{ rules: RobotsRules; age_ms: number }>(
        `SELECT rules, (extract(epoch FROM now() - asked_at) * 1000)::float8 AS age_ms FROM robots_copy
         WHERE host = $1 AND until_at > now() AND asked_at >= now() - $2 * interval '1 millisecond'`,
        [host, ageMsMax],
      );
      return row && { rules: row.rules, ageMs: row.age_ms };
    },
    async keep(host, rules, forMs) {
      await rows(
        `INSERT INTO robots_copy (host, rules, asked_at, until_at) VALUES ($1, $2, now(), now() + $3 * interval '1 millisecond')
         ON CONFLICT (host) DO UPDATE SET rules = excluded.rules, asked_at = excluded.asked_at, until_at = excluded.until_at`,
        [host, JSON.stringify({ ...rules, askedMs: undefined }), forMs],
      );
    },
    async prune() {
      await rows('DELETE FROM robots_copy WHERE until_at < now()');
    },
  };
}
