// The pool of connections, and the one way to do several things at once or none of them.
import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import type { PoolClient, QueryResultRow } from 'pg';
import { APP_ROLE } from './fence.ts';
import { migrate } from './migrate.ts';
import { createPrepared, isDirect } from './prepared.ts';
import type { Database } from './queries.ts';
import { plain } from './sets.ts';

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
  const prepared = createPrepared();
  let keepsPlans = false;
  const rows = async <Row extends QueryResultRow>(text: string, values: readonly unknown[] = []) => {
    const { client, ...scope } = current.getStore() ?? {};
    const taken = values.map(plain);
    const query = keepsPlans ? prepared.of(text, taken) : { text, values: taken };
    const ask = async (queries: Pick<pg.Pool, 'query'>) => (await queries.query<Row>(query)).rows;
    if (client) return await ask(client);
    return await (scope.viewer === undefined ? ask(pool) : inTransaction(pool, beginning(scope), ask));
  };
  /** `work` on a connection of its own, seen by whoever sees the rest. */
  const within = <T>(scope: Scope, work: () => Promise<T>) =>
    inTransaction(pool, beginning(scope), (client) => current.run({ ...scope, client }, work));
  const database: Database = {
    rows,
    find: async <Row extends QueryResultRow>(text: string, values?: readonly unknown[]) => (await rows<Row>(text, values))[0],
    transaction(work) {
      const scope = current.getStore() ?? {};
      return scope.client ? work() : within(scope, work);
    },
    as(accountId, work, { byIndexAlone = false } = {}) {
      const scope = current.getStore();
      const viewer = accountId ?? NOBODY;
      if (scope?.client && scope.viewer !== viewer)
        throw new Error('A transaction that is under way can not become that of another account.');
      return current.run({ ...scope, viewer, plansOnce: byIndexAlone && keepsPlans }, work);
    },
    asProgram(work) {
      if (current.getStore()?.client) throw new Error('A transaction that is under way can not become that of the program.');
      return current.run({}, work);
    },
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    apart: (work) => within(current.getStore() ?? {}, work),
    close: () => pool.end(),
  };
  try {
    await migrate(database);
    keepsPlans = await knowsConnections(pool);
    return database;
  } catch (error) {
    await pool.end();
    throw error;
  }
}

async function knowsConnections(pool: pg.Pool): Promise<boolean> {
  const client = await pool.connect();
  try {
    return await isDirect(client);
  } finally {
    client.release();
  }
}

/** Whose rows are seen, all where that is undefined, and the transaction that is under way. */
interface Scope {
  readonly viewer?: string | undefined;
  /** Whether what is prepared here is planned once, for whatever values. */
  readonly plansOnce?: boolean;
  readonly client?: PoolClient | undefined;
}

const NOBODY = '';
const ACCOUNT_ID = /^(?:acct_[A-Za-z0-9_-]{1,64})?$/;

/** How a transaction begins; its settings end with it, so a connection may serve anybody next (PgBouncer, transaction mode). */
function beginning({ viewer, plansOnce = false }: Scope): string {
  const begin = ['BEGIN', `SET LOCAL idle_in_transaction_session_timeout = ${SILENT_MS}`];
  // A plan that is kept must not be one that reads a table which was small when it was made.
  if (plansOnce) begin.push('SET LOCAL plan_cache_mode = force_generic_plan', 'SET LOCAL enable_seqscan = off');
  if (viewer !== undefined) {
    if (!ACCOUNT_ID.test(viewer)) throw new Error('What should be the id of an account is none.');
    begin.push(`SET LOCAL ROLE ${APP_ROLE}`, `SET LOCAL weft.account = '${viewer}'`);
  }
  return begin.join('; ');
}

async function inTransaction<T>(pool: pg.Pool, begin: string, work: (client: PoolClient) => Promise<T>): Promise<T> {
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
