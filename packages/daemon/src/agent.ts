// Puts the agent together from its parts, starts it, and stops it in order. Nothing here decides anything.
import { randomBytes, randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { DAEMON_TABLE, EXTRA_TABLE } from '@weft/contract';
import type { Clock, Fetcher } from '@weft/engine';
import type { ViewPool } from '@weft/engine/io';
import { attachWebSocket, createKernel, createStreamRegistry, listen, surface } from '@weft/serve';
import type { Listener, RequestLog } from '@weft/serve';
import type { Address, AgentPorts } from './agent/agent.ts';
import { agentHandlers } from './agent/handlers.ts';
import { answerProbe } from './agent/probe.ts';
import { createIdentity } from './auth/identity.ts';
import { tokenHandlers } from './auth/handlers.ts';
import type { Config } from './config.ts';
import { createCrawls } from './crawl/crawl.ts';
import { crawlHandlers } from './crawl/handlers.ts';
import { crawlWork } from './crawl/scrape.ts';
import { createCrawlStore } from './crawl/store.ts';
import { createDatasetStore } from './datasets/store.ts';
import { createIdempotencyStore } from './db/idempotency.ts';
import { openDatabase } from './db/open.ts';
import { openApiDocuments } from './documents.ts';
import { prepareHome } from './home.ts';
import { keyHandlers } from './keys/handlers.ts';
import { createKeys } from './keys/key.ts';
import { createKeyStore } from './keys/store.ts';
import { takeInstanceLock } from './lock.ts';
import type { Log } from './log.ts';
import { createExecutor } from './runs/executor.ts';
import { runHandlers } from './runs/handlers.ts';
import { createRunNotifier } from './runs/notifier.ts';
import { pruneRuns } from './runs/retention.ts';
import { createRuns } from './runs/run.ts';
import { createRunStore } from './runs/store.ts';
import { removeRuntimeFile, writeRuntimeFile } from './runtime-file.ts';
import type { LeafSource } from './tls/leaf-source.ts';
import { ticketHandlers } from './ws-ticket/handlers.ts';
import { createTickets } from './ws-ticket/ticket.ts';
import { serveRunEvents } from './ws-ticket/topics.ts';

/** What a program or a test brings from outside. */
export interface AgentOutside {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly fetcher: Fetcher;
  readonly views: ViewPool;
  /** The HTTPS twin's certificate; absent where a test needs none. */
  openTls?(home: string): Promise<LeafSource>;
}

export interface RunningAgent {
  readonly baseUrl: string;
  readonly httpsUrl: string | undefined;
  readonly tokenFile: string;
  /** Drains what is short, ends streams, stops runs, closes the database; within ten seconds. */
  stop(): Promise<void>;
}

const GRACE_MS = 8000;
const PRUNE_MS = 6 * 3_600_000;

/** Starts the agent. Rejects with ConfigError for a home, port or database that can't be used; nothing is left behind then. */
export async function startAgent(outside: AgentOutside): Promise<RunningAgent> {
  const { config, clock, log } = outside;
  const home = prepareHome(config.home);
  const cleanups: (() => void | Promise<void>)[] = [];
  const undo = async () => {
    for (const cleanup of cleanups.reverse()) await cleanup();
  };
  try {
    const lock = takeInstanceLock(home.file('agent.lock'));
    cleanups.push(() => lock.release());
    const database = openDatabase({ path: home.file('weft.db'), backups: home.file('backups'), nowMs: clock.now() });
    cleanups.push(() => database.close());

    const streams = createStreamRegistry();
    const notifier = createRunNotifier();
    const runStore = createRunStore(database);
    const runs = createRuns({ store: runStore, notifier, clock });
    const keys = createKeys({ store: createKeyStore(database), streams, clock });
    const identity = createIdentity({ tokenFile: home.file('token'), keys, streams });
    const tickets = createTickets({ clock, isAlive: (actor) => identity.isAlive(actor) });
    const datasets = createDatasetStore(database);
    const crawlStore = createCrawlStore(database);
    const crawls = createCrawls({ store: crawlStore, datasets, runs, clock });
    const executor = createExecutor({
      runs,
      store: runStore,
      clock,
      kinds: {
        crawl: {
          work: crawlWork({ database, store: crawlStore, datasets, runs, fetcher: outside.fetcher, views: outside.views, clock }),
          resumes: false,
        },
      },
      runsMax: config.runsMax,
      logError: (message, error) => log.error({ error }, message),
    });

    let address: Address = { baseUrl: '', httpsUrl: undefined };
    const probe = { instanceId: randomUUID(), secret: randomBytes(32).toString('base64url') };
    const agentPorts: AgentPorts = {
      config,
      home,
      database,
      runs,
      clock,
      instanceId: probe.instanceId,
      startedMs: clock.now(),
      address: () => address,
      probes: [],
    };
    const documents = openApiDocuments(config.version, () => address.baseUrl);
    const kernel = createKernel({
      surfaces: [
        surface(DAEMON_TABLE, {
          agent: agentHandlers(agentPorts),
          runs: runHandlers(runs, executor),
          crawl: crawlHandlers(crawls, runs, executor),
          keys: keyHandlers(keys),
          wsTicket: ticketHandlers(tickets, () => address.baseUrl),
        }),
        surface(EXTRA_TABLE, { token: tokenHandlers(identity, () => writeRuntime()) }),
      ],
      open: {
        '/probe': (_request, connection) => answerProbe(probe, connection.own.origin, connection.target.split('?')[1] ?? ''),
        '/openapi.json': documents.specified,
        '/openapi-extra.json': documents.extra,
      },
      authenticate: (token) => identity.authenticate(token),
      ownerOfRun: (id) => runStore.ownerOf(id),
      idempotency: createIdempotencyStore(database, clock),
      streams,
      now: () => performance.now(),
      log: (entry) => logRequest(log, entry),
    });

    const listeners: Listener[] = [await listen(kernel, { port: config.port })];
    cleanups.push(async () => void (await Promise.all(listeners.map((listener) => listener.close(GRACE_MS)))));
    if (outside.openTls) {
      const leaf = await outside.openTls(home.path);
      const twin = await listen(kernel, { port: config.port === 0 ? 0 : config.port + 1, tls: leaf.current() });
      listeners.push(twin);
      const stopRenewal = leaf.onRenewal(
        (pair) => 'setSecureContext' in twin.server && twin.server.setSecureContext({ ...pair, minVersion: 'TLSv1.2' }),
      );
      cleanups.push(stopRenewal);
    }
    address = { baseUrl: listeners[0]?.own.origin ?? '', httpsUrl: listeners[1]?.own.origin };
    const socketOptions = {
      spendTicket: (ticket: string) => tickets.spend(ticket),
      streams,
      serve: (socket: Parameters<typeof serveRunEvents>[0], actor: Parameters<typeof serveRunEvents>[1], signal: AbortSignal) =>
        serveRunEvents(socket, actor, signal, { store: runStore, notifier }),
      now: () => performance.now(),
    };
    for (const listener of listeners) attachWebSocket(listener, socketOptions);

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
    writeRuntime();
    cleanups.push(() => removeRuntimeFile(home, probe.instanceId));
    const pruning = setInterval(() => pruneRuns(runStore, clock), PRUNE_MS);
    pruning.unref();
    cleanups.push(() => clearInterval(pruning));
    executor.start();
    cleanups.push(() => executor.stop(GRACE_MS));
    cleanups.push(() => streams.endAll());
    return { ...address, tokenFile: home.file('token'), stop: undo };
  } catch (error) {
    await undo();
    throw error;
  }
}

function logRequest(log: Log, { error, ...entry }: RequestLog): void {
  if (error === undefined) log.info(entry, 'request');
  else log.error({ ...entry, error }, 'request failed');
}
