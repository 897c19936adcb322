// Rows of runs and of their events.
import { LIVE_STATUSES } from '@weft/contract';
import type { LoggedEvent, RunFailure, RunKind, RunStatus } from '@weft/contract';
import type { Database } from '../db/open.ts';
import { durably, transaction } from '../db/open.ts';
import { allRows } from '../db/rows.ts';

export interface RunRow {
  readonly id: number;
  readonly kind: RunKind;
  readonly status: RunStatus;
  readonly source_kind: string;
  readonly source_id: number | null;
  readonly source_name: string;
  readonly owner_id: string;
  readonly dataset_id: number | null;
  readonly rows_extracted: number;
  /** JSON of a RunFailure. */
  readonly failure: string | null;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly finished_at: number | null;
  readonly duration_ms: number | null;
}

export type NewRun = Pick<RunRow, 'kind' | 'source_kind' | 'source_id' | 'source_name' | 'owner_id' | 'created_at'>;

export interface RunFilter {
  readonly kind?: RunKind | undefined;
  readonly status?: RunStatus | undefined;
  readonly ownerId?: string | undefined;
}

export interface EventRow {
  readonly seq: number;
  readonly event: LoggedEvent;
}

/** A row of the table. */
interface StoredEvent {
  readonly seq: number;
  readonly at: number;
  /** JSON of a NewEvent. */
  readonly body: string;
}

/** An event before the log numbers it. */
export type NewEvent = LoggedEvent extends infer E ? (E extends LoggedEvent ? Omit<E, 'seq' | 'at'> : never) : never;

const LIVE = LIVE_STATUSES.map((status) => `'${status}'`).join(', ');

export interface RunStore {
  /** Inserts a queued run, durably; `also` writes what belongs to it in the same transaction and answers its dataset. */
  insert(run: NewRun, also: (id: number) => number | null): number;
  find(id: number): RunRow | undefined;
  ownerOf(id: number): string | undefined;
  list(filter: RunFilter, limit: number, offset: number): readonly RunRow[];
  count(filter: RunFilter): number;
  /** How many runs wait, and how many run. */
  countLive(): { readonly queued: number; readonly running: number };
  live(): readonly RunRow[];
  /** queued -> running; false when the run is no longer queued. */
  start(id: number, atMs: number): boolean;
  /** running -> queued, for a run that goes on after a restart. */
  requeue(id: number): void;
  addRows(id: number, rows: number): void;
  /** Settles a live run and appends `finished` in one transaction, which is durable for a cancelled one; false when it had already settled. */
  settle(id: number, status: RunStatus, failure: RunFailure | undefined, atMs: number, durationMs?: number): boolean;
  append(id: number, event: NewEvent, atMs: number): EventRow;
  /** The oldest `limit` after event `after`; the very same rows for everyone who asks before a log grows. */
  eventsAfter(id: number, after: number, limit: number): readonly EventRow[];
  /** Number of the newest event; 0 before the first. */
  lastSeq(id: number): number;
  /** Deletes settled runs that finished before `beforeMs`, and all but the newest `keep` of each source; how many went. */
  prune(beforeMs: number, keep: number): number;
}

