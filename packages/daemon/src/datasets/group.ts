// What datasets add to the agent: their records, who writes them, and the threads that read them.
import type { Group } from '../nouns.ts';
import type { Datasets } from './dataset.ts';
import { createDatasets } from './dataset.ts';
import { datasetHandlers } from './handlers.ts';
import type { DatasetReader } from './reader/reader.ts';
import { createReader } from './reader/reader.ts';
import type { DatasetStore } from './store.ts';
import { createDatasetStore } from './store.ts';
import type { DatasetWriter } from './writer.ts';
import { createDatasetWriter } from './writer.ts';

declare module '../nouns.ts' {
  interface Nouns {
    readonly datasetStore: DatasetStore;
    readonly records: DatasetWriter;
    readonly reader: DatasetReader;
    readonly datasets: Datasets;
  }
}

export const group: Group = {
  nouns: {
    datasetStore: ({ database }) => createDatasetStore(database),
    records: ({ datasetStore }) => createDatasetWriter(datasetStore),
    reader: ({ database }) => createReader(database),
    datasets: ({ datasetStore: store, reader }) => createDatasets({ store, reader }),
  },
  specified: ({ datasets }) => ({ datasets: datasetHandlers(datasets) }),
  close: ({ reader }) => reader.close(),
};
