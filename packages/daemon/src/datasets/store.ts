// Rows of datasets and of their records (D24).
import type { Database } from '../db/open.ts';
import { allRows } from '../db/rows.ts';

export interface RecordRow {
  readonly id: number;
  readonly dataset_id: number;
  readonly run_id: number;
  readonly key: string;
  readonly created_at: number;
  /** JSON. */
  readonly body: string;
}

export interface DatasetStore {
  /** The dataset of a source, made on first use; its id. */
  ensure(source: { readonly kind: string; readonly id: number | null }, name: string, atMs: number): number;
  addRecord(record: Omit<RecordRow, 'id'>): number;
  /** Records that a run brought, after record `afterId`, oldest first. */
  recordsOfRun(runId: number, afterId: number, limit: number): readonly RecordRow[];
}

export function createDatasetStore({ fast }: Database): DatasetStore {
  const ensure = fast.prepare(
    `INSERT INTO dataset (source_kind, source_id, name, created_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (source_kind, ifnull(source_id, 0)) DO UPDATE SET name = name RETURNING id`,
  );
  const add = fast.prepare('INSERT INTO record (dataset_id, run_id, key, created_at, body) VALUES (?, ?, ?, ?, ?)');
  const ofRun = fast.prepare('SELECT * FROM record WHERE run_id = ? AND id > ? ORDER BY id LIMIT ?');
  return {
    ensure: (source, name, atMs) => (ensure.get(source.kind, source.id, name, atMs) as { id: number }).id,
    addRecord: (record) => Number(add.run(record.dataset_id, record.run_id, record.key, record.created_at, record.body).lastInsertRowid),
    recordsOfRun: (runId, afterId, limit) => allRows<RecordRow>(ofRun, runId, afterId, limit),
  };
}
