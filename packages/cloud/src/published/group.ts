// What published workflows add to the cloud: functions, the keys that they are called by, and their runs.
import type { Group } from '../group.ts';
import { createConsumerKeys } from './consumer-key.ts';
import type { ConsumerKeys } from './consumer-key.ts';
import { createFunctions } from './function.ts';
import type { Functions } from './function.ts';
import { callHandlers, consumerKeyHandlers, publishHandlers, publishedRunHandlers } from './handlers.ts';
import { createPublishedRuns } from './run.ts';
import type { PublishedRuns } from './run.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly functions: Functions;
    readonly consumerKeys: ConsumerKeys;
    readonly publishedRuns: PublishedRuns;
  }
}

export const group: Group = {
  nouns: {
    functions: ({ database }) => createFunctions(database),
    consumerKeys: ({ database, clock }) => createConsumerKeys(database, clock),
    publishedRuns: ({ database, credits, functions, consumerKeys, askingPorts: asking, fetcher, tell }) =>
      createPublishedRuns({ database, credits, functions, consumerKeys, asking, sessions: fetcher.sessions, tell }),
  },
  specified: ({ publishedRuns }) => ({ published: callHandlers(publishedRuns) }),
  account: ({ functions, consumerKeys, publishedRuns }) => ({
    publish: publishHandlers(functions),
    consumerKeys: consumerKeyHandlers(consumerKeys),
    publishedRuns: publishedRunHandlers(publishedRuns),
  }),
  upkeep: ({ publishedRuns }) => publishedRuns.prune(),
};
