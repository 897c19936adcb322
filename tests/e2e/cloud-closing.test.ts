// A large account is deleted in pieces: nobody gets in from the first moment on, and whoever is killed in the middle is gone on for.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { openDatabase } from '../../packages/cloud/src/db/database.ts';
import type { Database } from '../../packages/cloud/src/db/queries.ts';
import { openTestAccount, startTestCloud } from '../cloud.ts';
import type { TestAccount, TestCloud } from '../cloud.ts';
import { fillAccount, largeCrawlOf, tablesThatKnow } from '../large-account.ts';
import { until } from '../until.ts';

const MAIN = resolve(import.meta.dirname, '../../packages/cloud/src/main.ts');
/** More than two pieces of each table. */
const PAGES = 2500;

suite('a large account that is deleted', { timeout: 300_000 }, () => {
  let cloud: TestCloud;
  let database: Database;
  before(async () => {
    cloud = await startTestCloud();
    database = await openDatabase(cloud.database.url);
  });
  after(async () => {
    await database.close();
    await cloud[Symbol.asyncDispose]();
    assert.deepEqual(cloud.logged, []);
  });

  const pagesOf = async ({ id }: TestAccount) =>
    (await database.find<{ n: number }>('SELECT count(*) AS n FROM crawl_page WHERE account_id = $1', [id]))?.n;
  const large = async () => {
    const account = await openTestAccount(cloud, 10);
    await fillAccount(database, account.id, PAGES);
    return account;
  };
  /** Whoever deletes can't come to the end meanwhile. */
  const holdingCrawl = <T>({ id }: TestAccount, work: () => Promise<T>) =>
    database.transaction(async () => {
      await database.rows('SELECT 1 FROM crawl WHERE account_id = $1 FOR UPDATE', [id]);
      return await work();
    });

  test('lets nobody in while its rows go, and keeps none of them', async () => {
    const account = await large();
    const { body: minted } = await cloud.call('POST', '/api/account/keys', account, { name: 'another' });
    const beside = await openTestAccount(cloud, 10);
    await fillAccount(database, beside.id, 30);
    const link = await linkOf(account);
    assert.equal((await cloud.call('GET', link)).status, 200);
    const { answer } = await holdingCrawl(account, async () => {
      const deleting = cloud.call('DELETE', `/api/account?confirm=${account.id}`, account);
      await until(
        async () => (await database.find('SELECT 1 FROM account WHERE id = $1 AND closed_at IS NOT NULL', [account.id])) !== undefined,
      );
      for (const token of [account.token, minted.token]) assert.equal((await cloud.call('GET', '/api/account', { token })).status, 401);
      assert.equal((await cloud.call('GET', link)).status, 404);
      await until(async () => (await pagesOf(account)) === 0);
      return { answer: deleting };
    });
    assert.equal((await answer).status, 204);
    assert.deepEqual(await tablesThatKnow(database, account.id), []);
    assert.deepEqual([await pagesOf(beside), (await cloud.call('GET', '/api/account', beside)).status], [30, 200]);
  });

  test('whose deletion is killed in the middle is deleted by the next that looks', async () => {
    const account = await large();
    await holdingCrawl(account, async () => {
      const env = { ...process.env, DATABASE_URL: cloud.database.url, SERVICE_HOME: tmpdir() };
      const program = spawn(process.execPath, [MAIN, 'accounts', 'delete', account.id], { env, stdio: 'ignore' });
      await until(async () => (await pagesOf(account)) === 0);
      program.kill('SIGKILL');
      await once(program, 'exit');
      assert.equal((await cloud.call('GET', '/api/account', account)).status, 401);
    });
    const half = await tablesThatKnow(database, account.id);
    assert.ok(half.includes('crawl') && half.includes('account'), half.join());
    // One process a minute puts things in order.
    await database.rows('DELETE FROM upkeep');
    await using another = await startTestCloud({ database: cloud.database });
    await until(async () => (await tablesThatKnow(database, account.id)).length === 0);
    assert.deepEqual(another.logged, []);
  });

  /** A link to one of its pictures, as a crawl that is read shows it. */
  async function linkOf(account: TestAccount): Promise<string> {
    await database.rows(
      `UPDATE crawl_page SET record = (record::jsonb || jsonb_build_object('screenshot', (SELECT id FROM picture WHERE account_id = $1 LIMIT 1)))::json
       WHERE account_id = $1 AND url_id = 1`,
      [account.id],
    );
    const { body } = await cloud.call('GET', `/api/crawl/${largeCrawlOf(account.id)}?limit=1`, account);
    return new URL(body.data[0].screenshot).pathname + new URL(body.data[0].screenshot).search;
  }
});
