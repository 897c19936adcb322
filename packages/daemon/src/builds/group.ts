// What builds add to the agent: sites that become APIs.
import type { Group, Nouns } from '../group.ts';
import type { RunWork } from '../runs/executor.ts';
import { createBuilds } from './build.ts';
import type { Builds } from './build.ts';
import { buildHandlers } from './handlers.ts';
import { checkBuildWork } from './check-work.ts';
import { createBuildHealths, dueBuilds } from './health.ts';
import type { BuildHealths } from './health.ts';
import { CHECK_SOURCE, createBuildStore } from './store.ts';
import type { BuildStore } from './store.ts';
import { createTryBuilt } from './try.ts';
import { buildWork } from './work.ts';
import type { BuildWorkPorts } from './work.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly buildStore: BuildStore;
    readonly buildHealths: BuildHealths;
    readonly builds: Builds;
  }
}

export const group: Group = {
  nouns: {
    buildStore: ({ database }) => createBuildStore(database),
    buildHealths: ({ buildStore: store, runs, schedules, settings, vault }) =>
      createBuildHealths({ store, runs, schedules, settings, vault }),
    builds: (nouns) => {
      const { database, buildStore: store, buildHealths: health, runs, workflows, personas, vault, clock } = nouns;
      return createBuilds({ database, store, health, runs, executor: () => nouns.executor, workflows, personas, vault, clock });
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
  kinds: (nouns) => {
    const { database, notices, network, buildHealths: health } = nouns;
    const ports = { ...workPorts(nouns), database, notices, network, health };
    const [build, check] = [buildWork(ports), checkBuildWork(ports)];
    const work: RunWork = async (run, signal, turn) => await (run.source_kind === CHECK_SOURCE ? check : build)(run, signal, turn);
    return { build: { work, resumes: true, queues: ['build'] } };
  },
  due: ({ buildStore: store, runs, runStore, settings }) => ({ build: dueBuilds({ store, runs, runStore, settings }) }),
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
