// Puts the kernel in front of the cloud's nouns, starts it step by step and stops it in the opposite order.
import { setTimeout as pause } from 'node:timers/promises';
import type { CrawlClock, Model, ViewReader } from '@weft/engine';
import { createNouns, listen } from '@weft/serve';
import type { Log, RatePolicy } from '@weft/serve';
import { ensureFirstAccount } from './accounts/account.ts';
import type { Config } from './config.ts';
import { openDatabase } from './db/database.ts';
import { sharedSecret } from './db/idempotency.ts';
import { startOwnServer } from './db/own-server.ts';
import type { Database } from './db/queries.ts';
import { GROUPS } from './generated/groups.ts';
import type { CloudFetcher, Given, Nouns } from './group.ts';
import { createCloudKernel } from './kernel.ts';
import { createMetrics } from './observe/metrics.ts';
import { startInternalServer } from './observe/internal-server.ts';
import type { InternalAnswer } from './observe/internal-server.ts';
import { NO_TRACER, createTracer, otlpExporter } from './observe/tracer.ts';
import type { Tracer } from './observe/tracer.ts';
import { watchedFetcher } from './observe/watched-fetcher.ts';

/** What a program or a test brings from outside. */
export interface CloudOptions {
  readonly config: Omit<Config, 'privateTargets' | 'userAgent' | 'chromePath'>;
  readonly clock: CrawlClock;
  readonly log: Log;
  readonly views: ViewReader;
  /** What builds ask; none unless said. */
  readonly model?: Model | undefined;
  /** Of each caller; what D9 says unless given. */
  readonly rate?: RatePolicy;
  /** Asks hosts; told the port of the database, which it must not reach. */
  fetcher(ownPorts: readonly number[]): CloudFetcher;
}

export interface RunningCloud {
  /** Where it listens; empty for a process that only works. */
  readonly baseUrl: string;
  /** Of the server for those who watch it; undefined where there is none. */
  readonly internalPort: number | undefined;
  /** Of the first owner's key; where this start made it. */
  readonly firstKey: string | undefined;
  /** Says that it is not ready, lets short answers finish, gives work back and closes the database; within twenty seconds behind `drainSeconds`. */
  stop(): Promise<void>;
}

const GRACE_MS = 7000;
const UPKEEP_MS = 60_000;

/** Starts the cloud. Rejects with ConfigError or the system's error for what can't be used; nothing is left behind then. */
export async function startCloud(options: CloudOptions): Promise<RunningCloud> {
  const { config, log } = options;
  const undo = new AsyncDisposableStack();
  const logError = (message: string, error: unknown) => log.error({ error }, message);
  try {
    const server = config.databaseUrl === undefined ? await startOwnServer(`${config.home}/postgres`) : undefined;
    if (server) undo.defer(() => server.stop());
    const url = server?.url ?? config.databaseUrl ?? '';
    const database = await openDatabase(url, config.connections);
    undo.defer(() => database.close());
    const tracer = tracerOf(config, logError);
    undo.defer(() => tracer.close());
    const metrics = createMetrics(database);
    const own = [config.port, Number(new URL(url).port || 5432), ...(config.internal ? [config.internal.port] : [])];
    const fetcher = watchedFetcher(options.fetcher(own), metrics, tracer);
    undo.defer(() => fetcher.close());
    const secrets = await sharedSecrets(database);
    let address = '';
    const baseUrl = () => config.listening.publicUrls[0] ?? address;
    const nouns = makeNouns({
      ...options,
      model: options.model,
      fetcher,
      database,
      groups: GROUPS,
      metrics,
      tracer,
      secrets,
      baseUrl,
      logError,
    });
    const state = { isDraining: false };
    const ready = () => readiness(nouns, state);
    const internal = config.internal ? await startInternalServer(config.internal, internalPaths(nouns, ready)) : undefined;
    if (internal) undo.defer(() => internal.close());
    undo.defer(() => close(nouns));
    const firstKey =
      config.role === 'worker' ? undefined : await ensureFirstAccount({ database, keys: nouns.accountKeys, credits: nouns.credits });
    await upkeep(nouns);
    if (config.role !== 'api') for (const group of GROUPS) group.work?.(nouns);
    const { listening, port, role } = config;
    const kernel = role === 'worker' ? undefined : createCloudKernel(nouns, options, ready);
    const listener = kernel && (await listen(kernel, { ...listenOptions(listening), port }));
    address = listener?.own.origin ?? '';
    if (listener) undo.defer(() => listener.close(GRACE_MS));
    const look = () => upkeep(nouns).catch((error: unknown) => logError('what is past its time could not be put in order', error));
    const looking = setInterval(look, UPKEEP_MS).unref();
    undo.defer(() => clearInterval(looking));
    const stop = async () => {
      state.isDraining = true;
      await pause(config.drainSeconds * 1000);
      await undo.disposeAsync();
    };
    return { baseUrl: address, internalPort: internal?.port, firstKey, stop };
  } catch (error) {
    await undo.disposeAsync();
    log.error({ error }, 'cloud could not start');
    throw error;
  }
}

