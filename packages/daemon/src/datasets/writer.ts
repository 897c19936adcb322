// How rows and pages come into datasets. There is no other way in, so that what hangs on a record is always right.
import { searchTextOf } from './search-text.ts';
import type { DatasetStore, NewRecord, RecordRow, RecordView } from './store.ts';

export interface DatasetWriter {
  /** The dataset of a source, made on first use; its id. */
  ensure(source: { readonly kind: string; readonly id: number | null }, name: string, atMs: number): number;
  /** Adds records to one dataset, each as the newest of its key, and makes them searchable; their ids. Belongs into a transaction of the caller. */
  addRecords(datasetId: number, records: readonly Omit<NewRecord, 'dataset_id'>[]): readonly number[];
  /** Records that a run brought, after record `afterId`, oldest first. */
  recordsOfRun(runId: number, afterId: number, limit: number): readonly RecordRow[];
  /** Records of a dataset after record `afterId`, oldest first. */
  records(datasetId: number, view: RecordView, afterId: number, limit: number): readonly RecordRow[];
}

export function createDatasetWriter(store: DatasetStore): DatasetWriter {
  return {
    ensure: (source, name, atMs) => store.ensure(source, name, atMs),
    addRecords(datasetId, records) {
      const added = records.map((record) => store.addRecord({ ...record, dataset_id: datasetId }, searchTextOf(record.body)));
      const newest = Math.max(0, ...records.map((record) => record.created_at));
      store.touch(datasetId, added.filter(({ isNew }) => isNew).length, newest);
      return added.map(({ id }) => id);
    },
    recordsOfRun: (runId, afterId, limit) => store.recordsOfRun(runId, afterId, limit),
    records: (datasetId, view, afterId, limit) => store.records(datasetId, view, afterId, limit),
  };
}
