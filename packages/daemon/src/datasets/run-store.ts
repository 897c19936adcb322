// Runs of datasets: what is deleted of them or brought back, a few records at a time, since the one writer must not be held for long.
import { LIVE_STATUSES } from '@weft/contract';
import type { Database } from '../db/open.ts';
import { transaction } from '../db/open.ts';
import { allRows } from '../db/rows.ts';
import type { RecordRow } from './store.ts';

/** Records of one run in one dataset. */
export interface DatasetRun {
  readonly dataset_id: number;
  readonly run_id: number;
}

/** What of a record can be searched for. */
export type TextOf = (body: Readonly<Record<string, unknown>>) => { readonly title: string; readonly body: string };

/** Every method is one transaction. Those that take `afterId` look at the next `limit` records and answer where to go on; undefined at the end. */
export interface DatasetRunStore {
  isLive(runId: number): boolean;
  /** The run that comes back into the default view when this one is deleted; undefined when that changes nothing, or no other is there. */
  heirOf(run: DatasetRun): DatasetRun | undefined;
  /** Puts what the full-text index lacks of a run back, still hidden. */
  indexSome(run: DatasetRun, textOf: TextOf, afterId: number, limit: number): number | undefined;
  /** Takes a hidden run out of the full-text index. */
  unindexSome(run: DatasetRun, afterId: number, limit: number): number | undefined;
  /** Takes a run out of the default view, for its records to be deleted. */
  drop(run: DatasetRun): void;
  /** Deletes the oldest records of a dropped run, and brings back what they replaced by key; how many went. */
  deleteSome(run: DatasetRun, textOf: TextOf, limit: number): number;
  /** Deletes these records of a dataset, and brings back what they replaced by key; how many went. */
  deleteRecords(datasetId: number, ids: readonly number[], textOf: TextOf): number;
  /** Forgets a dropped run that has no records any more. */
  forget(run: DatasetRun): void;
  /** A run whose records are to be deleted. */
  findDropped(): DatasetRun | undefined;
  /** A settled run that is out of the default view and in the full-text index. */
  findReplaced(): DatasetRun | undefined;
}

/** A record without its body, which may be large. */
interface Place {
  readonly id: number;
  readonly key: string;
  readonly is_newest: number;
}

type IndexedRecord = Pick<RecordRow, 'id' | 'body'>;

export function createDatasetRunStore({ fast }: Database): DatasetRunStore {
  const live = fast.prepare(`SELECT 1 FROM run WHERE id = ? AND status IN (${LIVE_STATUSES.map((status) => `'${status}'`).join(', ')})`);
  const heir = fast.prepare(
    `SELECT dataset_id, run_id FROM dataset_run WHERE dataset_id = ?1 AND state = 'settled' AND run_id < ?2
       AND ?2 = (SELECT newest_run_id FROM dataset WHERE id = ?1) ORDER BY run_id DESC LIMIT 1`,
  );
  const setHidden = fast.prepare('UPDATE dataset_run SET is_hidden = ? WHERE dataset_id = ? AND run_id = ?');
  const ofRun = fast.prepare(
    'SELECT id, key, is_newest FROM record WHERE run_id = ?2 AND +dataset_id = ?1 AND id > ?3 ORDER BY id LIMIT ?4',
  );
  const one = fast.prepare('SELECT id, body FROM record WHERE id = ?');
  const place = fast.prepare('SELECT id, key, is_newest FROM record WHERE id = ? AND dataset_id = ?');
  const hasText = fast.prepare('SELECT 1 FROM record_text WHERE rowid = ?');
  const addText = fast.prepare('INSERT INTO record_text (rowid, title, body) VALUES (?, ?, ?)');
  const dropText = fast.prepare('DELETE FROM record_text WHERE rowid = ?');
  const drop = fast.prepare(
    `INSERT INTO dataset_run (dataset_id, run_id, state, is_hidden) VALUES (?, ?, 'dropped', 0) ON CONFLICT DO UPDATE SET state = 'dropped'`,
  );
  const remove = fast.prepare('DELETE FROM record WHERE id = ?');
  const promote = fast.prepare(
    `UPDATE record SET is_newest = 1 WHERE id = (SELECT max(id) FROM record WHERE dataset_id = ? AND key = ?)
       AND (SELECT newest_run_id FROM dataset WHERE id = dataset_id) IS NULL RETURNING id, body`,
  );
  const countBack = fast.prepare('UPDATE dataset SET records = records + 1 WHERE id = ?');
  const forget = fast.prepare("DELETE FROM dataset_run WHERE dataset_id = ? AND run_id = ? AND state = 'dropped'");
  const dropped = fast.prepare("SELECT dataset_id, run_id FROM dataset_run WHERE state = 'dropped' LIMIT 1");
  const replaced = fast.prepare("SELECT dataset_id, run_id FROM dataset_run WHERE is_hidden = 1 AND state = 'settled' LIMIT 1");

  const index = ({ id, body }: IndexedRecord, textOf: TextOf): void => {
    if (hasText.get(id)) return;
    const text = textOf(JSON.parse(body) as Readonly<Record<string, unknown>>);
    if (text.title !== '' || text.body !== '') addText.run(id, text.title, text.body);
  };
  const removeOne = (datasetId: number, { id, key, is_newest }: Place, textOf: TextOf): void => {
    remove.run(id);
    const before = is_newest === 1 ? (promote.get(datasetId, key) as IndexedRecord | undefined) : undefined;
    if (!before) return;
    index(before, textOf);
    countBack.run(datasetId);
  };
  return {
    isLive: (runId) => live.get(runId) !== undefined,
    heirOf: ({ dataset_id, run_id }) => heir.get(dataset_id, run_id) as DatasetRun | undefined,
    indexSome: ({ dataset_id, run_id }, textOf, afterId, limit) =>
      transaction(fast, () => {
        setHidden.run(1, dataset_id, run_id);
        const records = allRows<Place>(ofRun, dataset_id, run_id, afterId, limit);
        for (const { id } of records) index(one.get(id) as IndexedRecord, textOf);
        return records.length < limit ? undefined : records.at(-1)?.id;
      }),
    unindexSome: ({ dataset_id, run_id }, afterId, limit) =>
      transaction(fast, () => {
        const records = allRows<Place>(ofRun, dataset_id, run_id, afterId, limit);
        for (const { id } of records) dropText.run(id);
        if (records.length === limit) return records.at(-1)?.id;
        setHidden.run(0, dataset_id, run_id);
        return undefined;
      }),
    drop: ({ dataset_id, run_id }) => void drop.run(dataset_id, run_id),
    deleteSome: ({ dataset_id, run_id }, textOf, limit) =>
      transaction(fast, () => {
        const records = allRows<Place>(ofRun, dataset_id, run_id, 0, limit);
        for (const record of records) removeOne(dataset_id, record, textOf);
        return records.length;
      }),
    deleteRecords: (datasetId, ids, textOf) =>
      transaction(fast, () => {
        const records = ids.flatMap((id) => (place.get(id, datasetId) as Place | undefined) ?? []);
        for (const record of records) removeOne(datasetId, record, textOf);
        return records.length;
      }),
    forget: ({ dataset_id, run_id }) => void forget.run(dataset_id, run_id),
    findDropped: () => dropped.get() as DatasetRun | undefined,
    findReplaced: () => replaced.get() as DatasetRun | undefined,
  };
}
