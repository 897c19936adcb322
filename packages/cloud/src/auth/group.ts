// What the kernel needs beside keys: how often callers ask, over all processes.
import type { Group } from '../group.ts';
import { createSharedRate } from './shared-rate.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly sharedRate: ReturnType<typeof createSharedRate>;
  }
}

export const group: Group = {
  nouns: { sharedRate: ({ database, secrets }) => createSharedRate(database, secrets.keyless) },
  upkeep: ({ sharedRate }) => sharedRate.prune(),
};
