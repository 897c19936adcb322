// How rows and pages come into datasets. There is no other way in, so that what hangs on a record is always right.
import type { JsonParts } from '@weft/contract';
import { searchTextOf } from './search-text.ts';
import type { RecordSlice, SliceFrom } from './slice.ts';
import { eachFound, takeSlice } from './slice.ts';
import type { DatasetSource, DatasetStore, NewRecord } from './store.ts';

export interface DatasetWriter {
  /** The dataset of a source, made on first use; its id. What replaces its records is settled then. */
  ensure(source: DatasetSource, name: string, atMs: number): number;
  /**
   * Adds records to one dataset, each as the newest of its key or as the next row of its run, and makes them searchable: at once, or when
   * their run settles. Their ids. Belongs into a transaction of the caller.
   */
  addRecords(datasetId: number, records: readonly Omit<NewRecord, 'dataset_id'>[]): readonly number[];
  /** Takes what a run brought under these keys out again, for what it found anew; how many. Belongs into a transaction of the caller. */
  dropOfRun(datasetId: number, runId: number, keys: readonly string[]): number;
  /** What a run brought behind record `afterId`. */
  dataOfRun(runId: number, from: SliceFrom): DataSlice;
  /** What is newest in a dataset behind record `afterId`. */
  newestData(datasetId: number, from: SliceFrom): DataSlice;
}

/** A slice, and what its records hold. */
export interface DataSlice extends RecordSlice {
  readonly items: Iterable<JsonParts>;
}

export function createDatasetWriter(store: DatasetStore): DatasetWriter {
  const withData = (slice: RecordSlice): DataSlice => ({ ...slice, items: eachFound(slice.ids, (id) => store.entry(id)?.body) });
  return {
    ensure: (source, name, atMs) => store.ensure(source, name, atMs),
    addRecords(datasetId, records) {
      const isByKey = (store.find(datasetId)?.newest_run_id ?? null) === null;
      if (records.some(({ key }) => (key !== undefined) !== isByKey))
        throw new Error(`Records of dataset ${datasetId} ${isByKey ? 'need a key' : 'are replaced by run and take no key'}.`);
      const added = records.map((record) => store.addRecord({ ...record, dataset_id: datasetId }, searchTextOf(record.body)));
      const newest = Math.max(0, ...records.map((record) => record.created_at));
      store.touch(datasetId, added.filter(({ isNew }) => isNew).length, newest);
      return added.map(({ id }) => id);
    },
    dropOfRun: (datasetId, runId, keys) => keys.reduce((dropped, key) => dropped + store.dropOfRun(datasetId, runId, key), 0),
    dataOfRun: (runId, from) => withData(takeSlice((afterId, limit) => store.sizesOfRun(runId, afterId, limit), from)),
    newestData: (datasetId, from) => withData(takeSlice((afterId, limit) => store.sizes(datasetId, 'newest', afterId, limit), from)),
  };
}
