// What builds add to the cloud: sites that become APIs, and the worker that builds them.
import type { Group } from '../group.ts';
import { IDLE_WORKER, asList, startJobWorker } from '../jobs/worker.ts';
import type { JobWorker } from '../jobs/worker.ts';
import { createBuilds } from './build.ts';
import type { Builds } from './build.ts';
import { buildHandlers } from './handlers.ts';
import { createBuildJobs } from './jobs.ts';
import type { Claim } from './jobs.ts';
import { workOnBuild } from './work.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly builds: Builds;
    /** Works from when it is first asked for. */
    readonly buildWorker: JobWorker;
  }
}

/** Of one process: a build may hold a browser. */
const BUILDS_AT_ONCE = 2;
/** A build is not given on in the middle of a rung. */
const TURN_MS = 3_600_000;

export const group: Group = {
  nouns: {
    builds: ({ database, credits }) => createBuilds(database, credits),
    buildWorker({ database, credits, askingPorts: asking, fetcher, functions, model, config, logError }) {
      if (config.role === 'api') return IDLE_WORKER;
      const jobs = createBuildJobs(database, credits);
      return startJobWorker<Claim>({
        name: 'builds',
        places: BUILDS_AT_ONCE,
        turnMs: TURN_MS,
        claim: async () => asList(await jobs.claim()),
        keepAlive: (claims) => jobs.keepAlive(claims.map(({ claim }) => claim)),
        run: (claim, _over, stop) =>
          workOnBuild(claim, { database, asking, sessions: fetcher.sessions, jobs, functions, model, logError }, stop),
        drainsAlways: () => false,
        logError,
      });
    },
  },
  specified: (nouns) => ({ cloudBuilds: buildHandlers(nouns.builds, () => nouns.buildWorker.wake()) }),
  upkeep: ({ builds }) => builds.prune(),
  work: ({ buildWorker }) => buildWorker.wake(),
  hindrance: ({ buildWorker }) => (buildWorker.isLooking() ? undefined : 'worker_stalled'),
  drain: ({ buildWorker }) => buildWorker.stop(),
};
