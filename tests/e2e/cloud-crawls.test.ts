// Crawls of the cloud over HTTP: every page paid once, whoever works on it, and nothing beyond what they may cost.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { openAccount } from '../../packages/cloud/src/accounts/account.ts';
import { createAccountKeys } from '../../packages/cloud/src/accounts/key.ts';
import { createCredits } from '../../packages/cloud/src/credits/credits.ts';
import { openDatabase } from '../../packages/cloud/src/db/database.ts';
import type { Database } from '../../packages/cloud/src/db/queries.ts';
import { startTestCloud, testDatabase } from '../cloud.ts';
import type { Answer, Credential, TestCloud, TestDatabase } from '../cloud.ts';
import { startGeneratedSite } from '../sites/generated-site.ts';
import type { GeneratedSite } from '../sites/generated-site.ts';
import { until } from '../until.ts';

const PAGES = 12;

suite('crawls of the cloud', { timeout: 600_000 }, () => {
  let site: GeneratedSite;
  /** One that is asked once a minute. */
  let slow: GeneratedSite;
  let data: TestDatabase;
  let cloud: TestCloud;
  let database: Database;
  let account: { readonly id: string; readonly token: string };

  const open = (amount: number) =>
    openAccount('one of a test', amount, { database, keys: createAccountKeys(database), credits: createCredits(database) });
  const start = (credential: Credential, more: object = {}): Promise<Answer> =>
    cloud.call('POST', '/api/crawl', credential, { url: site.start, lane: 'http', ...more });
  const read = async (credential: Credential, id: string, query = ''): Promise<Answer> =>
    await cloud.call('GET', `/api/crawl/${id}${query}`, credential);
  const settled = async (credential: Credential, id: string): Promise<Answer['body']> => {
    // A key may not ask as often as a test does.
    await until(
      async () => (await database.rows(`SELECT 1 FROM crawl WHERE id = $1 AND status IN ('queued', 'running')`, [id])).length === 0,
    );
    return (await read(credential, id)).body;
  };
  const balance = async (credential: Credential) => (await cloud.call('GET', '/api/account/credits', credential)).body;

  before(async () => {
    [site, slow] = [await startGeneratedSite(PAGES), await startGeneratedSite(PAGES)];
    data = await testDatabase();
    cloud = await startTestCloud({ database: data, privateTargets: [site, slow].map(({ start }) => new URL(start).host) });
    database = await openDatabase(data.url);
    account = await open(100);
  });
  after(async () => {
    try {
      assert.deepEqual(cloud.logged, []);
    } finally {
      await database.close();
      await cloud[Symbol.asyncDispose]();
      await data[Symbol.asyncDispose]();
      await Promise.all([site.close(), slow.close()]);
    }
  });

  test('keeps every page of a site, reads them slice by slice, and charges one credit for each', async () => {
    const started = await start(account);
    assert.equal(started.status, 202);
    assert.match(started.body.id, /^crl_/);
    const crawl = await settled(account, started.body.id);
    assert.equal(crawl.status, 'succeeded', JSON.stringify(crawl));
    const pages: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const slice: Answer = await read(account, crawl.id, `?limit=5${cursor && `&cursor=${cursor}`}`);
      assert.ok(slice.body.data.length <= 5);
      pages.push(...slice.body.data.map(({ url }: { url: string }) => new URL(url).pathname));
      cursor = slice.body.next_cursor;
    }
    assert.deepEqual(pages.toSorted(), site.paths.toSorted());
    assert.deepEqual(crawl.credits, { charged: site.paths.length, budget: 100 });
    assert.deepEqual(crawl.clamped, { limit: 100, by: 'balance' });
    assert.deepEqual(await balance(account), { available: 100 - pages.length, held: 0, spent: pages.length, granted: 100 });
    const charges = await database.rows(`SELECT about FROM ledger WHERE kind = 'settle' AND operation = 'crawls.start'`);
    assert.equal(charges.length, pages.length);
  });

  test('ends with what it may cost, and says so', async () => {
    const { token } = await open(5);
    const { body } = await start({ token }, { max_credits: 3 });
    const crawl = await settled({ token }, body.id);
    assert.deepEqual(
      [crawl.status, crawl.clamped, crawl.credits],
      ['succeeded', { limit: 3, by: 'max_credits' }, { charged: 3, budget: 3 }],
    );
    assert.equal(crawl.data.length, 3);
    const next = await settled({ token }, (await start({ token })).body.id);
    assert.deepEqual([next.clamped, next.data.length], [{ limit: 2, by: 'balance' }, 2]);
    const refused = await start({ token });
    assert.deepEqual([refused.status, refused.body.code, refused.body.balance], [402, 'insufficient_credits', 0]);
  });

  test('a page of a crawl of one is kept out by robots.txt, and costs nothing', async () => {
    const { token } = await open(5);
    const url = new URL('/site/private/', site.start).href;
    const crawl = await settled({ token }, (await start({ token }, { url, limit: 1 })).body.id);
    assert.deepEqual([crawl.status, crawl.failure.code, crawl.credits.charged], ['failed', 'robots', 0]);
    assert.equal((await balance({ token })).available, 5);
  });

  test('cancels a crawl, gives back what it held, and refuses to do so twice', async () => {
    const { token } = await open(50);
    const { body } = await start({ token }, { url: slow.start, delay_ms: 60_000 });
    await until(async () => (await database.rows('SELECT 1 FROM crawl WHERE id = $1 AND pending > 0', [body.id])).length > 0);
    const cancelled = await cloud.call('POST', `/api/account/jobs/${body.id}/cancel`, { token });
    assert.deepEqual([cancelled.status, cancelled.body.status, cancelled.body.counts.pending], [200, 'cancelled', 0]);
    const { charged } = cancelled.body.credits;
    assert.deepEqual(await balance({ token }), { available: 50 - charged, held: 0, spent: charged, granted: 50 });
    const again = await cloud.call('POST', `/api/account/jobs/${body.id}/cancel`, { token });
    assert.deepEqual([again.status, again.body.status], [409, 'cancelled']);
  });

  test('lists the jobs of an account, and deletes one with its pages; another account sees neither', async () => {
    const [{ token }, stranger] = [await open(50), await open(50)];
    const { id } = await settled({ token }, (await start({ token }, { limit: 2 })).body.id);
    const { number } = (await database.find<{ number: number }>('SELECT number FROM crawl WHERE id = $1', [id])) ?? { number: 0 };
    assert.deepEqual(
      (await cloud.call('GET', '/api/account/jobs', { token })).body.data.map((job: { id: string }) => job.id),
      [id],
    );
    assert.equal((await cloud.call('GET', '/api/account/jobs', stranger)).body.count, 0);
    assert.equal((await read(stranger, id)).status, 404);
    assert.equal((await cloud.call('POST', `/api/account/jobs/${id}/cancel`, stranger)).status, 404);
    assert.equal((await cloud.call('DELETE', `/api/account/jobs/${id}`, stranger)).status, 404);
    assert.equal((await cloud.call('DELETE', `/api/account/jobs/${id}`, { token })).status, 204);
    assert.equal((await read({ token }, id)).status, 404);
    for (const table of ['crawl_url', 'crawl_page'])
      assert.deepEqual(await database.rows(`SELECT 1 FROM ${table} WHERE crawl = $1`, [number]), [], table);
  });

  test('one Idempotency-Key is one crawl', async () => {
    const { token } = await open(50);
    const body = { url: site.start, lane: 'http', limit: 2 };
    const key = { 'idempotency-key': 'once' };
    const answers = await Promise.all(Array.from({ length: 5 }, () => cloud.call('POST', '/api/crawl', { token }, body, key)));
    assert.equal(new Set(answers.map((answer) => answer.body.id)).size, 1);
    await settled({ token }, answers[0]?.body.id);
    assert.equal((await balance({ token })).spent, 2);
  });

  test('goes on with a crawl whose worker is gone, and ends one that ended three of them with something left to do', async () => {
    const { token } = await open(50);
    const gone = async (losses: number, left = 0) => {
      const { id } = await settled({ token }, (await start({ token }, { limit: 1 })).body.id);
      // What a killed process leaves behind: a claim that nobody keeps alive.
      await database.transaction(async () => {
        await database.rows(
          `WITH line AS (
             UPDATE crawl_url SET state = 'pending', reason = NULL, rule = NULL WHERE (crawl, id) IN
               (SELECT crawl, url.id FROM crawl_url url JOIN crawl ON number = crawl WHERE crawl.id = $1 AND state = 'skipped' LIMIT $2) RETURNING 1)
           UPDATE crawl SET status = 'running', finished_at = NULL, pending = $2, skipped = skipped - $2 WHERE id = $1 AND (SELECT count(*) FROM line) = $2`,
          [id, left],
        );
        await database.rows(
          `INSERT INTO crawl_job (crawl_id, account_id, claim, alive_until, losses, settled_at_claim)
           SELECT id, account_id, 'gone', now() - interval '1 second', $2, discovered - pending FROM crawl WHERE id = $1`,
          [id, losses],
        );
      });
      return await settled({ token }, id);
    };
    assert.equal((await gone(0)).status, 'succeeded');
    assert.equal((await gone(2)).status, 'succeeded', 'no page of it can have ended them');
    const ended = await gone(2, 1);
    assert.deepEqual([ended.status, ended.failure.code], ['failed', 'internal']);
    assert.match(ended.failure.message, /ended 3 workers/);
  });
});
