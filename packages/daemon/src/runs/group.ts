// What runs add to the agent: their table, their events, and the one executor of all kinds.
import type { Group, Nouns } from '../group.ts';
import type { Executor, ExecutorPorts } from './executor.ts';
import { createExecutor } from './executor.ts';
import { extraRunHandlers, runHandlers } from './handlers.ts';
import type { RunNotifier } from './notifier.ts';
import { createRunNotifier } from './notifier.ts';
import type { RunResultReader } from './results.ts';
import type { People } from './people.ts';
import { createPeople } from './people.ts';
import { createRunResults } from './results.ts';
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
    readonly people: People;
    readonly runResults: RunResultReader;
  }
}

export const group: Group = {
  nouns: {
    notifier: () => createRunNotifier(),
    runStore: (nouns) =>
      createRunStore(nouns.database, nouns.settings.retention.unchanged_per_source, (row) => nouns.automationCauses.noteRun(row)),
    runs: ({ runStore: store, notifier, clock }) => createRuns({ store, notifier, clock }),
    people: () => createPeople(),
    runResults: (nouns) => {
      const { runs, records, files } = nouns;
      return createRunResults({ runs, records, files, kinds: kindsOf(nouns) });
    },
    executor: (nouns) =>
      createExecutor({
        runs: nouns.runs,
        store: nouns.runStore,
        kinds: kindsOf(nouns),
        clock: nouns.clock,
        places: nouns.settings.runs_max,
        due: nouns.dueRuns,
        logError: nouns.logError,
        logFailure: ({ id, kind, source_name: of }, failure) => nouns.logFailure({ run: id, kind, of }, failure),
      }),
  },
  specified: ({ runs, executor, runResults }) => ({ runs: runHandlers(runs, executor, runResults) }),
  extra: (nouns) => ({ runs: extraRunHandlers(nouns) }),
  prune: ({ runStore: store, files, clock, settings }, signal) => pruneRuns({ store, files, clock }, settings.retention, signal),
};

function kindsOf(nouns: Nouns): ExecutorPorts['kinds'] {
  return Object.assign({}, ...nouns.groups.map((other) => other.kinds?.(nouns) ?? {}));
}
