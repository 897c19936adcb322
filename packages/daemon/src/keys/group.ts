// What restricted keys add to the agent.
import type { Group } from '../group.ts';
import { keyHandlers } from './handlers.ts';
import type { Keys } from './key.ts';
import { createKeys } from './key.ts';
import { createKeyStore } from './store.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly keys: Keys;
  }
}

export const group: Group = {
  nouns: { keys: ({ database, streams, clock }) => createKeys({ store: createKeyStore(database), streams, clock }) },
  specified: ({ keys }) => ({ keys: keyHandlers(keys) }),
};
