// Datasets are renamed, and deleted in turns that leave the agent time for everything else.
import { setImmediate } from 'node:timers/promises';
import { AppError } from '@weft/contract';
import type { DatasetRow, DatasetStore } from './store.ts';

/** Each throws AppError `not_found`. */
export interface DatasetTidy {
  rename(id: number, name: string): void;
  /** Throws AppError `conflict` while what fills it is there, or a live run does. */
  delete(id: number): Promise<void>;
  /** Deletes the dataset of its own that a run had if that has no record; whether it is gone. */
  deleteIfEmpty(source: { readonly kind: string; readonly id: number }, datasetId: number): boolean;
}

/** Records of one turn: some ten milliseconds of the writer. */
const TURN_RECORDS = 200;

/** What fills a dataset again and again, in words, and the command that ends it. */
const FILLED_BY: Readonly<Record<string, readonly [what: string, command: string]>> = {
  crawl_definition: ['saved crawl', 'weft crawl forget'],
  workflow: ['workflow', 'weft workflow delete'],
  monitor: ['monitor', 'weft monitor remove'],
};

export function createDatasetTidy(store: DatasetStore): DatasetTidy {
  const requireRow = (id: number): DatasetRow => {
    const row = store.find(id);
    if (!row) throw new AppError('not_found', `There is no dataset ${id}.`);
    return row;
  };
  return {
    rename(id, name) {
      requireRow(id);
      store.rename(id, name);
    },
    async delete(id) {
      const row = requireRow(id);
      const filledBy = row.source_deleted === 0 ? FILLED_BY[row.source_kind] : undefined;
      if (filledBy)
        throw new AppError(
          'conflict',
          `Dataset ${id} is filled by ${filledBy[0]} ${row.source_id}. Delete that first: ${filledBy[1]} ${row.source_id}`,
        );
      if (store.isLive(id)) throw isLive(id);
      while (store.deleteSome(id, TURN_RECORDS) === TURN_RECORDS) await setImmediate();
      if (!store.delete(id)) throw isLive(id);
    },
    deleteIfEmpty({ kind, id }, datasetId) {
      const row = store.find(datasetId);
      const isOwn = row?.source_kind === kind && row.source_id === id;
      return isOwn && store.deleteEmpty(datasetId);
    },
  };
}

function isLive(id: number): AppError {
  return new AppError('conflict', `A live run fills dataset ${id}; wait for its end, or cancel it.`);
}
