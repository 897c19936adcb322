// What callers without a key add to the cloud, unless its operator leaves them out.
import type { Group } from '../group.ts';
import { createAllowance } from './allowance.ts';
import type { Allowance } from './allowance.ts';
import { createKeylessCrawls } from './crawl.ts';
import type { KeylessCrawls } from './crawl.ts';
import { keylessHandlers } from './handlers.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly allowance: Allowance;
    readonly keylessCrawls: KeylessCrawls;
  }
}

export const group: Group = {
  nouns: {
    allowance: ({ database, clock, secrets }) => createAllowance(database, clock, secrets.keyless),
    keylessCrawls: ({ askingPorts }) => createKeylessCrawls(askingPorts),
  },
  specified: (nouns) => (nouns.config.isKeyless ? { keyless: keylessHandlers(nouns) } : {}),
  upkeep: ({ allowance }) => allowance.prune(),
};
