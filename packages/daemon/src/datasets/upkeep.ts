// Deletes what runs brought, and takes replaced runs out of the full-text index: in turns that leave the agent time for everything else.
import { setImmediate } from 'node:timers/promises';
import { AppError } from '@weft/contract';
import type { DatasetRun, DatasetRunStore } from './run-store.ts';
import { searchTextOf } from './search-text.ts';

export interface DatasetUpkeep {
  /**
   * Deletes what a settled run brought into a dataset; what it replaced comes back into the default view and into search, all at once where
   * records are replaced by runs. How many records went. Throws AppError `conflict` for a live run; AbortError when the agent stops first:
   * a deletion that had begun then goes on at the next `sweep`.
   */
  dropRun(datasetId: number, runId: number): Promise<number>;
  /**
   * Deletes records of a dataset by their ids, each from all views and from search at once, and a few hundred at a time; how many went. Given
   * ascending, none of them brings back another. AbortError when the agent stops first: the rest stays.
   */
  deleteRecords(datasetId: number, ids: Float64Array): Promise<number>;
  /** Finishes deletions that an earlier process began, and takes replaced runs out of the index; ends when nothing is left, or the agent stops. */
  sweep(): Promise<void>;
  /** Sweeps now and each minute until it is closed. */
  start(onError: (error: unknown) => void): void;
  /** Ends what is under way between two turns; what is left of it waits for the next `sweep`. */
  close(): Promise<void>;
}

/** Records of one turn: some ten milliseconds of the writer. */
const TURN_RECORDS = 200;
/** Rows that a newer run replaced stay in the index for so long, where they make searches a little slower. */
const SWEEP_MS = 60_000;

export function createDatasetUpkeep(store: DatasetRunStore): DatasetUpkeep {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  /** One after another: no run is taken out of the index while a deletion brings it back. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
  /** Calls `some` from where it ended before until nothing is left, or the agent stops. */
  const inPieces = async (some: (afterId: number) => number | undefined): Promise<void> => {
    for (let afterId: number | undefined = 0; afterId !== undefined;) {
      await setImmediate(undefined, { signal: stopping.signal });
      afterId = some(afterId);
    }
  };
  const deleteAllOf = async (run: DatasetRun): Promise<number> => {
    let deleted = 0;
    await inPieces(() => {
      const some = store.deleteSome(run, searchTextOf, TURN_RECORDS);
      deleted += some;
      return some < TURN_RECORDS ? undefined : 0;
    });
    store.forget(run);
    return deleted;
  };
  const sweepAll = async (): Promise<void> => {
    for (let run = store.findDropped(); run; run = store.findDropped()) await deleteAllOf(run);
    for (let run = store.findReplaced(); run; run = store.findReplaced()) {
      const replaced = run;
      await inPieces((afterId) => store.unindexSome(replaced, afterId, TURN_RECORDS));
    }
  };
  const sweep = async (): Promise<void> => {
    try {
      await inTurn(sweepAll);
    } catch (error) {
      if (!stopping.signal.aborted) throw error;
    }
  };

  return {
    dropRun: (dataset_id, run_id) =>
      inTurn(async () => {
        const run = { dataset_id, run_id };
        if (store.isLive(run_id)) throw new AppError('conflict', `Run ${run_id} is live: cancel it before what it brought is deleted.`);
        const heir = store.heirOf(run);
        if (heir) await inPieces((afterId) => store.indexSome(heir, searchTextOf, afterId, TURN_RECORDS));
        store.drop(run);
        return await deleteAllOf(run);
      }),
    deleteRecords: (datasetId, ids) =>
      inTurn(async () => {
        let deleted = 0;
        await inPieces((from) => {
          const some = [...ids.subarray(from, from + TURN_RECORDS)];
          deleted += store.deleteRecords(datasetId, some, searchTextOf);
          return from + TURN_RECORDS < ids.length ? from + TURN_RECORDS : undefined;
        });
        return deleted;
      }),
    sweep,
    start(onError) {
      const sweepOnce = () => void sweep().catch(onError);
      sweepOnce();
      timer = setInterval(sweepOnce, SWEEP_MS).unref();
    },
    async close() {
      clearInterval(timer);
      stopping.abort();
      await last;
    },
  };
}
