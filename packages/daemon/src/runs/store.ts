// Rows of runs.
import type { DatabaseSync } from 'node:sqlite';
import type { RunFailure, RunKind, RunStatus, RunTrigger } from '@weft/contract';
import type { Database } from '../db/open.ts';
import { durably, transaction } from '../db/open.ts';
import { allRows } from '../db/rows.ts';
import { LIVE } from '../db/run-statuses.ts';
import { createRunLogStore } from './log-store.ts';
import type { RunLogStore } from './log-store.ts';
import { createUnchangedStore } from './unchanged-store.ts';
import type { RunSource, UnchangedStore } from './unchanged-store.ts';

export type { NewEvent } from './log-store.ts';
export type { RunSource } from './unchanged-store.ts';

/** Where a run waits for a place: with its kind; single pages stand in a line of their own. */
export type RunQueue = RunKind | 'page';

export interface RunRow {
  readonly id: number;
  readonly kind: RunKind;
  readonly status: RunStatus;
  readonly source_kind: string;
  readonly source_id: number | null;
  readonly source_name: string;
  readonly owner_id: string;
  /** Where it waits for a place. */
  readonly queue: RunQueue;
  readonly trigger: RunTrigger;
  /** The run that made this one; null as well once that one is gone. */
  readonly parent_id: number | null;
  readonly persona_id: number | null;
  readonly lane: 'http' | 'browser' | null;
  /** Of what it executes. */
  readonly revision: number | null;
  /** Epoch milliseconds at which it fails unless it is settled. */
  readonly deadline_at: number | null;
  readonly dataset_id: number | null;
  readonly rows_extracted: number;
  /** JSON of a RunFailure. */
  readonly failure: string | null;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly finished_at: number | null;
  readonly duration_ms: number | null;
}

/** What may be said of a new run: by default it waits with its kind, was called for, and has none of the rest. */
type Optional = 'queue' | 'trigger' | 'parent_id' | 'persona_id' | 'lane' | 'revision' | 'deadline_at';
export type NewRun = Pick<RunRow, 'kind' | 'source_kind' | 'source_id' | 'source_name' | 'owner_id' | 'created_at'> &
  Partial<Pick<RunRow, Optional>>;

/** Runs that found nothing new are listed where their kind is asked for, and not beside others (D23). */
export interface RunFilter {
  readonly kind?: RunKind | undefined;
  readonly status?: RunStatus | undefined;
  readonly ownerId?: string | undefined;
  readonly personaId?: number | undefined;
}

/** How many runs wait to begin, and how many have begun and go on. */
export interface LiveCounts {
  readonly queued: number;
  readonly running: number;
}

export interface RunStore extends RunRows, RunLogStore, UnchangedStore {
  /**
   * Settles a live run and appends `finished` in one transaction, which is durable for a cancelled one and sums up one that found nothing
   * new; false when it had already settled.
   */
  settle(id: number, status: RunStatus, failure: RunFailure | undefined, atMs: number, durationMs?: number): boolean;
}

interface RunRows {
  /**
   * Inserts a queued run; `also` writes what belongs to it in the same transaction and answers its dataset. Durable, unless its schedule
   * made the run, and would make it again.
   */
  insert(run: NewRun, also: (id: number) => number | null): number;
  find(id: number): RunRow | undefined;
  ownerOf(id: number): string | undefined;
  list(filter: RunFilter, limit: number, offset: number): readonly RunRow[];
  count(filter: RunFilter): number;
  countLive(): LiveCounts;
  live(): readonly RunRow[];
  /** The newest run of what is saved, and the live ones. */
  lastOf(source: RunSource): RunRow | undefined;
  liveOf(source: RunSource): readonly number[];
  /** The live runs that act as a persona. */
  liveOfPersona(id: number): readonly number[];
  /** The oldest run that waits for a place in `queue`. */
  nextQueued(queue: RunQueue): RunRow | undefined;
  /** queued -> running; false when the run is no longer queued. */
  start(id: number, atMs: number): boolean;
  /** running -> waiting_human; false when the run is not running. */
  pause(id: number): boolean;
  /** waiting_human -> running; false when the run does not wait for a person. */
  resume(id: number): boolean;
  /** running or waiting_human -> queued, for a run that goes on after a restart. */
  requeue(id: number): void;
  addRows(id: number, rows: number): void;
  setLane(id: number, lane: 'http' | 'browser'): void;
  /** Settled runs that finished before `beforeMs`, and all but the newest `keep` of each source; the oldest `limit` of them. */
  outdated(beforeMs: number, keep: number, limit: number): readonly number[];
  /** Deletes a run with its log and what hangs on it. */
  delete(id: number): void;
}

