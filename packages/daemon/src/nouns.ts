// The agent's nouns, each made once and handed to those that need it. Nothing here decides anything.
import type { CrawlClock, Fetcher } from '@weft/engine';
import type { ViewPool } from '@weft/engine/io';
import { createStreamRegistry } from '@weft/serve';
import type { AgentPorts } from './agent/agent.ts';
import { PRODUCT_TOKEN } from './config.ts';
import type { Config } from './config.ts';
import type { Database } from './db/open.ts';
import type { Home } from './home.ts';
import type { Log } from './log.ts';
import type { Settings } from './settings.ts';
import { MemoryHostGate } from '@weft/engine';
import { createIdentity } from './auth/identity.ts';
import { createBlobs } from './blobs/blob.ts';
import { createCrawls } from './crawl/crawl.ts';
import { createDefinitionStore } from './crawl/definition-store.ts';
import { createCrawlDefinitions } from './crawl/definition.ts';
import { createExplainer } from './crawl/explain.ts';
import { createPageCopies } from './crawl/page-copy.ts';
import { createRobotsSources } from './crawl/robots.ts';
import { createCrawlStore } from './crawl/store.ts';
import { crawlWork } from './crawl/work.ts';
import { createDatasets } from './datasets/dataset.ts';
import { createReader } from './datasets/reader/reader.ts';
import { createDatasetStore } from './datasets/store.ts';
import { createDatasetWriter } from './datasets/writer.ts';
import { createFiles } from './files/file.ts';
import { createFileStore } from './files/store.ts';
import { createKeys } from './keys/key.ts';
import { createKeyStore } from './keys/store.ts';
import { createExecutor } from './runs/executor.ts';
import { createRunNotifier } from './runs/notifier.ts';
import { createRuns } from './runs/run.ts';
import { createRunStore } from './runs/store.ts';
import { createTickets } from './ws-ticket/ticket.ts';

/** What a program or a test brings from outside. */
export interface Outside {
  readonly config: Config;
  readonly settings: Settings;
  readonly clock: CrawlClock;
  readonly log: Log;
  readonly fetcher: Fetcher;
  readonly views: ViewPool;
  /** Parts of the health that only the program knows. */
  readonly probes?: AgentPorts['probes'];
  /** Milliseconds that only grow, for rates and durations; the process's own unless said. */
  readonly monotonicMs?: () => number;
}

/** Everything that handlers, sockets and the executor work with, on one home and database. */
export function createNouns(outside: Outside, home: Home, database: Database) {
  const { settings, clock, log } = outside;
  const logError = (message: string, error: unknown) => log.error({ error }, message);
  const streams = createStreamRegistry();
  const notifier = createRunNotifier();
  const runStore = createRunStore(database);
  const runs = createRuns({ store: runStore, notifier, clock });
  const keys = createKeys({ store: createKeyStore(database), streams, clock });
  const identity = createIdentity({ tokenFile: home.file('token'), keys, streams });
  const tickets = createTickets({ clock, isAlive: (actor) => identity.isAlive(actor) });
  const datasetStore = createDatasetStore(database);
  const records = createDatasetWriter(datasetStore);
  const reader = createReader(database);
  const datasets = createDatasets({ store: datasetStore, reader });
  const blobs = createBlobs(home.file('blobs'), database, clock);
  blobs.sweep();
  const files = createFiles({ store: createFileStore(database), blobs, datasets, clock, scratch: home.file('cache', 'scratch') });
  const crawlStore = createCrawlStore(database);
  const crawls = createCrawls({ store: crawlStore, datasets: records, runs, clock });
  const copies = createPageCopies(database);
  /** How hosts are asked, whoever asks. */
  const asking = { fetcher: outside.fetcher, clock, gate: new MemoryHostGate(), agent: PRODUCT_TOKEN };
  const crawlPorts = {
    database,
    files,
    store: crawlStore,
    datasets: records,
    copies,
    runs,
    ...asking,
    views: outside.views,
    robotsFor: createRobotsSources(asking),
    logError,
  };
  const definitions = createCrawlDefinitions({
    store: createDefinitionStore(database),
    crawls,
    datasets: records,
    clock,
    cancel: (id) => void runs.settle(id, 'cancelled'),
  });
  const executor = createExecutor({
    runs,
    store: runStore,
    kinds: { crawl: { work: crawlWork(crawlPorts), resumes: true } },
    runsMax: settings.runs_max,
    logError,
  });
  const crawlNouns = { crawls, definitions, explain: createExplainer(crawlPorts), runs, executor };
  return {
    streams,
    notifier,
    runStore,
    runs,
    keys,
    identity,
    tickets,
    reader,
    datasets,
    blobs,
    files,
    copies,
    crawlPorts,
    executor,
    crawlNouns,
  };
}
