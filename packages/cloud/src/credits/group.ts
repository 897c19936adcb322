// What credits add to the cloud.
import type { Group } from '../group.ts';
import { createCredits } from './credits.ts';
import type { Credits } from './credits.ts';
import { creditHandlers } from './handlers.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly credits: Credits;
  }
}

export const group: Group = {
  nouns: { credits: ({ database }) => createCredits(database) },
  account: ({ credits }) => ({ credits: creditHandlers(credits) }),
  upkeep: ({ credits }) => credits.releaseForgotten(),
};
