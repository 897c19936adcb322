// What a transaction does when its connection breaks, or its process says nothing more.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openDatabase } from '../../packages/cloud/src/db/database.ts';
import type { Database } from '../../packages/cloud/src/db/queries.ts';
import { until } from '../until.ts';
import { testDatabase } from '../cloud.ts';
import type { TestDatabase } from '../cloud.ts';

describe('transactions of the cloud', () => {
  let server: TestDatabase;
  let database: Database;
  before(async () => {
    server = await testDatabase();
    database = await openDatabase(server.url);
  });
  after(async () => {
    await database.close();
    await server[Symbol.asyncDispose]();
  });

  it('fails a transaction whose connection breaks between two statements, and the process goes on', async () => {
    const uncaught: Error[] = [];
    const onUncaught = (error: Error) => void uncaught.push(error);
    process.on('uncaughtExceptionMonitor', onUncaught);
    const broken = database.transaction(async () => {
      const own = await database.find<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await database.apart(() => database.rows('SELECT pg_terminate_backend($1)', [own?.pid]));
      await until(async () => {
        const left = await database.apart(() => database.rows('SELECT 1 FROM pg_stat_activity WHERE pid = $1', [own?.pid]));
        return left.length === 0;
      });
      await new Promise((resolve) => setImmediate(resolve));
      await database.rows('SELECT 1');
    });
    await assert.rejects(broken);
    process.off('uncaughtExceptionMonitor', onUncaught);
    assert.deepEqual(uncaught, []);
    assert.deepEqual(await database.transaction(() => database.rows('SELECT 1 AS one')), [{ one: 1 }]);
  });

  it('lets the server end a transaction in which nothing is asked, sooner than its process is taken for dead', async () => {
    const ms = `SELECT setting::int AS ms FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout'`;
    for (const account of [undefined, 'acct_one']) {
      const ask = () => database.transaction(() => database.find<{ ms: number }>(ms));
      const set = await (account === undefined ? ask() : database.as(account, ask));
      assert.ok(set && set.ms > 0 && set.ms < 8000, `${account}: ${set?.ms} ms`);
    }
    assert.equal((await database.find<{ ms: number }>(ms))?.ms, 0, 'what a transaction set is left to whoever has the connection next');
  });
});