/**
 * `unchangedKept` is how many runs of a source are kept that found nothing new. `after` is part of the transaction in which a run is settled,
 * or begins to wait for a person.
 */
export function createRunStore({ fast }: Database, unchangedKept = 20, after: (row: RunRow) => void = () => undefined): RunStore {
  const counts = createLiveCounts(fast);
  const log = createRunLogStore(fast);
  const { fold, ...unchanged } = createUnchangedStore(fast, unchangedKept);
  const settle = fast.prepare(
    `UPDATE run SET status = ?, failure = ?, finished_at = ?, duration_ms = ? WHERE id = ? AND status IN (${LIVE})`,
  );
  const reads = createReads(fast, counts);
  const changed = (id: number) => {
    const row = reads.find(id);
    if (row) after(row);
  };
  const transitions = createTransitions(fast, counts);
  return {
    ...createInsert(fast, counts),
    ...reads,
    ...transitions,
    pause: (id) =>
      transaction(fast, () => {
        const isPaused = transitions.pause(id);
        if (isPaused) changed(id);
        return isPaused;
      }),
    ...createRetention(fast),
    ...log,
    ...unchanged,
    settle: (id, status, failure, atMs, durationMs) =>
      // A power cut makes a run that ended by itself end once more; nobody but its user can cancel one again.
      (status === 'cancelled' ? durably : transaction)(fast, () => {
        counts.forget();
        if (settle.run(status, failure ? JSON.stringify(failure) : null, atMs, durationMs ?? null, id).changes === 0) return false;
        log.append(id, { type: 'finished', status }, atMs);
        fold(id);
        changed(id);
        return true;
      }),
  };
}

/** Asked for with every status of the agent, changed far more rarely: kept until a run is added or changes its status. */
function createLiveCounts(fast: DatabaseSync) {
  const countLive = fast.prepare(
    `SELECT count(*) FILTER (WHERE status = 'queued') AS queued, count(*) FILTER (WHERE status <> 'queued') AS running
     FROM run WHERE status IN (${LIVE})`,
  );
  let counted: LiveCounts | undefined;
  return {
    // An aggregate without groups gives one row, with these columns.
    read: () => (counted ??= countLive.get() as unknown as LiveCounts),
    forget: () => void (counted = undefined),
  };
}

type Counts = ReturnType<typeof createLiveCounts>;

