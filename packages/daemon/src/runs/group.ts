// What runs add to the agent: their table, their events, and the one executor of all kinds.
import type { Group } from '../group.ts';
import type { Executor } from './executor.ts';
import { createExecutor } from './executor.ts';
import { runHandlers } from './handlers.ts';
import type { RunNotifier } from './notifier.ts';
import { createRunNotifier } from './notifier.ts';
import { pruneRuns } from './retention.ts';
import type { RunStore, Runs } from './run.ts';
import { createRuns } from './run.ts';
import { createRunStore } from './store.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly notifier: RunNotifier;
    readonly runStore: RunStore;
    readonly runs: Runs;
    readonly executor: Executor;
  }
}

export const group: Group = {
  nouns: {
    notifier: () => createRunNotifier(),
    runStore: ({ database }) => createRunStore(database),
    runs: ({ runStore: store, notifier, clock }) => createRuns({ store, notifier, clock }),
    executor: (nouns) =>
      createExecutor({
        runs: nouns.runs,
        store: nouns.runStore,
        kinds: Object.assign({}, ...nouns.groups.map((other) => other.kinds?.(nouns) ?? {})),
        clock: nouns.clock,
        places: nouns.settings.runs_max,
        logError: nouns.logError,
      }),
  },
  specified: ({ runs, executor }) => ({ runs: runHandlers(runs, executor) }),
  prune: ({ runStore: store, files, clock, settings }, signal) => pruneRuns({ store, files, clock }, settings.retention, signal),
};
