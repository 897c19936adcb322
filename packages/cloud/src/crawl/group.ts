// What crawls add to the cloud: their operations, the jobs of an account, and the worker that executes them.
import type { Group } from '../group.ts';
import { IDLE_WORKER } from '../jobs/worker.ts';
import type { JobWorker } from '../jobs/worker.ts';
import { createCrawls } from './crawl.ts';
import type { Crawls } from './crawl.ts';
import { crawlHandlers, jobHandlers } from './handlers.ts';
import { createCrawlJobs } from './jobs.ts';
import type { CrawlJobs } from './jobs.ts';
import { startCrawlWorker } from './worker.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly crawls: Crawls;
    readonly crawlJobs: CrawlJobs;
    /** Works from when it is first asked for. */
    readonly crawlWorker: JobWorker;
  }
}

export const group: Group = {
  nouns: {
    crawls: ({ database, credits, tracer, pictures, tell }) =>
      createCrawls(database, credits, { pictures, tell, traceOf: () => tracer.parent() }),
    crawlJobs: ({ database, credits, tell, config }) => createCrawlJobs({ database, credits, tell }, config.crawlsPerAccount),
    crawlWorker: ({ askingPorts, database, credits, crawlJobs: jobs, config, tracer, metrics, pictures, logError }) =>
      config.role === 'api'
        ? IDLE_WORKER
        : startCrawlWorker({
            ...askingPorts,
            database,
            credits,
            jobs,
            places: config.crawlsAtOnce,
            turnMs: config.turnSeconds * 1000,
            pictures,
            tracer,
            metrics,
            logError,
          }),
  },
  specified: (nouns) => ({ crawls: crawlHandlers(nouns.crawls, () => nouns.crawlWorker.wake()) }),
  account: ({ crawls }) => ({ jobs: jobHandlers(crawls) }),
  upkeep: ({ crawls }) => crawls.prune(),
  work: ({ crawlWorker }) => crawlWorker.wake(),
  hindrance: ({ crawlWorker }) => (crawlWorker.isLooking() ? undefined : 'worker_stalled'),
  drain: ({ crawlWorker }) => crawlWorker.stop(),
};
