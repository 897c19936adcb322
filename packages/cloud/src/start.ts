// Puts the kernel in front of the cloud's nouns, starts it step by step and stops it in the opposite order.
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { ABOUT_CLOUD_GROUPS, ACCOUNT_TABLE, CLOUD_TABLE } from '@weft/contract';
import { createRobotsSources } from '@weft/engine';
import type { CrawlClock, Fetcher, ViewReader } from '@weft/engine';
import {
  McpAdapter,
  createKernel,
  createRequestLog,
  createStreamRegistry,
  documentRoute,
  jsonAnswer,
  listen,
  mcpHandlers,
} from '@weft/serve';
import type { Kernel, Log } from '@weft/serve';
import { ensureFirstAccount } from './accounts/account.ts';
import { accountKeyHandlers } from './accounts/handlers.ts';
import { createAccountKeys } from './accounts/key.ts';
import { cloudPolicy } from './auth/policy.ts';
import type { Config } from './config.ts';
import { PRODUCT_TOKEN } from './config.ts';
import { createCrawls } from './crawl/crawl.ts';
import { crawlHandlers, jobHandlers } from './crawl/handlers.ts';
import { createCrawlJobs } from './crawl/jobs.ts';
import { startCrawlWorker } from './crawl/worker.ts';
import { createCredits } from './credits/credits.ts';
import { creditHandlers } from './credits/handlers.ts';
import { createIdempotencyStore, sharedSecret } from './db/idempotency.ts';
import type { Database } from './db/queries.ts';
import { openDatabase } from './db/database.ts';
import { startOwnServer } from './db/own-server.ts';
import { createHostLeases } from './hosts/host-leases.ts';
import { HOST_LEASE_MS, LeaseGate } from './hosts/lease-gate.ts';
import { createSharedRobots } from './hosts/shared-robots.ts';
import { createAllowance } from './keyless/allowance.ts';
import { keylessHandlers } from './keyless/handlers.ts';
import { createMaps } from './map/map.ts';
import { cloudTools } from './mcp/tools.ts';
import { createScrapes } from './scrape/scrape.ts';
import { scrapeHandlers } from './scrape/handlers.ts';

/** What a program or a test brings from outside. */
export interface CloudOptions {
  readonly config: Pick<Config, 'home' | 'port' | 'databaseUrl' | 'isKeyless' | 'version'>;
  readonly clock: CrawlClock;
  readonly log: Log;
  readonly views: ViewReader;
  /** Asks hosts; told the port of the database, which it must not reach. */
  fetcher(ownPorts: readonly number[]): Fetcher;
}

export interface RunningCloud {
  readonly baseUrl: string;
  /** Of the first owner's key; where this start made it. */
  readonly firstKey: string | undefined;
  /** Lets short answers finish and closes the database; within twenty seconds. */
  stop(): Promise<void>;
}

const GRACE_MS = 7000;
const UPKEEP_MS = 60_000;
/** Of one process: a crawl of one host mostly waits for it. */
const CRAWLS_AT_ONCE = 8;

/** Starts the cloud. Rejects with ConfigError or the system's error for what can't be used; nothing is left behind then. */
export async function startCloud(options: CloudOptions): Promise<RunningCloud> {
  const { config, log } = options;
  const undo = new AsyncDisposableStack();
  try {
    const server = config.databaseUrl === undefined ? await startOwnServer(`${config.home}/postgres`) : undefined;
    if (server) undo.defer(() => server.stop());
    const database = await openDatabase(server?.url ?? config.databaseUrl ?? '');
    undo.defer(() => database.close());
    const databasePort = Number(new URL(server?.url ?? config.databaseUrl ?? '').port || 5432);
    const fetcher = options.fetcher([config.port, databasePort]);
    undo.defer(() => fetcher.close());
    let address = '';
    const { kernel, firstKey, upkeep, stop } = await createCloud(options, database, fetcher, () => address);
    undo.defer(stop);
    const listener = await listen(kernel, { port: config.port });
    address = listener.own.origin;
    undo.defer(() => listener.close(GRACE_MS));
    const look = () => upkeep().catch((error: unknown) => log.error({ error }, 'what is past its time could not be put in order'));
    const looking = setInterval(look, UPKEEP_MS).unref();
    undo.defer(() => clearInterval(looking));
    return { baseUrl: address, firstKey, stop: () => undo.disposeAsync() };
  } catch (error) {
    await undo.disposeAsync();
    log.error({ error }, 'cloud could not start');
    throw error;
  }
}

