// Puts the kernel in front of the cloud's nouns, starts it step by step and stops it in the opposite order.
import { performance } from 'node:perf_hooks';
import { ABOUT_CLOUD_GROUPS, ACCOUNT_TABLE, CLOUD_TABLE } from '@weft/contract';
import type { CrawlClock, Fetcher, Model, ViewReader } from '@weft/engine';
import { createKernel, createNouns, createRequestLog, createStreamRegistry, documentRoute, jsonAnswer, listen } from '@weft/serve';
import type { Kernel, Log } from '@weft/serve';
import { ensureFirstAccount } from './accounts/account.ts';
import { cloudPolicy } from './auth/policy.ts';
import type { Config } from './config.ts';
import { openDatabase } from './db/database.ts';
import { createIdempotencyStore, sharedSecret } from './db/idempotency.ts';
import { startOwnServer } from './db/own-server.ts';
import type { Database } from './db/queries.ts';
import { GROUPS } from './generated/groups.ts';
import { handlersOf } from './group.ts';
import type { Given, Nouns } from './group.ts';

/** What a program or a test brings from outside. */
export interface CloudOptions {
  readonly config: Pick<Config, 'home' | 'port' | 'databaseUrl' | 'isKeyless' | 'version'>;
  readonly clock: CrawlClock;
  readonly log: Log;
  readonly views: ViewReader;
  /** What builds ask; absent where the operator names none. */
  readonly model?: Model | undefined;
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
    const secrets = { idempotency: await sharedSecret(database, 'idempotency'), keyless: await sharedSecret(database, 'keyless') };
    const logError = (message: string, error: unknown) => log.error({ error }, message);
    const nouns = makeNouns({ ...options, fetcher, database, secrets, logError });
    undo.defer(() => close(nouns));
    const firstKey = await ensureFirstAccount({ database, keys: nouns.accountKeys, credits: nouns.credits });
    await upkeep(nouns);
    let address = '';
    const kernel = createCloudKernel(nouns, log, () => address);
    for (const group of GROUPS) group.work?.(nouns);
    const listener = await listen(kernel, { port: config.port });
    address = listener.own.origin;
    undo.defer(() => listener.close(GRACE_MS));
    const look = () => upkeep(nouns).catch((error: unknown) => logError('what is past its time could not be put in order', error));
    const looking = setInterval(look, UPKEEP_MS).unref();
    undo.defer(() => clearInterval(looking));
    return { baseUrl: address, firstKey, stop: () => undo.disposeAsync() };
  } catch (error) {
    await undo.disposeAsync();
    log.error({ error }, 'cloud could not start');
    throw error;
  }
}

function makeNouns(given: Given): Nouns {
  return createNouns<Nouns>(
    given,
    GROUPS.map((group) => group.nouns),
  );
}

async function upkeep(nouns: Nouns): Promise<void> {
  for (const group of GROUPS) await group.upkeep?.(nouns);
}

async function close(nouns: Nouns): Promise<void> {
  await Promise.all(GROUPS.map((group) => group.drain?.(nouns)));
  await Promise.all(GROUPS.map((group) => group.close?.(nouns)));
}

function createCloudKernel(nouns: Nouns, log: Log, address: () => string): Kernel {
  const { config, database, secrets, accountKeys } = nouns;
  const { keyless, ...metered } = CLOUD_TABLE;
  const table = config.isKeyless ? { ...metered, keyless } : metered;
  const document = { version: config.version, address, groups: ABOUT_CLOUD_GROUPS };
  const monotonicMs = () => performance.now();
  return createKernel({
    policy: cloudPolicy(accountKeys),
    surfaces: [
      { table, handlers: handlersOf(nouns, GROUPS, 'specified') },
      { table: ACCOUNT_TABLE, handlers: handlersOf(nouns, GROUPS, 'account') },
    ],
    open: {
      '/livez': { methods: ['GET'], answer: () => jsonAnswer(200, { status: 'ok' }) },
      '/readyz': { methods: ['GET'], answer: () => readiness(database) },
      '/openapi.json': documentRoute(table, {
        ...document,
        title: 'Weft cloud',
        description: 'The operations of the interface specification that this cloud serves.',
      }),
      '/openapi-extra.json': documentRoute(ACCOUNT_TABLE, {
        ...document,
        title: 'Weft cloud: accounts',
        description: 'Operations under /api/account/.',
      }),
    },
    idempotency: createIdempotencyStore(database, secrets.idempotency),
    streams: createStreamRegistry(),
    now: monotonicMs,
    log: createRequestLog(log, monotonicMs),
  });
}

async function readiness({ find }: Database) {
  try {
    await find('SELECT 1');
    return jsonAnswer(200, { status: 'ok' });
  } catch {
    return jsonAnswer(503, { status: 'no_database' });
  }
}
