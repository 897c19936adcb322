// Rows of what has happened, until automations have heard of it.
import type { Database } from '../db/open.ts';

export interface CauseRow {
  readonly id: number;
  /** JSON of a Cause. */
  readonly body: string;
  /** How many automations led to it. */
  readonly depth: number;
  readonly faults: number;
}

export interface CauseRows {
  /** Part of the transaction of what has happened in run `runId`. */
  add(body: string, runId: number): void;
  find(id: number): CauseRow | undefined;
  /** The oldest that is due by `nowMs`. */
  next(nowMs: number): CauseRow | undefined;
  nextMs(): number | undefined;
  putOff(id: number, untilMs: number): void;
  remove(id: number): void;
  hasAny(): boolean;
}

export function createCauseRows({ fast }: Database): CauseRows {
  const add = fast.prepare(
    `WITH RECURSIVE up (id, parent_id) AS (SELECT id, parent_id FROM run WHERE id = ?2
       UNION ALL SELECT run.id, run.parent_id FROM run JOIN up ON run.id = up.parent_id)
     INSERT INTO automation_cause (body, depth) SELECT ?1, ifnull(max(depth), 0) FROM up JOIN automation_run ON run_id = up.id`,
  );
  const find = fast.prepare('SELECT * FROM automation_cause WHERE id = ?');
  const next = fast.prepare('SELECT * FROM automation_cause WHERE due_at <= ? ORDER BY id LIMIT 1');
  const nextMs = fast.prepare('SELECT min(due_at) AS at FROM automation_cause');
  const any = fast.prepare('SELECT EXISTS (SELECT 1 FROM automation_cause) AS has');
  const putOff = fast.prepare('UPDATE automation_cause SET due_at = ?, faults = faults + 1 WHERE id = ?');
  const remove = fast.prepare('DELETE FROM automation_cause WHERE id = ?');
  return {
    add: (body, runId) => void add.run(body, runId),
    find: (id) => find.get(id) as CauseRow | undefined,
    next: (nowMs) => next.get(nowMs) as CauseRow | undefined,
    nextMs: () => (nextMs.get() as { at: number | null }).at ?? undefined,
    putOff: (id, untilMs) => void putOff.run(untilMs, id),
    remove: (id) => void remove.run(id),
    hasAny: () => (any.get() as { has: 0 | 1 }).has === 1,
  };
}
