// Rows of what happened in runs: one log each, numbered from 1.
import type { DatabaseSync } from 'node:sqlite';
import type { LoggedEvent } from '@weft/contract';
import { allRows } from '../db/rows.ts';

export interface EventRow {
  readonly seq: number;
  readonly event: LoggedEvent;
}

/** An event before the log numbers it. */
export type NewEvent = LoggedEvent extends infer E ? (E extends LoggedEvent ? Omit<E, 'seq' | 'at'> : never) : never;

export interface RunLogStore {
  append(id: number, event: NewEvent, atMs: number): EventRow;
  /** The oldest `limit` after event `after`; the very same rows for everyone who asks before a log grows. */
  eventsAfter(id: number, after: number, limit: number): readonly EventRow[];
  /** Number of the newest event; 0 before the first. */
  lastSeq(id: number): number;
}

/** A row of the table. */
interface StoredEvent {
  readonly seq: number;
  readonly at: number;
  /** JSON of a NewEvent. */
  readonly body: string;
}

export function createRunLogStore(fast: DatabaseSync): RunLogStore {
  const append = fast.prepare(
    'INSERT INTO run_event (run_id, seq, at, body) SELECT ?, ifnull(max(seq), 0) + 1, ?, ? FROM run_event WHERE run_id = ? RETURNING seq',
  );
  const events = fast.prepare('SELECT seq, at, body FROM run_event WHERE run_id = ? AND seq > ? ORDER BY seq LIMIT ?');
  const lastSeq = fast.prepare('SELECT ifnull(max(seq), 0) AS seq FROM run_event WHERE run_id = ?');
  // All who follow a run stand at the same place of its log and ask at once: it is read once for them, until any log grows.
  let told: { readonly id: number; readonly after: number; readonly limit: number; readonly rows: readonly EventRow[] } | undefined;
  return {
    append(id, event, atMs) {
      told = undefined;
      const { seq } = append.get(id, atMs, JSON.stringify(event), id) as { seq: number };
      return { seq, event: loggedEvent(seq, atMs, event) };
    },
    eventsAfter(id, after, limit) {
      if (told?.id !== id || told.after !== after || told.limit !== limit)
        told = { id, after, limit, rows: allRows<StoredEvent>(events, id, after, limit).map(toEventRow) };
      return told.rows;
    },
    lastSeq: (id) => (lastSeq.get(id) as { seq: number }).seq,
  };
}

function toEventRow({ seq, at, body }: StoredEvent): EventRow {
  return { seq, event: loggedEvent(seq, at, JSON.parse(body) as NewEvent) };
}

/** A row of the log as the wire shows it: the stored body is one event without its number and time. */
function loggedEvent(seq: number, atMs: number, event: NewEvent): LoggedEvent {
  return { ...event, seq, at: new Date(atMs).toISOString() };
}
