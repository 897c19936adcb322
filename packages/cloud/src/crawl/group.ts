// What crawls add to the cloud: their operations, the jobs of an account, and the worker that executes them.
import type { Group } from '../group.ts';
import { createCrawls } from './crawl.ts';
import type { Crawls } from './crawl.ts';
import { crawlHandlers, jobHandlers } from './handlers.ts';
import { createCrawlJobs } from './jobs.ts';
import type { CrawlJobs } from './jobs.ts';
import { startCrawlWorker } from './worker.ts';
import type { CrawlWorker } from './worker.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly crawls: Crawls;
    readonly crawlJobs: CrawlJobs;
    /** Works from when it is first asked for. */
    readonly crawlWorker: CrawlWorker;
  }
}

/** Of one process: a crawl of one host mostly waits for it. */
const CRAWLS_AT_ONCE = 8;

export const group: Group = {
  nouns: {
    crawls: ({ database, credits }) => createCrawls(database, credits),
    crawlJobs: ({ database, credits }) => createCrawlJobs(database, credits),
    crawlWorker: ({ askingPorts, database, credits, crawlJobs: jobs, logError }) =>
      startCrawlWorker({ ...askingPorts, database, credits, jobs, places: CRAWLS_AT_ONCE, logError }),
  },
  specified: (nouns) => ({ crawls: crawlHandlers(nouns.crawls, () => nouns.crawlWorker.wake()) }),
  account: ({ crawls }) => ({ jobs: jobHandlers(crawls) }),
  upkeep: ({ crawls }) => crawls.prune(),
  work: ({ crawlWorker }) => crawlWorker.wake(),
  drain: ({ crawlWorker }) => crawlWorker.stop(),
};
