// Rows of what comes due by itself: one for each thing, by its kind and its id.
import type { DatabaseSync } from 'node:sqlite';
import type { Database } from '../db/open.ts';
import { allRows } from '../db/rows.ts';

export interface DueRow {
  readonly kind: string;
  readonly owner_id: number;
  /** Epoch milliseconds, as are the other times. */
  readonly due_at: number;
  readonly set_at: number;
  /** The occurrence that was begun last, how often it was begun, and the run that came of it. */
  readonly last_due_at: number | null;
  readonly begun: number;
  readonly run_id: number | null;
  /** How often in a row it could not be begun. */
  readonly faults: number;
}

/** Whose row it is. */
export type Owner = Pick<DueRow, 'kind' | 'owner_id'>;

export interface DueStore {
  find(owner: Owner): DueRow | undefined;
  /** Makes it due at `dueAt`, as reckoned at `atMs`; what was begun of it is kept. */
  set(owner: Owner, dueAt: number, atMs: number): void;
  /** Moves a row from an occurrence that was begun to the next. */
  moveOn(row: DueRow, runId: number | null, dueAt: number, atMs: number): void;
  /** Tries a row that could not be begun again later. */
  putOff(owner: Owner, dueAt: number, atMs: number): void;
  forgetLast(owner: Owner): void;
  clear(owner: Owner): void;
  /** Of those that are due at `atMs`, the one of `kind` that is due longest. */
  firstDue(kind: string, atMs: number): DueRow | undefined;
  /** When the next one after `afterMs` is due, of whichever of `kinds`. */
  nextMs(kinds: readonly string[], afterMs: number): number | undefined;
  /** Makes those due again whose run was interrupted, once for each occurrence. */
  putBackInterrupted(atMs: number): void;
  /** Some of those that were reckoned after `atMs`, by a clock that was ahead. */
  reckonedAfter(atMs: number, limit: number): readonly Owner[];
  count(atMs: number): DueCounts;
}

export interface DueCounts {
  readonly all: number;
  /** Due at the time that was asked about. */
  readonly due: number;
  /** Those that could not be begun when they last were to. */
  readonly faulty: number;
}

/** How often an occurrence is begun whose run was interrupted: what ends the agent each time ends it no third time. */
const BEGUN_MAX = 2;

export function createDueStore({ fast }: Database): DueStore {
  return { ...createWrites(fast), ...createReads(fast) };
}

type Reads = Pick<DueStore, 'find' | 'firstDue' | 'nextMs' | 'reckonedAfter' | 'count'>;

function createReads(fast: DatabaseSync): Reads {
  const find = fast.prepare('SELECT * FROM due WHERE kind = ? AND owner_id = ?');
  const firstDue = fast.prepare('SELECT * FROM due WHERE kind = ? AND due_at <= ? ORDER BY due_at LIMIT 1');
  const next = fast.prepare('SELECT min(due_at) AS at FROM due WHERE kind = ? AND due_at > ?');
  const after = fast.prepare('SELECT kind, owner_id FROM due WHERE set_at > ? LIMIT ?');
  const count = fast.prepare(
    `SELECT (SELECT count(*) FROM due) AS "all", (SELECT count(*) FROM due WHERE due_at <= ?) AS due,
       (SELECT count(*) FROM due WHERE faults > 0) AS faulty`,
  );
  return {
    find: ({ kind, owner_id: ownerId }) => find.get(kind, ownerId) as DueRow | undefined,
    firstDue: (kind, atMs) => firstDue.get(kind, atMs) as DueRow | undefined,
    nextMs(kinds, afterMs) {
      // An aggregate without groups gives one row.
      const times = kinds.map((kind) => (next.get(kind, afterMs) as { at: number | null }).at ?? Number.POSITIVE_INFINITY);
      const first = Math.min(...times);
      return Number.isFinite(first) ? first : undefined;
    },
    reckonedAfter: (atMs, limit) => allRows<Owner>(after, atMs, limit),
    // One row, with these columns.
    count: (atMs) => count.get(atMs) as unknown as DueCounts,
  };
}

function createWrites(fast: DatabaseSync): Omit<DueStore, keyof Reads> {
  const set = fast.prepare(
    `INSERT INTO due (kind, owner_id, due_at, set_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (kind, owner_id) DO UPDATE SET due_at = excluded.due_at, set_at = excluded.set_at, faults = 0`,
  );
  const moveOn = fast.prepare(
    `UPDATE due SET due_at = ?, set_at = ?, begun = iif(last_due_at IS ?3, begun, 0) + 1, last_due_at = ?3, run_id = ?, faults = 0
     WHERE kind = ? AND owner_id = ?`,
  );
  const putOff = fast.prepare('UPDATE due SET due_at = ?, set_at = ?, faults = faults + 1 WHERE kind = ? AND owner_id = ?');
  const forget = fast.prepare('UPDATE due SET last_due_at = NULL, begun = 0, run_id = NULL WHERE kind = ? AND owner_id = ?');
  const clear = fast.prepare('DELETE FROM due WHERE kind = ? AND owner_id = ?');
  const putBack = fast.prepare(
    `UPDATE due SET due_at = last_due_at, set_at = ? WHERE begun < ${BEGUN_MAX}
       AND EXISTS (SELECT 1 FROM run WHERE run.id = run_id AND status = 'failed' AND failure ->> '$.code' = 'interrupted')`,
  );
  return {
    set: ({ kind, owner_id: ownerId }, dueAt, atMs) => void set.run(kind, ownerId, dueAt, atMs),
    moveOn: ({ kind, owner_id: ownerId, due_at: at }, runId, dueAt, atMs) => void moveOn.run(dueAt, atMs, at, runId, kind, ownerId),
    putOff: ({ kind, owner_id: ownerId }, dueAt, atMs) => void putOff.run(dueAt, atMs, kind, ownerId),
    forgetLast: ({ kind, owner_id: ownerId }) => void forget.run(kind, ownerId),
    clear: ({ kind, owner_id: ownerId }) => void clear.run(kind, ownerId),
    putBackInterrupted: (atMs) => void putBack.run(atMs),
  };
}
