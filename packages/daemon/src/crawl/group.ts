// What crawls add to the agent: pages and sites, saved crawls, and how hosts are asked, whoever asks.
import { createRobotsSources } from '@weft/engine';
import { PRODUCT_TOKEN } from '../config.ts';
import type { Group } from '../group.ts';
import { createCopyStore } from './copy-store.ts';
import type { CopyStore } from './copy-store.ts';
import { crawlResults, createCrawls } from './crawl.ts';
import { createDefinitionStore } from './definition-store.ts';
import { createCrawlDefinitions } from './definition.ts';
import { createExplainer } from './explain.ts';
import type { CrawlNouns } from './handlers.ts';
import { crawlDefinitionHandlers, crawlHandlers, extraCrawlHandlers } from './handlers.ts';
import { createSentValues } from './sent.ts';
import type { SentValues } from './sent.ts';
import { createCrawlStore } from './store.ts';
import { crawlWork } from './work.ts';
import type { CrawlRunPorts } from './work.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly copies: CopyStore;
    readonly sent: SentValues;
    readonly crawlPorts: CrawlRunPorts;
    readonly crawlNouns: CrawlNouns;
  }
}

export const group: Group = {
  nouns: {
    copies: ({ database }) => createCopyStore(database),
    sent: () => createSentValues(),
    crawlPorts({
      hostGate: gate,
      tidy,
      sent,
      database,
      files,
      records,
      copies,
      runs,
      fetcher,
      clock,
      views,
      personas,
      profiles,
      vault,
      logError,
    }) {
      const asking = { fetcher, clock, gate, agent: PRODUCT_TOKEN };
      const store = createCrawlStore(database);
      return {
        database,
        files,
        store,
        datasets: records,
        tidy,
        sent,
        copies,
        runs,
        ...asking,
        views,
        personas,
        profiles,
        vault,
        robotsFor: createRobotsSources(asking),
        logError,
      };
    },
    crawlNouns(nouns) {
      const {
        crawlPorts,
        database,
        records: datasets,
        runs,
        clock,
        personas,
        vault,
        executor,
        upkeep,
        tidy,
        runStore,
        sent,
        settings,
      } = nouns;
      const crawls = createCrawls({
        store: crawlPorts.store,
        datasets,
        runs,
        clock,
        personas,
        vault,
        upkeep,
        tidy,
        runStore,
        sent,
        proxies: settings.proxies,
      });
      const definitions = createCrawlDefinitions({
        store: createDefinitionStore(database),
        crawls,
        datasets,
        clock,
        runs,
        deleted: (id) => nouns.automations.disableNaming('crawl', id),
      });
      return { crawls, definitions, explain: createExplainer(crawlPorts), runs, executor };
    },
  },
  specified: ({ crawlNouns }) => ({ crawl: crawlHandlers(crawlNouns), crawlDefinitions: crawlDefinitionHandlers(crawlNouns) }),
  extra: ({ crawlNouns }) => ({ crawl: extraCrawlHandlers(crawlNouns) }),
  kinds: ({ crawlPorts }) => ({
    crawl: {
      work: crawlWork(crawlPorts),
      resumes: true,
      queues: ['page', 'crawl'],
      results: ({ id }) => crawlResults(id, crawlPorts.store),
    },
  }),
  prune: ({ copies, clock }) => void copies.prune(clock.now()),
};
