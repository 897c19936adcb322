// What credits add to the cloud.
import type { Group } from '../group.ts';
import { createCredits } from './credits.ts';
import type { Credits } from './credits.ts';
import { createEstimates } from './estimates.ts';
import type { Estimates } from './estimates.ts';
import { creditHandlers } from './handlers.ts';
import { createReceipts } from './receipts.ts';
import type { Receipts } from './receipts.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly credits: Credits;
    readonly receipts: Receipts;
    readonly estimates: Estimates;
  }
}

export const group: Group = {
  nouns: {
    credits: ({ database, tell }) => createCredits(database, tell),
    receipts: ({ database }) => createReceipts(database),
    estimates: ({ credits, functions }) => createEstimates(credits, functions),
  },
  account: (nouns) => ({ credits: creditHandlers(nouns) }),
  upkeep: ({ credits }) => credits.releaseForgotten(),
};