interface Cloud {
  readonly kernel: Kernel;
  readonly firstKey: string | undefined;
  upkeep(): Promise<void>;
  /** Gives back what is worked on. */
  stop(): Promise<void>;
}

async function createCloud(options: CloudOptions, database: Database, fetcher: Fetcher, address: () => string): Promise<Cloud> {
  const { clock, log, views, config } = options;
  const monotonicMs = () => performance.now();
  const logError = (message: string, error: unknown) => log.error({ error }, message);
  const leases = createHostLeases(database, randomUUID(), HOST_LEASE_MS);
  const gate = new LeaseGate({ leases, clock, logError });
  const shared = createSharedRobots(database);
  const asking = { fetcher, clock, gate, shared, agent: PRODUCT_TOKEN };
  const ports = { ...asking, robotsFor: createRobotsSources(asking), views };
  const keys = createAccountKeys(database);
  const credits = createCredits(database);
  const scrapes = createScrapes(database, credits, ports);
  const crawls = createCrawls(database, credits);
  const worker = startCrawlWorker({
    ...ports,
    database,
    credits,
    jobs: createCrawlJobs(database, credits),
    places: CRAWLS_AT_ONCE,
    logError,
  });
  const stop = async () => {
    await worker.stop();
    await gate.close();
  };
  const maps = createMaps(ports);
  const allowance = createAllowance(database, clock, await sharedSecret(database, 'keyless'));
  const mcp = new McpAdapter({
    name: 'weft-cloud',
    version: config.version,
    instructions: 'Reads public web pages and maps sites. Each tool says what it costs.',
    tools: cloudTools({ scrapes, maps, credits }),
  });
  const upkeep = async () => {
    await credits.releaseForgotten();
    await scrapes.prune();
    await crawls.prune();
    await leases.prune();
    await shared.prune();
  };
  await upkeep();
  const { keyless, ...metered } = CLOUD_TABLE;
  const table = config.isKeyless ? { ...metered, keyless } : metered;
  const kernel = createKernel({
    policy: cloudPolicy(keys),
    surfaces: [
      {
        table,
        handlers: anyOf({
          scrape: scrapeHandlers(scrapes),
          crawls: crawlHandlers(crawls, worker.wake),
          mcp: mcpHandlers(mcp),
          ...(config.isKeyless ? { keyless: keylessHandlers({ allowance, scrapes, maps }) } : {}),
        }),
      },
      {
        table: ACCOUNT_TABLE,
        handlers: anyOf({ accountKeys: accountKeyHandlers(keys), credits: creditHandlers(credits), jobs: jobHandlers(crawls) }),
      },
    ],
    open: {
      '/livez': { methods: ['GET'], answer: () => jsonAnswer(200, { status: 'ok' }) },
      '/readyz': { methods: ['GET'], answer: () => readiness(database) },
      '/openapi.json': documentRoute(table, {
        title: 'Weft cloud',
        description: 'The operations of the interface specification that this cloud serves.',
        version: config.version,
        address,
        groups: ABOUT_CLOUD_GROUPS,
      }),
      '/openapi-extra.json': documentRoute(ACCOUNT_TABLE, {
        title: 'Weft cloud: accounts',
        description: 'Operations under /api/account/.',
        version: config.version,
        address,
        groups: ABOUT_CLOUD_GROUPS,
      }),
    },
    idempotency: createIdempotencyStore(database, await sharedSecret(database, 'idempotency')),
    streams: createStreamRegistry(),
    now: monotonicMs,
    log: createRequestLog(log, monotonicMs),
  });
  return { kernel, firstKey: await ensureFirstAccount({ database, keys, credits }), upkeep, stop };
}

type Handlers = Parameters<typeof createKernel>[0]['surfaces'][number]['handlers'];

/** Each group's own type pairs its handlers with its rows; the kernel refuses to start without one of them. */
function anyOf(handlers: Readonly<Record<string, object>>): Handlers {
  return handlers as Handlers;
}

async function readiness({ find }: Database) {
  try {
    await find('SELECT 1');
    return jsonAnswer(200, { status: 'ok' });
  } catch {
    return jsonAnswer(503, { status: 'no_database' });
  }
}
