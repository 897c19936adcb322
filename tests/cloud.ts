// A real cloud in this process for tests: one PostgreSQL for all of them, a database for each.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createAddressGate, systemClock } from '@weft/engine/io';
import type { Fetcher } from '@weft/engine';
import type { RatePolicy } from '@weft/serve';
import { openAccount } from '../packages/cloud/src/accounts/account.ts';
import { createAccountKeys } from '../packages/cloud/src/accounts/key.ts';
import { createCredits } from '../packages/cloud/src/credits/credits.ts';
import { openDatabase } from '../packages/cloud/src/db/database.ts';
import type { Database } from '../packages/cloud/src/db/queries.ts';
import { createHttpFetcher } from '../packages/engine/src/io/http/fetcher.ts';
import { readConfig } from '../packages/cloud/src/config.ts';
import { startOwnServer } from '../packages/cloud/src/db/own-server.ts';
import type { OwnServer } from '../packages/cloud/src/db/own-server.ts';
import { startCloud } from '../packages/cloud/src/start.ts';
import type { RunningCloud } from '../packages/cloud/src/start.ts';
import { testViews } from './views.ts';

/** A database of a server that all tests of this process share. */
export interface TestDatabase {
  readonly url: string;
  readonly port: number;
  [Symbol.asyncDispose](): Promise<void>;
}

let shared: { readonly server: Promise<OwnServer>; readonly folder: string; users: number } | undefined;
let made = 0;

/** A new database. The server starts with the first one and stops with the last. */
export async function testDatabase(): Promise<TestDatabase> {
  if (!shared) {
    const folder = mkdtempSync(join(tmpdir(), 'weft-pg-'));
    shared = { server: startOwnServer(folder), folder, users: 0 };
  }
  const mine = shared;
  mine.users += 1;
  const server = await mine.server;
  const name = `test_${(made += 1)}`;
  await administer(server.url, `CREATE DATABASE ${name}`);
  // What it would survive is told by campaigns; nothing here cuts the power.
  await administer(server.url, `ALTER DATABASE ${name} SET synchronous_commit = off`);
  return {
    url: server.url.replace(/[^/]*$/, name),
    port: server.port,
    async [Symbol.asyncDispose]() {
      await administer(server.url, `DROP DATABASE ${name} WITH (FORCE)`);
      if ((mine.users -= 1) > 0) return;
      if (shared === mine) shared = undefined;
      await server.stop();
      rmSync(mine.folder, { recursive: true });
    },
  };
}

/** Statements about databases, which no transaction takes. */
async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

export interface TestCloud extends RunningCloud {
  /** Calls it as whoever `credential` says: a token, a device id, or nobody. */
  call(method: string, path: string, credential?: Credential, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** The first owner. */
  readonly owner: Credential;
  readonly database: TestDatabase;
  /** What went wrong, as its log says. */
  readonly logged: readonly unknown[];
  [Symbol.asyncDispose](): Promise<void>;
}

export type Credential = { readonly token: string } | { readonly device: string };

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // The shape is what the test asserts.
  // oxlint-disable-next-line no-explicit-any
  readonly body: any;
}

export interface TestCloudOptions {
  readonly isKeyless?: boolean;
  /** Of its command line. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Sites of the test, which the operator lets be reached. */
  readonly privateTargets?: readonly string[];
  readonly fetcher?: Fetcher;
  /** Where limits of rate would hide answers. */
  readonly rate?: RatePolicy;
  /** Of an earlier cloud, for a second process on it. */
  readonly database?: TestDatabase;
}

/** Starts a cloud on a free port; disposing it stops it, and the database that it made. */
export async function startTestCloud(options: TestCloudOptions = {}): Promise<TestCloud> {
  const database = options.database ?? (await testDatabase());
  const logged: unknown[] = [];
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: (fields: unknown) => void logged.push(fields),
    close: async () => undefined,
  };
  const cloud = await startCloud({
    config: {
      ...readConfig(['--port', '0', '--blobs', 'database', ...(options.args ?? [])], options.env ?? {}),
      home: tmpdir(),
      databaseUrl: database.url,
      isKeyless: options.isKeyless ?? true,
    },
    clock: systemClock,
    ...(options.rate ? { rate: options.rate } : {}),
    log,
    views: testViews,
    fetcher: (ownPorts) =>
      options.fetcher ??
      createHttpFetcher({ gate: createAddressGate({ mode: 'public', privateTargets: options.privateTargets ?? [], ownPorts }) }),
  });
  return {
    ...cloud,
    database,
    logged,
    owner: { token: cloud.firstKey ?? '' },
    async call(method, path, credential, body, headers = {}) {
      const response = await fetch(cloud.baseUrl + path, {
        method,
        headers: { ...shown(credential), ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
      return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
    },
    async [Symbol.asyncDispose]() {
      await cloud.stop();
      if (!options.database) await database[Symbol.asyncDispose]();
    },
  };
}

function shown(credential: Credential | undefined): Record<string, string> {
  if (!credential) return {};
  return 'token' in credential ? { authorization: `Bearer ${credential.token}` } : { 'x-service-client-id': credential.device };
}

/** An account of a test, as its owner shows it. */
export interface TestAccount {
  readonly id: string;
  readonly token: string;
}

/** A new account with so many credits. */
export async function openTestAccount({ database: { url } }: Pick<TestCloud, 'database'>, credits: number): Promise<TestAccount> {
  return await withDatabase(url, async (database) => {
    const ports = { database, keys: createAccountKeys(database), credits: createCredits(database) };
    return await openAccount('one of a test', credits, ports);
  });
}

/** Throws where the balances are not what the movements add up to. */
export async function booksAgree({ url }: Pick<TestDatabase, 'url'>): Promise<void> {
  const sum = (book: string) =>
    `coalesce(sum(amount) FILTER (WHERE to_book = '${book}'), 0) - coalesce(sum(amount) FILTER (WHERE from_book = '${book}'), 0)`;
  const wrong = await withDatabase(url, ({ rows }) =>
    rows(
      `SELECT b.account_id FROM balance b LEFT JOIN (
         SELECT account_id, ${sum('available')} AS available, ${sum('held')} AS held, ${sum('spent')} AS spent FROM ledger GROUP BY account_id
       ) l USING (account_id)
       WHERE (b.available, b.held, b.spent) IS DISTINCT FROM (coalesce(l.available, 0), coalesce(l.held, 0), coalesce(l.spent, 0))
       UNION SELECT account_id FROM balance b WHERE held <> (SELECT coalesce(sum(amount), 0) FROM hold h WHERE h.account_id = b.account_id)`,
    ),
  );
  assert.deepEqual(wrong, []);
}

async function withDatabase<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(url);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
