// What extractors add to the agent.
import type { Group } from '../group.ts';
import type { Extractors } from './extractor.ts';
import { createExtractors } from './extractor.ts';
import { extractorHandlers } from './handlers.ts';
import type { ExtractorStore } from './store.ts';
import { createExtractorStore } from './store.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly extractorStore: ExtractorStore;
    readonly extractors: Extractors;
  }
}

export const group: Group = {
  nouns: {
    extractorStore: ({ database }) => createExtractorStore(database),
    extractors: ({ extractorStore: store, selectorStore: selectors, clock }) => createExtractors({ store, selectors, clock }),
  },
  specified: ({ extractors, prober }) => ({ extractors: extractorHandlers({ extractors, prober }) }),
};
