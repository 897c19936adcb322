// The pool of connections, and the one way to do several things at once or none of them.
import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import type { PoolClient, QueryResultRow } from 'pg';
import { migrate } from './migrate.ts';
import type { Database } from './queries.ts';

const CONNECTIONS_MAX = 10;
const CONNECT_MS = 10_000;
/** A statement of ours that takes longer has lost its way; the transaction ends with it. */
const STATEMENT_MS = 30_000;

// Counts and sums of credits: far below what a double holds exactly.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Connects and brings the schema up to date. Throws the server's error where it can't be reached. */
export async function openDatabase(url: string): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS,
  });
  // A connection that breaks while nobody uses it is replaced.
  pool.on('error', () => undefined);
  const current = new AsyncLocalStorage<PoolClient>();
  const rows = async <Row extends QueryResultRow>(text: string, values: readonly unknown[] = []) =>
    (await (current.getStore() ?? pool).query<Row>(text, [...values])).rows;
  const database: Database = {
    rows,
    find: async <Row extends QueryResultRow>(text: string, values?: readonly unknown[]) => (await rows<Row>(text, values))[0],
    transaction: (work) => (current.getStore() ? work() : inTransaction(pool, (client) => current.run(client, work))),
    apart: (work) => inTransaction(pool, (client) => current.run(client, work)),
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

async function inTransaction<T>(pool: pg.Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((lost: Error) => (broken = lost));
    throw error;
  } finally {
    client.release(broken);
  }
}
