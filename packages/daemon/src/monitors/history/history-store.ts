// What is kept of checks over time: hours and states, read from the runs and changes that there are.
import type { ChangeKind } from '@weft/contract';
import type { Database } from '../../db/open.ts';
import { allRows, allRowsNamed } from '../../db/rows.ts';
import { MONITOR_SOURCE } from '../store.ts';

export interface HourRow {
  /** Epoch milliseconds of its beginning, by UTC. */
  readonly hour_at: number;
  readonly checks: number;
  readonly unchanged: number;
  readonly trouble: number;
  /** Of all checks together. */
  readonly duration_ms: number;
}

export interface StandingRow {
  readonly kind: Extract<ChangeKind, 'blocked' | 'error' | 'recovered'>;
  readonly created_at: number;
}

export interface HistoryStore {
  /** Newest first. */
  hours(monitorId: number, sinceMs: number, limit: number, offset: number): readonly HourRow[];
  countHours(monitorId: number, sinceMs: number): number;
  /** What was told of how the monitor stands, oldest first. */
  standings(monitorId: number): readonly StandingRow[];
  /** The name of this home in feeds, and since when it has it, in epoch milliseconds. */
  feed(): { readonly name: string; readonly created_at: number };
}

const HOUR_MS = 3_600_000;

export function createHistoryStore({ fast }: Database): HistoryStore {
  // Checks that found nothing new are summed up already, and some of them are still runs.
  const HOURS = `WITH part AS (
      SELECT hour_at, runs AS checks, runs AS unchanged, 0 AS trouble, duration_ms FROM run_unchanged_hour
      WHERE source_kind = '${MONITOR_SOURCE}' AND source_id = $id AND hour_at >= $since
      UNION ALL
      SELECT run.created_at / ${HOUR_MS} * ${HOUR_MS}, 1, ifnull(verdict = 'unchanged', 0), ifnull(verdict = 'trouble', status = 'failed'),
        ifnull(duration_ms, 0) FROM run LEFT JOIN monitor_check ON run_id = run.id
      WHERE source_kind = '${MONITOR_SOURCE}' AND source_id = $id AND is_unchanged = 0 AND status IN ('succeeded', 'failed')
        AND run.created_at >= $since)`;
  const hours = fast.prepare(
    `${HOURS} SELECT hour_at, sum(checks) AS checks, sum(unchanged) AS unchanged, sum(trouble) AS trouble, sum(duration_ms) AS duration_ms
     FROM part GROUP BY hour_at ORDER BY hour_at DESC LIMIT $limit OFFSET $offset`,
  );
  const countHours = fast.prepare(`${HOURS} SELECT count(DISTINCT hour_at) AS n FROM part`);
  const standings = fast.prepare(
    `SELECT kind, created_at FROM monitor_change WHERE monitor_id = ? AND kind IN ('blocked', 'error', 'recovered') ORDER BY id`,
  );
  const feed = fast.prepare('SELECT name, created_at FROM monitor_feed');
  return {
    hours: (id, since, limit, offset) => allRowsNamed<HourRow>(hours, { $id: id, $since: since, $limit: limit, $offset: offset }),
    countHours: (id, since) => (countHours.get({ $id: id, $since: since }) as { n: number }).n,
    standings: (id) => allRows<StandingRow>(standings, id),
    // The step that made the table wrote its one row.
    feed: () => feed.get() as unknown as ReturnType<HistoryStore['feed']>,
  };
}
