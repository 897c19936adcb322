// Crawls of the cloud share its workers: in turns, account by account, and one crawl of many hosts by parts.
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
import { startManyHosts } from '../sites/many-hosts.ts';
import type { ManyHosts } from '../sites/many-hosts.ts';
import { until } from '../until.ts';

const HOSTS = 75;

suite('crawls that share the workers of the cloud', { timeout: 600_000 }, () => {
  let wide: ManyHosts;
  let sites: readonly GeneratedSite[];
  let data: TestDatabase;
  let database: Database;
  let clouds: readonly TestCloud[];

  const open = (amount: number) =>
    openAccount('one of a test', amount, { database, keys: createAccountKeys(database), credits: createCredits(database) });
  const start = async (credential: Credential, body: object): Promise<string> => {
    const answer = await clouds[0]?.call('POST', '/api/crawl', credential, { lane: 'http', sitemap: 'skip', ...body });
    assert.equal(answer?.status, 202, JSON.stringify(answer?.body));
    return answer?.body.id as string;
  };
  const settled = async (credential: Credential, id: string): Promise<Answer['body']> => {
    await until(async () => (await database.rows(`SELECT 1 FROM crawl WHERE id = $1 AND finished_at IS NULL`, [id])).length === 0);
    return (await clouds[0]?.call('GET', `/api/crawl/${id}?limit=1`, credential))?.body;
  };
  const readAll = async (credential: Credential, id: string): Promise<readonly string[]> => {
    const pages: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const slice: Answer | undefined = await clouds[0]?.call(
        'GET',
        `/api/crawl/${id}?limit=50${cursor && `&cursor=${cursor}`}`,
        credential,
      );
      pages.push(...slice?.body.data.map(({ url }: { url: string }) => url));
      cursor = slice?.body.next_cursor;
    }
    return pages;
  };

  before(async () => {
    wide = await startManyHosts({ hosts: HOSTS, pagesEach: 2 });
    sites = await Promise.all([1, 2, 3].map(() => startGeneratedSite(12)));
    data = await testDatabase();
    const privateTargets = [...wide.targets, ...sites.map((site) => new URL(site.start).host)];
    const args = ['--crawls-at-once', '2', '--turn-seconds', '0.3', '--crawls-per-account', '3'];
    clouds = [
      await startTestCloud({ database: data, privateTargets, args }),
      await startTestCloud({ database: data, privateTargets, args }),
    ];
    database = await openDatabase(data.url);
  });
  after(async () => {
    for (const cloud of clouds) await cloud[Symbol.asyncDispose]();
    await database.close();
    await data[Symbol.asyncDispose]();
    await Promise.all(sites.map((site) => site.close()));
    await wide[Symbol.asyncDispose]();
    for (const { logged } of clouds) assert.deepEqual(logged, []);
  });

  test('a crawl of many hosts is divided, and every page is asked for, kept and paid once', async () => {
    const account = await open(1000);
    const id = await start(account, { url: wide.start, allow_external_links: true, max_depth: 1000 });
    const crawl = await settled(account, id);
    assert.deepEqual(
      [crawl.status, crawl.counts.pending, crawl.credits.charged],
      ['succeeded', 0, wide.pages.length],
      JSON.stringify(crawl),
    );
    const [row] = await database.rows<{ parts: number; number: number }>('SELECT parts, number FROM crawl WHERE id = $1', [id]);
    assert.equal(row?.parts, 16);
    assert.deepEqual((await readAll(account, id)).toSorted(), wide.pages.toSorted());
    assert.deepEqual(wide.requests.toSorted(), wide.pages.toSorted());
    for (const table of ['crawl_job', 'crawl_offer']) assert.deepEqual(await database.rows(`SELECT 1 FROM ${table}`), [], table);
    const jobs = (await clouds[0]?.call('GET', '/api/account/jobs', account))?.body;
    assert.deepEqual(
      jobs.data.map((job: { id: string }) => job.id),
      [id],
    );
  });

  test('the limit of a divided crawl is exact to the page, and what it did not spend comes back', async () => {
    const account = await open(1000);
    const id = await start(account, { url: wide.start, allow_external_links: true, max_depth: 1000, limit: 101 });
    const crawl = await settled(account, id);
    assert.deepEqual([crawl.status, crawl.counts.fetched, crawl.counts.pending], ['succeeded', 101, 0], JSON.stringify(crawl));
    assert.equal(new Set(await readAll(account, id)).size, 101);
    const books = await clouds[0]?.call('GET', '/api/account/credits', account);
    assert.deepEqual(books?.body, { available: 899, held: 0, spent: 101, granted: 1000 });
    const [row] = await database.rows<{ parts: number }>('SELECT parts FROM crawl WHERE id = $1', [id]);
    assert.equal(row?.parts, 16);
  });

  test('a divided crawl is cancelled and deleted with all its parts', async () => {
    const account = await open(1000);
    const id = await start(account, { url: wide.start, allow_external_links: true, max_depth: 1000 });
    await until(async () => (await database.rows('SELECT 1 FROM crawl WHERE id = $1 AND parts > 0', [id])).length > 0);
    const cancelled = await clouds[1]?.call('POST', `/api/account/jobs/${id}/cancel`, account);
    assert.deepEqual([cancelled?.status, cancelled?.body.status, cancelled?.body.counts.pending], [200, 'cancelled', 0]);
    const books = await clouds[0]?.call('GET', '/api/account/credits', account);
    assert.equal(books?.body.held, 0);
    // As a process that still keeps a page of a part does: the part first, then the whole.
    const deleted = await database.transaction(async () => {
      await database.rows('UPDATE crawl SET charged = charged WHERE parent = (SELECT number FROM crawl WHERE id = $1)', [id]);
      const answer = clouds[1]?.call('DELETE', `/api/account/jobs/${id}`, account);
      await until(async () => (await database.rows('SELECT 1 FROM pg_locks WHERE NOT granted')).length > 0);
      await database.rows('UPDATE crawl SET charged = charged WHERE id = $1', [id]);
      return { answer };
    });
    assert.equal((await deleted.answer)?.status, 204);
    assert.deepEqual(await database.rows('SELECT 1 FROM crawl WHERE account_id = $1', [account.id]), []);
  });

  for (const table of ['crawl', 'balance', 'account_key'])
    test(`an account is deleted while somebody works for it who has its ${table} and needs the account still`, async () => {
      const account = await open(1000);
      await start(account, { url: sites[0]?.start, limit: 1 });
      const deleted = await database.transaction(async () => {
        await database.rows(`UPDATE ${table} SET account_id = account_id WHERE account_id = $1`, [account.id]);
        const answer = clouds[1]?.call('DELETE', `/api/account?confirm=${account.id}`, account);
        await until(async () => (await database.rows('SELECT 1 FROM pg_locks WHERE NOT granted')).length > 0);
        // As every row does that is written for an account.
        await database.rows('SELECT 1 FROM account WHERE id = $1 FOR KEY SHARE', [account.id]);
        return { answer };
      });
      assert.equal((await deleted.answer)?.status, 204);
      assert.deepEqual(await database.rows('SELECT 1 FROM account WHERE id = $1', [account.id]), []);
    });

  test('of an account that is deleted while its crawl is worked on no row is left', async () => {
    const account = await open(1000);
    const id = await start(account, { url: wide.start, allow_external_links: true, max_depth: 1000 });
    await until(
      async () =>
        (await database.rows('SELECT 1 FROM crawl WHERE account_id = $1 AND fetched > 0 AND parent IS NOT NULL', [account.id])).length > 2,
    );
    assert.equal((await clouds[1]?.call('DELETE', `/api/account?confirm=${account.id}`, account))?.status, 204);
    for (const table of ['account', 'crawl', 'crawl_job', 'crawl_page', 'hold', 'balance', 'ledger'])
      assert.deepEqual(await database.rows(`SELECT 1 FROM ${table} t WHERE t::text LIKE '%' || $1 || '%'`, [account.id]), [], table);
    assert.equal((await clouds[0]?.call('GET', `/api/crawl/${id}`, account))?.status, 401);
  });

  test('one crawl beside many of another account gets its turn, and no account has more places than it may', async () => {
    const [many, few] = [await open(1000), await open(1000)];
    const slow = { delay_ms: 30, limit: 10 };
    const first = await Promise.all(Array.from({ length: 5 }, (_, i) => start(many, { url: sites[i % 2]?.start, ...slow })));
    const last = await start(few, { url: sites[2]?.start, ...slow });
    await until(async () => {
      const [most] = await database.rows<{ n: number }>(
        'SELECT count(*) AS n FROM crawl_job WHERE alive_until > now() AND account_id = $1',
        [many.id],
      );
      assert.ok((most?.n ?? 0) <= 3);
      return (await database.rows('SELECT 1 FROM crawl WHERE id = $1 AND finished_at IS NULL', [last])).length === 0;
    });
    const left = await database.rows('SELECT 1 FROM crawl WHERE id = ANY($1) AND finished_at IS NULL', [first]);
    assert.ok(left.length > 0, 'the last one came first of all');
    for (const id of first) assert.equal((await settled(many, id)).status, 'succeeded');
  });
});
