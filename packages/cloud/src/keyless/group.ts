// What callers without a key add to the cloud, unless its operator leaves them out.
import type { Group } from '../group.ts';
import { createAllowance } from './allowance.ts';
import type { Allowance } from './allowance.ts';
import { keylessHandlers } from './handlers.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly allowance: Allowance;
  }
}

export const group: Group = {
  nouns: { allowance: ({ database, clock, secrets }) => createAllowance(database, clock, secrets.keyless) },
  specified: ({ config, allowance, scrapes, maps }) => (config.isKeyless ? { keyless: keylessHandlers({ allowance, scrapes, maps }) } : {}),
};
