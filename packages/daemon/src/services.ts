// Puts the kernel and the sockets in front of the agent's nouns. Nothing here decides anything.
import { randomBytes, randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { DAEMON_TABLE, EXTRA_TABLE } from '@weft/contract';
import { createKernel, surface } from '@weft/serve';
import type { Kernel, SocketOptions, StreamRegistry } from '@weft/serve';
import type { Address, AgentPorts } from './agent/agent.ts';
import { contentsPart } from './agent/contents.ts';
import { agentHandlers } from './agent/handlers.ts';
import { answerProbe } from './agent/probe.ts';
import { tokenHandlers } from './token/handlers.ts';
import { agentPolicy } from './auth/policy.ts';
import { ensureSecret } from './auth/tokens.ts';
import { crawlDefinitionHandlers, crawlHandlers, extraCrawlHandlers } from './crawl/handlers.ts';
import { datasetHandlers } from './datasets/handlers.ts';
import { explainFault, explainFileFault } from './db/fault.ts';
import { createIdempotencyStore } from './db/idempotency.ts';
import type { Database } from './db/open.ts';
import { openApiDocuments } from './documents.ts';
import { createExtractions } from './extract/extract.ts';
import { extractHandlers } from './extract/handlers.ts';
import { extraFileHandlers, fileHandlers } from './files/handlers.ts';
import type { Home } from './home.ts';
import { keyHandlers } from './keys/handlers.ts';
import { mapHandlers } from './map/handlers.ts';
import { createMaps } from './map/map.ts';
import type { Executor } from './runs/executor.ts';
import { runHandlers } from './runs/handlers.ts';
import { pruneRuns } from './runs/retention.ts';
import { createRequestLog } from './request-log.ts';
import { writeRuntimeFile } from './runtime-file.ts';
import { ticketHandlers } from './ws-ticket/handlers.ts';
import { serveRunEvents } from './ws-ticket/topics.ts';
import { createNouns } from './nouns.ts';
import type { Outside } from './nouns.ts';

export type { Outside } from './nouns.ts';

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
  const nouns = createNouns(outside, home, database);
  const { streams, notifier, runStore, runs, keys, identity, tickets, datasets, files, executor, crawlNouns } = nouns;
  const agentPorts: AgentPorts = {
    config,
    home,
    database,
    runs,
    clock,
    instanceId: probe.instanceId,
    startedMs: clock.steadyMs(),
    address: () => address,
    probes: [() => contentsPart(nouns.blobs), ...(outside.probes ?? [])],
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

  const policy = agentPolicy({ identity, ownerOfRun: (id) => runStore.ownerOf(id), rates: settings.limits.rate });
  const kernel = createKernel({
    policy,
    surfaces: [
      surface(DAEMON_TABLE, {
        agent: agentHandlers(agentPorts),
        runs: runHandlers(runs, executor),
        files: fileHandlers(files),
        datasets: datasetHandlers(datasets),
        crawl: crawlHandlers(crawlNouns),
        crawlDefinitions: crawlDefinitionHandlers(crawlNouns),
        keys: keyHandlers(keys),
        wsTicket: ticketHandlers(tickets),
      }),
      surface(EXTRA_TABLE, {
        token: tokenHandlers(identity, writeRuntime),
        crawl: extraCrawlHandlers(crawlNouns),
        map: mapHandlers(createMaps(nouns.crawlPorts)),
        extract: extractHandlers(createExtractions(nouns.crawlPorts)),
        files: extraFileHandlers(files),
      }),
    ],
    open: {
      '/probe': { methods: ['GET'], answer: ({ own, target }) => answerProbe(probe, own.origin, target.split('?')[1] ?? '') },
      '/openapi.json': { methods: ['GET'], answer: documents.specified },
      '/openapi-extra.json': { methods: ['GET'], answer: documents.extra },
    },
    idempotency: createIdempotencyStore(database, clock, ensureSecret(home.file('print.key'))),
    streams,
    now: monotonicMs,
    log: createRequestLog(log, monotonicMs),
    explain: (error) => explainFault(error) ?? explainFileFault(error),
  });

  return {
    kernel,
    sockets: {
      policy,
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
      nouns.copies.prune(clock.now());
    },
    close: () => nouns.reader.close(),
  };
}