export function createRunStore({ fast }: Database): RunStore {
  const insert = fast.prepare(
    `INSERT INTO run (kind, status, source_kind, source_id, source_name, owner_id, created_at) VALUES (?, 'queued', ?, ?, ?, ?, ?)`,
  );
  const setDataset = fast.prepare('UPDATE run SET dataset_id = ? WHERE id = ?');
  const find = fast.prepare('SELECT * FROM run WHERE id = ?');
  const owner = fast.prepare('SELECT owner_id FROM run WHERE id = ?');
  const countLive = fast.prepare(
    "SELECT count(*) FILTER (WHERE status = 'queued') AS queued, count(*) FILTER (WHERE status = 'running') AS running FROM run WHERE status IN ('queued', 'running')",
  );
  const live = fast.prepare(`SELECT * FROM run WHERE status IN (${LIVE}) ORDER BY id`);
  const start = fast.prepare(`UPDATE run SET status = 'running', started_at = ifnull(started_at, ?) WHERE id = ? AND status = 'queued'`);
  const requeue = fast.prepare(`UPDATE run SET status = 'queued' WHERE id = ? AND status IN (${LIVE})`);
  const addRows = fast.prepare('UPDATE run SET rows_extracted = rows_extracted + ? WHERE id = ?');
  const settle = fast.prepare(
    `UPDATE run SET status = ?, failure = ?, finished_at = ?, duration_ms = ? WHERE id = ? AND status IN (${LIVE})`,
  );
  const append = fast.prepare(
    'INSERT INTO run_event (run_id, seq, at, body) SELECT ?, ifnull(max(seq), 0) + 1, ?, ? FROM run_event WHERE run_id = ? RETURNING seq',
  );
  const events = fast.prepare('SELECT seq, at, body FROM run_event WHERE run_id = ? AND seq > ? ORDER BY seq LIMIT ?');
  const lastSeq = fast.prepare('SELECT ifnull(max(seq), 0) AS seq FROM run_event WHERE run_id = ?');
  const pruneOld = fast.prepare(`DELETE FROM run WHERE status NOT IN (${LIVE}) AND finished_at < ?`);
  const pruneMany = fast.prepare(
    `DELETE FROM run WHERE id IN (SELECT id FROM (SELECT id, status, row_number() OVER (PARTITION BY source_kind, ifnull(source_id, 0) ORDER BY id DESC) AS place FROM run)
       WHERE place > ? AND status NOT IN (${LIVE}))`,
  );
  // All who follow a run stand at the same place of its log and ask at once: it is read once for them, until any log grows.
  let told: { readonly id: number; readonly after: number; readonly limit: number; readonly rows: readonly EventRow[] } | undefined;
  const appendEvent = (id: number, event: NewEvent, atMs: number): EventRow => {
    told = undefined;
    const { seq } = append.get(id, atMs, JSON.stringify(event), id) as { seq: number };
    return { seq, event: loggedEvent(seq, atMs, event) };
  };
  // Asked for with every status of the agent, changed far more rarely: kept until a run is added, started or settled.
  let counted: { readonly queued: number; readonly running: number } | undefined;
  return {
    insert: (run, also) =>
      durably(fast, () => {
        counted = undefined;
        const id = Number(
          insert.run(run.kind, run.source_kind, run.source_id, run.source_name, run.owner_id, run.created_at).lastInsertRowid,
        );
        setDataset.run(also(id), id);
        return id;
      }),
    find: (id) => find.get(id) as RunRow | undefined,
    ownerOf: (id) => (owner.get(id) as { owner_id: string } | undefined)?.owner_id,
    list: (filter, limit, offset) =>
      allRows<RunRow>(
        fast.prepare(`SELECT * FROM run ${where(filter)} ORDER BY id DESC LIMIT ? OFFSET ?`),
        ...valuesOf(filter),
        limit,
        offset,
      ),
    count: (filter) =>
      allRows<{ n: number }>(fast.prepare(`SELECT count(*) AS n FROM run ${where(filter)}`), ...valuesOf(filter))[0]?.n ?? 0,
    countLive: () => (counted ??= countLive.get() as { queued: number; running: number }),
    live: () => allRows<RunRow>(live),
    start: (id, atMs) => {
      counted = undefined;
      return start.run(atMs, id).changes === 1;
    },
    requeue: (id) => {
      counted = undefined;
      requeue.run(id);
    },
    addRows: (id, rows) => void addRows.run(rows, id),
    settle: (id, status, failure, atMs, durationMs) =>
      // A power cut makes a run that ended by itself end once more; nobody but its user can cancel one again.
      (status === 'cancelled' ? durably : transaction)(fast, () => {
        counted = undefined;
        if (settle.run(status, failure ? JSON.stringify(failure) : null, atMs, durationMs ?? null, id).changes === 0) return false;
        appendEvent(id, { type: 'finished', status }, atMs);
        return true;
      }),
    append: appendEvent,
    eventsAfter(id, after, limit) {
      if (told?.id !== id || told.after !== after || told.limit !== limit)
        told = { id, after, limit, rows: allRows<StoredEvent>(events, id, after, limit).map(toEventRow) };
      return told.rows;
    },
    lastSeq: (id) => (lastSeq.get(id) as { seq: number }).seq,
    prune: (beforeMs, keep) => {
      told = undefined;
      return Number(pruneOld.run(beforeMs).changes) + Number(pruneMany.run(keep).changes);
    },
  };
}

function where(filter: RunFilter): string {
  const terms = [filter.kind && 'kind = ?', filter.status && 'status = ?', filter.ownerId && 'owner_id = ?'].filter(Boolean);
  return terms.length > 0 ? `WHERE ${terms.join(' AND ')}` : '';
}

function valuesOf(filter: RunFilter): readonly string[] {
  return [filter.kind, filter.status, filter.ownerId].filter((value) => value !== undefined);
}

function toEventRow({ seq, at, body }: StoredEvent): EventRow {
  return { seq, event: loggedEvent(seq, at, JSON.parse(body) as NewEvent) };
}

/** A row of the log as the wire shows it: the stored body is one event without its number and time. */
function loggedEvent(seq: number, atMs: number, event: NewEvent): LoggedEvent {
  return { ...event, seq, at: new Date(atMs).toISOString() };
}
