// What builds add to the agent: sites that become APIs.
import type { Group, Nouns } from '../group.ts';
import { createBuilds } from './build.ts';
import type { Builds } from './build.ts';
import { buildHandlers } from './handlers.ts';
import { createBuildStore } from './store.ts';
import type { BuildStore } from './store.ts';
import { createTryBuilt } from './try.ts';
import { buildWork } from './work.ts';
import type { BuildWorkPorts } from './work.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly buildStore: BuildStore;
    readonly builds: Builds;
  }
}

export const group: Group = {
  nouns: {
    buildStore: ({ database }) => createBuildStore(database),
    builds: (nouns) => {
      const { database, buildStore: store, runs, workflows, personas, vault, clock } = nouns;
      return createBuilds({ database, store, runs, executor: () => nouns.executor, workflows, personas, vault, clock });
    },
  },
  extra: (nouns) => ({
    builds: buildHandlers({
      builds: nouns.builds,
      tryBuilt: createTryBuilt(nouns.builds, workPorts(nouns)),
      runs: nouns.runs,
      executor: nouns.executor,
    }),
  }),
  kinds: (nouns) => ({ build: { work: buildWork(workPorts(nouns)), resumes: true, queues: ['build'] } }),
};

function workPorts({
  buildStore: store,
  runs,
  crawlPorts: asking,
  views,
  sessions,
  personas,
  profiles,
  vault,
  model,
}: Nouns): BuildWorkPorts {
  return { store, runs, asking, views, sessions, personas, profiles, vault, model };
}