async function sharedSecrets(database: Database): Promise<Given['secrets']> {
  return {
    feeds: await sharedSecret(database, 'feeds'),
    idempotency: await sharedSecret(database, 'idempotency'),
    keyless: await sharedSecret(database, 'keyless'),
    pictures: await sharedSecret(database, 'pictures'),
    webhooks: await sharedSecret(database, 'webhooks'),
  };
}

function listenOptions({ address, tls, trustedProxies }: Config['listening']) {
  return { address, trustedProxies, ...(tls ? { tls } : {}) };
}

function tracerOf({ traces, role, version }: CloudOptions['config'], logError: Given['logError']): Tracer {
  if (!traces) return NO_TRACER;
  const resource = { 'service.name': 'weft-cloud', 'service.version': version, 'weft.role': role };
  return createTracer(otlpExporter(traces, resource), (spans, error) => logError(`${spans} spans of traces were lost`, error));
}

function makeNouns(given: Given): Nouns {
  return createNouns<Nouns>(
    given,
    GROUPS.map((group) => group.nouns),
  );
}

/** Once a minute for all processes together, whichever comes first. */
async function upkeep(nouns: Nouns): Promise<void> {
  const taken = await nouns.database.rows(
    `INSERT INTO upkeep (name, at) VALUES ('all', now()) ON CONFLICT (name) DO UPDATE SET at = now()
     WHERE upkeep.at < now() - $1 * interval '1 millisecond' RETURNING 1`,
    [UPKEEP_MS / 2],
  );
  if (taken.length > 0) for (const group of GROUPS) await group.upkeep?.(nouns);
}

async function close(nouns: Nouns): Promise<void> {
  await Promise.all(GROUPS.map((group) => group.drain?.(nouns)));
  await Promise.all(GROUPS.map((group) => group.close?.(nouns)));
}

/** Why no call or work should come here: undefined where there is nothing in the way. */
async function readiness(nouns: Nouns, { isDraining }: { readonly isDraining: boolean }): Promise<string | undefined> {
  if (isDraining) return 'stopping';
  if (!(await answers(nouns.database))) return 'no_database';
  const { role } = nouns.config;
  return role === 'api' ? undefined : GROUPS.map((group) => group.hindrance?.(nouns)).find((hindrance) => hindrance !== undefined);
}

async function answers({ find }: Database): Promise<boolean> {
  try {
    await find('SELECT 1');
    return true;
  } catch {
    return false;
  }
}

function internalPaths(
  { metrics }: Nouns,
  ready: () => Promise<string | undefined>,
): Readonly<Record<string, () => Promise<InternalAnswer>>> {
  const json = (status: number, text: string) => ({ status, type: 'application/json', body: JSON.stringify({ status: text }) });
  return {
    '/metrics': async () => ({ status: 200, ...(await metrics.text()) }),
    '/livez': async () => json(200, 'ok'),
    '/readyz': async () => {
      const hindrance = await ready();
      return json(hindrance === undefined ? 200 : 503, hindrance ?? 'ok');
    },
  };
}
