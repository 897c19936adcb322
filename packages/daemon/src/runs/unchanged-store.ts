// Runs that found nothing new: summed up by the hour as they settle, the newest of each source kept (D23).
import type { DatabaseSync } from 'node:sqlite';
import { allRows } from '../db/rows.ts';

const HOUR_MS = 3_600_000;

/** What runs belong to that is saved, by its kind and its id. */
export interface RunSource {
  readonly source_kind: string;
  readonly source_id: number;
}

/** The runs of one source that found nothing new and began in one hour. */
export interface UnchangedHour {
  /** Epoch milliseconds, of its beginning by UTC. */
  readonly hour_at: number;
  readonly runs: number;
  /** Of all of them together. */
  readonly duration_ms: number;
}

export interface UnchangedStore {
  /** Says of a live run that it has found nothing new: it is summed up once it has succeeded. */
  markUnchanged(id: number): void;
  /** The hours from `sinceMs` on in which runs of a source found nothing new, in their order. */
  unchangedHours(source: RunSource, sinceMs: number): readonly UnchangedHour[];
  /** Deletes the sums of a source that is gone. */
  forgetUnchanged(source: RunSource): void;
  /** Deletes the sums of hours that began before. */
  forgetUnchangedBefore(beforeMs: number): void;
}

/** `fold` sums up a run that has settled, as part of the transaction that is open; `keep` of each source stay as runs. */
export function createUnchangedStore(fast: DatabaseSync, keep: number): UnchangedStore & { fold(id: number): void } {
  const mark = fast.prepare('UPDATE run SET is_unchanged = 1 WHERE id = ?');
  const unmark = fast.prepare(`UPDATE run SET is_unchanged = 0 WHERE id = ? AND is_unchanged = 1 AND status <> 'succeeded'`);
  const add = fast.prepare(
    `INSERT INTO run_unchanged_hour (source_kind, source_id, hour_at, runs, duration_ms)
     SELECT source_kind, source_id, created_at / ${HOUR_MS} * ${HOUR_MS}, 1, ifnull(duration_ms, 0) FROM run
     WHERE id = ? AND is_unchanged = 1 AND source_id IS NOT NULL
     ON CONFLICT DO UPDATE SET runs = runs + 1, duration_ms = duration_ms + excluded.duration_ms`,
  );
  const removeBeyond = fast.prepare(
    `DELETE FROM run WHERE id IN (SELECT other.id FROM run JOIN run AS other USING (source_kind, source_id)
       WHERE run.id = ?1 AND other.is_unchanged = 1 ORDER BY other.id DESC LIMIT -1 OFFSET ${keep})`,
  );
  const ofSource = 'run_unchanged_hour WHERE source_kind = ? AND source_id = ?';
  const hours = fast.prepare(`SELECT hour_at, runs, duration_ms FROM ${ofSource} AND hour_at >= ? ORDER BY hour_at`);
  const forget = fast.prepare(`DELETE FROM ${ofSource}`);
  const forgetBefore = fast.prepare('DELETE FROM run_unchanged_hour WHERE hour_at < ?');
  return {
    markUnchanged: (id) => void mark.run(id),
    unchangedHours: ({ source_kind: kind, source_id: id }, sinceMs) => allRows<UnchangedHour>(hours, kind, id, sinceMs),
    forgetUnchanged: ({ source_kind: kind, source_id: id }) => void forget.run(kind, id),
    forgetUnchangedBefore: (beforeMs) => void forgetBefore.run(beforeMs),
    fold(id) {
      unmark.run(id);
      if (add.run(id).changes === 1) removeBeyond.run(id);
    },
  };
}