function createInsert(fast: DatabaseSync, counts: Counts): Pick<RunRows, 'insert'> {
  const insert = fast.prepare(
    `INSERT INTO run (kind, status, source_kind, source_id, source_name, owner_id, queue, trigger, parent_id, persona_id, lane, revision,
       deadline_at, created_at) VALUES (?, 'queued', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const setDataset = fast.prepare('UPDATE run SET dataset_id = ? WHERE id = ?');
  return {
    insert: (run, also) =>
      (run.trigger === 'schedule' ? transaction : durably)(fast, () => {
        counts.forget();
        const { queue = run.kind, trigger = 'call', parent_id = null, persona_id = null, lane = null, revision = null } = run;
        const { deadline_at = null } = run;
        const source = [run.kind, run.source_kind, run.source_id, run.source_name, run.owner_id];
        const goesBy = [queue, trigger, parent_id, persona_id, lane, revision, deadline_at, run.created_at];
        const id = Number(insert.run(...source, ...goesBy).lastInsertRowid);
        setDataset.run(also(id), id);
        return id;
      }),
  };
}

type Reads = Pick<
  RunRows,
  'find' | 'ownerOf' | 'list' | 'count' | 'countLive' | 'live' | 'lastOf' | 'liveOf' | 'liveOfPersona' | 'nextQueued'
>;

function createReads(fast: DatabaseSync, counts: Counts): Reads {
  const find = fast.prepare('SELECT * FROM run WHERE id = ?');
  const owner = fast.prepare('SELECT owner_id FROM run WHERE id = ?');
  const live = fast.prepare(`SELECT * FROM run WHERE status IN (${LIVE}) ORDER BY id`);
  const ofSource = 'FROM run WHERE source_kind = ? AND source_id = ?';
  const lastOf = fast.prepare(`SELECT * ${ofSource} ORDER BY id DESC LIMIT 1`);
  const liveOf = fast.prepare(`SELECT id ${ofSource} AND status IN (${LIVE})`);
  const liveOfPersona = fast.prepare(`SELECT id FROM run WHERE persona_id = ? AND status IN (${LIVE})`);
  const nextQueued = fast.prepare(`SELECT * FROM run WHERE status = 'queued' AND queue = ? ORDER BY id LIMIT 1`);
  return {
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
    countLive: counts.read,
    live: () => allRows<RunRow>(live),
    lastOf: ({ source_kind, source_id }) => lastOf.get(source_kind, source_id) as RunRow | undefined,
    liveOf: ({ source_kind, source_id }) => allRows<{ id: number }>(liveOf, source_kind, source_id).map(({ id }) => id),
    liveOfPersona: (id) => allRows<{ id: number }>(liveOfPersona, id).map((row) => row.id),
    nextQueued: (queue) => nextQueued.get(queue) as RunRow | undefined,
  };
}

function createTransitions(
  fast: DatabaseSync,
  counts: Counts,
): Pick<RunRows, 'start' | 'pause' | 'resume' | 'requeue' | 'addRows' | 'setLane'> {
  const start = fast.prepare(`UPDATE run SET status = 'running', started_at = ifnull(started_at, ?) WHERE id = ? AND status = 'queued'`);
  const pause = fast.prepare(`UPDATE run SET status = 'waiting_human' WHERE id = ? AND status = 'running'`);
  const resume = fast.prepare(`UPDATE run SET status = 'running' WHERE id = ? AND status = 'waiting_human'`);
  const requeue = fast.prepare(`UPDATE run SET status = 'queued' WHERE id = ? AND status IN (${LIVE})`);
  const addRows = fast.prepare('UPDATE run SET rows_extracted = rows_extracted + ? WHERE id = ?');
  const setLane = fast.prepare('UPDATE run SET lane = ? WHERE id = ?');
  return {
    start: (id, atMs) => {
      counts.forget();
      return start.run(atMs, id).changes === 1;
    },
    pause: (id) => pause.run(id).changes === 1,
    resume: (id) => resume.run(id).changes === 1,
    requeue: (id) => {
      counts.forget();
      requeue.run(id);
    },
    addRows: (id, rows) => void addRows.run(rows, id),
    setLane: (id, lane) => void setLane.run(lane, id),
  };
}

function createRetention(fast: DatabaseSync): Pick<RunRows, 'outdated' | 'delete'> {
  const outdated = fast.prepare(
    `WITH source AS (SELECT source_kind AS named, source_id AS of FROM run GROUP BY source_kind, source_id HAVING count(*) > ?2),
       beyond AS (SELECT named, of, (SELECT id FROM run WHERE source_kind = named AND source_id IS of ORDER BY id DESC LIMIT 1 OFFSET ?2)
         AS newest FROM source)
     SELECT id FROM run WHERE status NOT IN (${LIVE}) AND finished_at < ?1
     UNION SELECT id FROM beyond JOIN run ON source_kind = named AND source_id IS of AND id <= newest WHERE status NOT IN (${LIVE})
     ORDER BY id LIMIT ?3`,
  );
  const remove = fast.prepare('DELETE FROM run WHERE id = ?');
  return {
    outdated: (beforeMs, keep, limit) => allRows<{ id: number }>(outdated, beforeMs, keep, limit).map(({ id }) => id),
    delete: (id) => void remove.run(id),
  };
}

function where(filter: RunFilter): string {
  const { kind, status, ownerId, personaId } = filter;
  const terms = [kind && 'kind = ?', status && 'status = ?', ownerId && 'owner_id = ?', personaId && 'persona_id = ?'].filter(Boolean);
  if (kind === undefined) terms.push('is_unchanged = 0');
  return terms.length > 0 ? `WHERE ${terms.join(' AND ')}` : '';
}

function valuesOf(filter: RunFilter): readonly (string | number)[] {
  return [filter.kind, filter.status, filter.ownerId, filter.personaId].filter((value) => value !== undefined);
}
