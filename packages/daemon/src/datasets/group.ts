// What datasets add to the agent: their records, who writes and clears them, and the threads that read them.
import type { Group } from '../group.ts';
import type { Datasets } from './dataset.ts';
import { createDatasets } from './dataset.ts';
import type { DatasetDiffs } from './diff.ts';
import { createDatasetDiffs } from './diff.ts';
import { extraDatasetHandlers } from './extra-handlers.ts';
import type { DatasetTidy } from './tidy.ts';
import { createDatasetTidy } from './tidy.ts';
import { datasetHandlers } from './handlers.ts';
import type { DatasetReader } from './reader/reader.ts';
import { createReader } from './reader/reader.ts';
import { createDatasetRunStore } from './run-store.ts';
import type { DatasetStore } from './store.ts';
import { createDatasetStore } from './store.ts';
import type { DatasetUpkeep } from './upkeep.ts';
import { createDatasetUpkeep } from './upkeep.ts';
import type { DatasetWriter } from './writer.ts';
import { createDatasetWriter } from './writer.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly datasetStore: DatasetStore;
    readonly records: DatasetWriter;
    readonly upkeep: DatasetUpkeep;
    readonly reader: DatasetReader;
    readonly datasets: Datasets;
    readonly tidy: DatasetTidy;
    readonly datasetDiffs: DatasetDiffs;
  }
}

export const group: Group = {
  nouns: {
    datasetStore: ({ database }) => createDatasetStore(database),
    records: ({ datasetStore }) => createDatasetWriter(datasetStore),
    upkeep: ({ database }) => createDatasetUpkeep(createDatasetRunStore(database)),
    reader: ({ database }) => createReader(database),
    datasets: ({ datasetStore: store, reader }) => createDatasets({ store, reader }),
    tidy: ({ datasetStore: store }) => createDatasetTidy(store),
    datasetDiffs: ({ datasets, datasetStore: store, reader, views }) => createDatasetDiffs({ datasets, store, reader, views }),
  },
  specified: ({ datasets }) => ({ datasets: datasetHandlers(datasets) }),
  extra: ({ datasets, tidy, datasetDiffs }) => ({ datasets: extraDatasetHandlers({ datasets, tidy, diffs: datasetDiffs }) }),
  open: ({ upkeep, logError }) => upkeep.start((error) => logError('replaced rows are not yet out of the index', error)),
  close: async ({ reader, upkeep }) => void (await Promise.all([reader.close(), upkeep.close()])),
};
