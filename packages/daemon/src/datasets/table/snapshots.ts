// Which runs have rows, by dataset: the index of snapshots, and the workflows that have any.
import type { DatabaseSync } from 'node:sqlite';
import type { DataSnapshot, DataWorkflow } from '@weft/contract';
import { toInstant } from '@weft/serve';
import { allRows } from '../../db/rows.ts';

export interface Part {
  readonly limit: number;
  readonly offset: number;
}

/** A part of a list, and how long all of it is. */
export interface Listed<Item> {
  readonly data: readonly Item[];
  readonly total: number;
}

/** Each run that has records, by steps through the index of runs: the records themselves, which may be millions, are not read. */
const RUNS = `
  steps (run_id) AS (
    SELECT min(run_id) FROM record UNION ALL
    SELECT (SELECT min(run_id) FROM record WHERE run_id > steps.run_id) FROM steps WHERE run_id IS NOT NULL
  ),
  filled (run_id, dataset_id) AS MATERIALIZED (
    SELECT run_id, (SELECT dataset_id FROM record WHERE record.run_id = steps.run_id LIMIT 1) FROM steps WHERE run_id IS NOT NULL
  )`;
/** Those of one dataset, and with them a run that is shown although it found nothing. */
const SNAPSHOTS = `
  WITH RECURSIVE ${RUNS},
  snapshot (run_id) AS (
    SELECT run_id FROM filled WHERE dataset_id = ?1 UNION
    SELECT newest_run_id FROM dataset WHERE id = ?1 AND newest_run_id > 0
  )`;

interface SnapshotRow {
  readonly run_id: number;
  readonly rows: number;
  readonly is_shown: number;
  readonly status: DataSnapshot['status'] | null;
  readonly started_at: number | null;
  readonly finished_at: number | null;
}

/** Newest first; those of `runIds` where they are given. */
export function listSnapshots(
  database: DatabaseSync,
  datasetId: number,
  { limit, offset }: Part,
  runIds?: readonly number[],
): Listed<DataSnapshot> {
  const which = 'WHERE ?2 IS NULL OR snapshot.run_id IN (SELECT value FROM json_each(?2))';
  const chosen = runIds === undefined ? null : JSON.stringify(runIds);
  const rows = allRows<SnapshotRow>(
    database.prepare(
      `${SNAPSHOTS}
      SELECT snapshot.run_id, (SELECT count(*) FROM record WHERE record.run_id = snapshot.run_id) AS rows,
        iif(newest_run_id IS NULL, EXISTS (SELECT 1 FROM record WHERE record.run_id = snapshot.run_id AND is_newest = 1), newest_run_id = snapshot.run_id) AS is_shown,
        status, started_at, finished_at
      FROM snapshot JOIN dataset ON dataset.id = ?1 LEFT JOIN run ON run.id = snapshot.run_id
      ${which} ORDER BY snapshot.run_id DESC LIMIT ?3 OFFSET ?4`,
    ),
    datasetId,
    chosen,
    limit,
    offset,
  );
  const { n } = database.prepare(`${SNAPSHOTS} SELECT count(*) AS n FROM snapshot ${which}`).get(datasetId, chosen) as { n: number };
  return { data: rows.map(describeSnapshot), total: n };
}

function describeSnapshot({ run_id, rows, is_shown, status, started_at, finished_at }: SnapshotRow): DataSnapshot {
  return {
    run_id,
    rows,
    is_shown: is_shown === 1,
    ...(status === null ? {} : { status }),
    ...(started_at === null ? {} : { started_at: toInstant(started_at) }),
    ...(finished_at === null ? {} : { finished_at: toInstant(finished_at) }),
  };
}

const SAMPLE_ROWS = 20;
const SAMPLE_COLUMNS = 50;

interface PickedRow extends Omit<DataWorkflow, 'last_snapshot' | 'columns'> {
  readonly dataset_id: number;
  readonly last_run_id: number;
  readonly last_at: number;
}

/** Workflows whose dataset has rows, the one with the newest row first. */
export function listWorkflows(database: DatabaseSync, { limit, offset }: Part): Listed<DataWorkflow> {
  const rows = allRows<PickedRow>(
    database.prepare(
      `WITH RECURSIVE ${RUNS},
      held (dataset_id, runs, run_id) AS (SELECT dataset_id, count(*), max(run_id) FROM filled GROUP BY dataset_id)
      SELECT workflow.id, workflow.name, slug, records AS rows, runs, dataset.id AS dataset_id, run_id AS last_run_id,
        (SELECT created_at FROM record WHERE record.run_id = held.run_id ORDER BY id DESC LIMIT 1) AS last_at
      FROM workflow JOIN dataset ON dataset.id = workflow.dataset_id JOIN held ON held.dataset_id = dataset.id
      ORDER BY dataset.updated_at DESC, workflow.id DESC LIMIT ? OFFSET ?`,
    ),
    limit,
    offset,
  );
  const { n } = database
    .prepare('SELECT count(*) AS n FROM workflow WHERE EXISTS (SELECT 1 FROM record WHERE record.dataset_id = workflow.dataset_id)')
    .get() as { n: number };
  const sample = database.prepare(`SELECT body FROM record WHERE dataset_id = ? ORDER BY id DESC LIMIT ${SAMPLE_ROWS}`);
  return { data: rows.map((row) => describeWorkflow(row, allRows<{ body: string }>(sample, row.dataset_id))), total: n };
}

function describeWorkflow(
  { dataset_id: _dataset, last_run_id, last_at, ...facts }: PickedRow,
  sample: readonly { readonly body: string }[],
): DataWorkflow {
  const names = new Set(sample.toReversed().flatMap(({ body }) => Object.keys(JSON.parse(body) as object)));
  return { ...facts, last_snapshot: { run_id: last_run_id, at: toInstant(last_at) }, columns: [...names].slice(0, SAMPLE_COLUMNS) };
}
