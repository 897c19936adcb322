// What targets add to the cloud: their operations, and the worker that checks what is due.
import { NetworkWatch } from '@weft/engine';
import type { Group } from '../group.ts';
import { IDLE_WORKER } from '../jobs/worker.ts';
import type { JobWorker } from '../jobs/worker.ts';
import { createTargetClaims } from './claims.ts';
import type { TargetClaims } from './claims.ts';
import { createTargetFeeds } from './feeds.ts';
import type { TargetFeeds } from './feeds.ts';
import { targetHandlers, targetHistoryHandlers } from './handlers.ts';
import { createTargetRuns } from './runs.ts';
import type { TargetRuns } from './runs.ts';
import { createTargetSnapshots } from './snapshots.ts';
import type { TargetSnapshots } from './snapshots.ts';
import { createTargets } from './target.ts';
import type { Targets } from './target.ts';
import { startTargetWorker } from './worker.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly targets: Targets;
    readonly targetRuns: TargetRuns;
    readonly targetSnapshots: TargetSnapshots;
    readonly targetFeeds: TargetFeeds;
    readonly targetClaims: TargetClaims;
    /** Works from when it is first asked for. */
    readonly targetWorker: JobWorker;
  }
}

/** Of one process: a check mostly waits for its host. */
const CHECKS_AT_ONCE = 16;

export const group: Group = {
  nouns: {
    targets: ({ database }) => createTargets(database),
    targetRuns: ({ database, credits, tracer }) => createTargetRuns(database, credits, () => tracer.parent()),
    targetSnapshots: ({ database }) => createTargetSnapshots(database),
    targetFeeds: ({ database, targets, views, secrets, baseUrl }) =>
      createTargetFeeds({ database, targets, views, secret: secrets.feeds, baseUrl }),
    targetClaims: ({ database, credits }) => createTargetClaims(database, credits),
    targetWorker: ({ askingPorts, database, credits, targetClaims: claims, tell, config, tracer, logError }) =>
      config.role === 'api'
        ? IDLE_WORKER
        : startTargetWorker({
            ...askingPorts,
            database,
            credits,
            claims,
            tell,
            network: new NetworkWatch(),
            places: CHECKS_AT_ONCE,
            tracer,
            logError,
          }),
  },
  specified: (nouns) => ({ targets: targetHandlers(nouns.targets, nouns.targetRuns, () => nouns.targetWorker.wake()) }),
  account: ({ targets, targetRuns, targetSnapshots, targetFeeds }) => ({
    targetHistory: targetHistoryHandlers(targets, targetRuns, targetSnapshots, targetFeeds),
  }),
  upkeep: ({ targetRuns }) => targetRuns.prune(),
  work: ({ targetWorker }) => targetWorker.wake(),
  hindrance: ({ targetWorker }) => (targetWorker.isLooking() ? undefined : 'worker_stalled'),
  drain: ({ targetWorker }) => targetWorker.stop(),
};
