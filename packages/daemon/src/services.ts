// Wires the agent's nouns, handlers and kernel together. Nothing here decides anything.
import { randomBytes, randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { DAEMON_TABLE, EXTRA_TABLE } from '@weft/contract';
import type { CrawlClock, Fetcher } from '@weft/engine';
import { MemoryHostGate } from '@weft/engine';
import type { ViewPool } from '@weft/engine/io';
import { createKernel, createStreamRegistry, surface } from '@weft/serve';
import type { Kernel, RatePolicy, RequestLog, SocketOptions, StreamRegistry } from '@weft/serve';
import type { Address, AgentPorts } from './agent/agent.ts';
import { agentHandlers } from './agent/handlers.ts';
import { answerProbe } from './agent/probe.ts';
import { tokenHandlers } from './auth/handlers.ts';
import { createIdentity } from './auth/identity.ts';
import { createBlobs } from './blobs/blob.ts';
import type { Config } from './config.ts';
import { createCrawls } from './crawl/crawl.ts';
import { createDefinitionStore } from './crawl/definition-store.ts';
import { createCrawlDefinitions } from './crawl/definition.ts';
import { createExplainer } from './crawl/explain.ts';
import { crawlDefinitionHandlers, crawlHandlers, extraCrawlHandlers } from './crawl/handlers.ts';
import { createPageCopies } from './crawl/page-copy.ts';
import { createRobotsSources } from './crawl/robots.ts';
import { createCrawlStore } from './crawl/store.ts';
import { crawlWork } from './crawl/work.ts';
import { createDatasets } from './datasets/dataset.ts';
import { datasetHandlers } from './datasets/handlers.ts';
import { createReader } from './datasets/reader/reader.ts';
import { createDatasetStore } from './datasets/store.ts';
import { createDatasetWriter } from './datasets/writer.ts';
import { explainFault } from './db/fault.ts';
import { createIdempotencyStore } from './db/idempotency.ts';
import type { Database } from './db/open.ts';
import { openApiDocuments } from './documents.ts';
import { createExtractions } from './extract/extract.ts';
import { extractHandlers } from './extract/handlers.ts';
import { createFiles } from './files/file.ts';
import { fileHandlers } from './files/handlers.ts';
import { createFileStore } from './files/store.ts';
import type { Home } from './home.ts';
import { keyHandlers } from './keys/handlers.ts';
import { createKeys } from './keys/key.ts';
import { createKeyStore } from './keys/store.ts';
import type { Log } from './log.ts';
import { mapHandlers } from './map/handlers.ts';
import { createMaps } from './map/map.ts';
import { pacedFetcher } from './paced-fetcher.ts';
import type { Settings } from './settings.ts';
import type { Executor } from './runs/executor.ts';
import { createExecutor } from './runs/executor.ts';
import { runHandlers } from './runs/handlers.ts';
import { createRunNotifier } from './runs/notifier.ts';
import { pruneRuns } from './runs/retention.ts';
import { createRuns } from './runs/run.ts';
import { createRunStore } from './runs/store.ts';
import { writeRuntimeFile } from './runtime-file.ts';
import { ticketHandlers } from './ws-ticket/handlers.ts';
import { createTickets } from './ws-ticket/ticket.ts';
import { serveRunEvents } from './ws-ticket/topics.ts';

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

export interface Services {
  readonly kernel: Kernel;
  readonly sockets: SocketOptions;
  readonly streams: StreamRegistry;
  readonly executor: Executor;
  readonly instanceId: string;
  /** Makes the address known once the listeners have it, and writes `runtime.json`. */
  publish(address: Address): void;
  /** Deletes what is past its retention. */
  prune(): void;
  /** Ends the threads that read. */
  close(): Promise<void>;
}

export function createServices(outside: Outside, home: Home, database: Database): Services {
  const { config, settings, clock, log, monotonicMs = () => performance.now() } = outside;
  let address: Address = { baseUrl: '', httpsUrl: undefined };
  const probe = { instanceId: randomUUID(), secret: randomBytes(32).toString('base64url') };
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
  const crawlPorts = {
    database,
    files,
    store: crawlStore,
    datasets: records,
    copies,
    runs,
    fetcher: outside.fetcher,
    views: outside.views,
    clock,
    gate: new MemoryHostGate(),
    robotsFor: createRobotsSources(outside.fetcher, clock),
    agent: 'WeftBot',
  };
  const single = { ...crawlPorts, fetcher: pacedFetcher(crawlPorts) };
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
    clock,
    kinds: { crawl: { work: crawlWork(crawlPorts), resumes: true } },
    runsMax: settings.runs_max,
    logError: (message, error) => log.error({ error }, message),
  });
  const crawlNouns = { crawls, definitions, explain: createExplainer(crawlPorts), runs, executor };
  const agentPorts: AgentPorts = {
    config,
    home,
    database,
    runs,
    clock,
    instanceId: probe.instanceId,
    startedMs: clock.now(),
    address: () => address,
    probes: outside.probes ?? [],
  };
  const documents = openApiDocuments(config.version, () => address.baseUrl);

  const writeRuntime = () =>
    writeRuntimeFile(home, {
      instance_id: probe.instanceId,
      pid: process.pid,
      base_url: address.baseUrl,
      ...(address.httpsUrl === undefined ? {} : { https_url: address.httpsUrl }),
      token: identity.runtimeToken(),
      probe_secret: probe.secret,
      version: config.version,
      started_at: new Date(agentPorts.startedMs).toISOString(),
    });

  const kernel = createKernel({
    surfaces: [
      surface(DAEMON_TABLE, {
        agent: agentHandlers(agentPorts),
        runs: runHandlers(runs, executor),
        files: fileHandlers(files),
        datasets: datasetHandlers(datasets),
        crawl: crawlHandlers(crawlNouns),
        crawlDefinitions: crawlDefinitionHandlers(crawlNouns),
        keys: keyHandlers(keys),
        wsTicket: ticketHandlers(tickets, () => address.baseUrl),
      }),
      surface(EXTRA_TABLE, {
        token: tokenHandlers(identity, writeRuntime),
        crawl: extraCrawlHandlers(crawlNouns),
        map: mapHandlers(createMaps(single)),
        extract: extractHandlers(createExtractions(single)),
      }),
    ],
    open: {
      '/probe': ({ own, target }) => answerProbe(probe, own.origin, target.split('?')[1] ?? ''),
      '/openapi.json': documents.specified,
      '/openapi-extra.json': documents.extra,
    },
    authenticate: (token) => identity.authenticate(token),
    ownerOfRun: (id) => runStore.ownerOf(id),
    idempotency: createIdempotencyStore(database, clock),
    streams,
    now: monotonicMs,
    rate: { key: ratePolicy(settings.limits.rate.key), runtime: ratePolicy(settings.limits.rate.runtime) },
    log: (entry) => logRequest(log, entry),
    explain: explainFault,
  });

  return {
    kernel,
    sockets: {
      spendTicket: (ticket) => tickets.spend(ticket),
      streams,
      serve: (socket, actor, signal) => serveRunEvents(socket, actor, signal, { store: runStore, notifier }),
      now: monotonicMs,
    },
    streams,
    executor,
    instanceId: probe.instanceId,
    publish(known) {
      address = known;
      writeRuntime();
    },
    prune() {
      pruneRuns(runStore, clock, settings.retention);
      copies.prune(clock.now());
    },
    close: () => reader.close(),
  };
}

function ratePolicy(rate: { readonly per_minute: number; readonly burst: number }): RatePolicy {
  return { perSecond: rate.per_minute / 60, burst: rate.burst };
}

/** Reads that went well say nothing: a page that polls would fill the log with them. */
function logRequest(log: Log, { error, ...entry }: RequestLog): void {
  if (error !== undefined) log.error({ ...entry, error }, 'request failed');
  else if (entry.status >= 400 || (entry.method !== 'GET' && entry.method !== 'HEAD')) log.info(entry, 'request');
}
