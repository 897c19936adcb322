// What files add to the agent.
import { contentsPart } from '../agent/contents.ts';
import type { Blobs } from '../blobs/blob.ts';
import { createBlobs } from '../blobs/blob.ts';
import type { Group } from '../group.ts';
import type { Files } from './file.ts';
import { createFiles } from './file.ts';
import { extraFileHandlers, fileHandlers } from './handlers.ts';
import { createFileStore } from './store.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly blobs: Blobs;
    readonly files: Files;
  }
}

export const group: Group = {
  nouns: {
    blobs: ({ home, database, clock }) => createBlobs(home.file('blobs'), database, clock),
    files: (nouns) => {
      const { database, blobs, datasets, clock, home } = nouns;
      // Workflows need files themselves, and are asked for later.
      const datasetOfWorkflow = (id: number) => nouns.workflows.require(String(id)).dataset_id;
      return createFiles({
        store: createFileStore(database),
        blobs,
        datasets,
        datasetOfWorkflow,
        clock,
        scratch: home.file('cache', 'scratch'),
      });
    },
  },
  specified: ({ files }) => ({ files: fileHandlers(files) }),
  extra: ({ files }) => ({ files: extraFileHandlers(files) }),
  health: ({ blobs }) => contentsPart(blobs),
  open: ({ blobs }) => void blobs.sweep(),
};
