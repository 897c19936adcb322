// The pool of connections, and the one way to do several things at once or none of them.
import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import type { PoolClient, QueryResultRow } from 'pg';
import { APP_ROLE } from './fence.ts';
import { migrate } from './migrate.ts';
import type { Database } from './queries.ts';

const CONNECTIONS_MAX = 10;
const CONNECT_MS = 10_000;
/** A statement of ours that takes longer has lost its way; the transaction ends with it. */
const STATEMENT_MS = 30_000;
/** A process that was stopped or cut off within a transaction holds its rows no longer than this: less than it takes to be taken for dead. */
const SILENT_MS = 5000;

// Counts and sums of credits: far below what a double holds exactly.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Connects and brings the schema up to date. Throws the server's error where it can't be reached. */
export async function openDatabase(url: string, connectionsMax = CONNECTIONS_MAX): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS,
  });
  // A connection that breaks while nobody uses it is replaced.
  pool.on('error', () => undefined);
  const current = new AsyncLocalStorage<Scope>();
  const rows = async <Row extends QueryResultRow>(text: string, values: readonly unknown[] = []) => {
    const { client, viewer } = current.getStore() ?? {};
    const ask = async (queries: Pick<pg.Pool, 'query'>) => (await queries.query<Row>(text, [...values])).rows;
    if (client) return await ask(client);
    return await (viewer === undefined ? ask(pool) : inTransaction(pool, viewer, ask));
  };
  const database: Database = {
    rows,
    find: async <Row extends QueryResultRow>(text: string, values?: readonly unknown[]) => (await rows<Row>(text, values))[0],
    transaction(work) {
      const { client, viewer } = current.getStore() ?? {};
      return client ? work() : inTransaction(pool, viewer, (opened) => current.run({ viewer, client: opened }, work));
    },
    as(accountId, work) {
      const scope = current.getStore();
      const viewer = accountId ?? NOBODY;
      if (scope?.client && scope.viewer !== viewer)
        throw new Error('A transaction that is under way can not become that of another account.');
      return current.run({ ...scope, viewer }, work);
    },
    asProgram(work) {
      if (current.getStore()?.client) throw new Error('A transaction that is under way can not become that of the program.');
      return current.run({}, work);
    },
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    apart(work) {
      const { viewer } = current.getStore() ?? {};
      return inTransaction(pool, viewer, (client) => current.run({ viewer, client }, work));
    },
    close: () => pool.end(),
  };
  try {
    await migrate(database);
    return database;
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** Whose rows are seen, all where that is undefined, and the transaction that is under way. */
interface Scope {
  readonly viewer?: string | undefined;
  readonly client?: PoolClient | undefined;
}

const NOBODY = '';
const ACCOUNT_ID = /^(?:acct_[A-Za-z0-9_-]{1,64})?$/;

/** How a transaction begins; its settings end with it, so a connection may serve anybody next (PgBouncer, transaction mode). */
function beginning(viewer: string | undefined): string {
  const begin = `BEGIN; SET LOCAL idle_in_transaction_session_timeout = ${SILENT_MS}`;
  if (viewer === undefined) return begin;
  if (!ACCOUNT_ID.test(viewer)) throw new Error('What should be the id of an account is none.');
  return `${begin}; SET LOCAL ROLE ${APP_ROLE}; SET LOCAL weft.account = '${viewer}'`;
}

async function inTransaction<T>(pool: pg.Pool, viewer: string | undefined, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const begin = beginning(viewer);
  const client = await pool.connect();
  let broken: Error | undefined;
  // A connection that breaks between two statements says so here; the next statement fails with it.
  const onBreak = (error: Error) => (broken = error);
  client.on('error', onBreak);
  try {
    await client.query(begin);
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(onBreak);
    throw error;
  } finally {
    client.off('error', onBreak);
    client.release(broken);
  }
}
