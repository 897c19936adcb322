// What builds add to the cloud: sites that become APIs, and the worker that builds them.
import type { Group } from '../group.ts';
import { IDLE_WORKER, asList, startJobWorker } from '../jobs/worker.ts';
import type { JobWorker } from '../jobs/worker.ts';
import { createBuilds } from './build.ts';
import type { Builds } from './build.ts';
import { workOnCheck } from './check-work.ts';
import { createBuildChecks } from './checks.ts';
import { accountBuildHandlers, buildHandlers } from './handlers.ts';
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
    builds: ({ database, credits, functions }) => createBuilds(database, credits, functions),
    buildWorker({ database, credits, askingPorts: asking, fetcher, functions, model, config, clock, tell, logError }) {
      if (config.role === 'api') return IDLE_WORKER;
      const jobs = createBuildJobs(database, credits, tell);
      const checks = createBuildChecks(database, credits, tell, clock);
      const ports = { database, asking, sessions: fetcher.sessions, jobs, checks, functions, model, logError };
      return startJobWorker<Claim>({
        name: 'builds',
        places: BUILDS_AT_ONCE,
        turnMs: TURN_MS,
        // Who waits for a build has asked for it; what is due was asked for by nobody.
        claim: async () => asList((await jobs.claim()) ?? (await checks.claim())),
        keepAlive: (claims) => jobs.keepAlive(claims.map(({ claim }) => claim)),
        run: (claim, _over, stop) => (claim.build.is_live ? workOnBuild : workOnCheck)(claim, ports, stop),
        drainsAlways: () => false,
        logError,
      });
    },
  },
  account: (nouns) => ({ accountBuilds: accountBuildHandlers(nouns.builds, () => nouns.buildWorker.wake()) }),
  specified: (nouns) => ({ cloudBuilds: buildHandlers(nouns.builds, () => nouns.buildWorker.wake()) }),
  upkeep: ({ builds }) => builds.prune(),
  work: ({ buildWorker }) => buildWorker.wake(),
  hindrance: ({ buildWorker }) => (buildWorker.isLooking() ? undefined : 'worker_stalled'),
  drain: ({ buildWorker }) => buildWorker.stop(),
};
