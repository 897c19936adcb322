// Who calls the cloud beside HTTP clients with a key: models over MCP, and callers without a key who crawl.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { KEYLESS } from '@weft/contract';
import { openAccount } from '../../packages/cloud/src/accounts/account.ts';
import { createAccountKeys } from '../../packages/cloud/src/accounts/key.ts';
import { createCredits } from '../../packages/cloud/src/credits/credits.ts';
import { openDatabase } from '../../packages/cloud/src/db/database.ts';
import type { Database } from '../../packages/cloud/src/db/queries.ts';
import { startTestCloud, testDatabase } from '../cloud.ts';
import type { TestCloud, TestDatabase } from '../cloud.ts';
import { startGeneratedSite } from '../sites/generated-site.ts';
import type { GeneratedSite } from '../sites/generated-site.ts';
import { until } from '../until.ts';

const PAGES = 12;
const REVISIONS = ['2025-11-25', '2026-07-28'] as const;

suite('callers of the cloud', { timeout: 600_000 }, () => {
  let site: GeneratedSite;
  let data: TestDatabase;
  let cloud: TestCloud;
  let database: Database;
  const device = (n: number) => ({ device: `device-${String(n).padStart(16, '0')}` });

  /** A new account, and a key of it for a model. */
  const open = async (amount: number) => {
    const ports = { database, keys: createAccountKeys(database), credits: createCredits(database) };
    const { id, token: owner } = await openAccount('one of a test', amount, ports);
    const { body } = await cloud.call('POST', '/api/account/keys', { token: owner }, { name: 'model' });
    return { id, owner: { token: owner }, token: body.token as string };
  };
  const connect = async (token: string, revision: (typeof REVISIONS)[number] = '2026-07-28') => {
    const versionNegotiation = revision === '2025-11-25' ? ({ mode: 'legacy' } as const) : ({ mode: { pin: revision } } as const);
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', cloud.baseUrl), { requestInit }));
    return client;
  };
  const crawlOf = async (id: string) =>
    await database.find<{ id: string; status: string }>('SELECT id, status FROM crawl WHERE account_id = $1 ORDER BY number DESC LIMIT 1', [
      id,
    ]);

  before(async () => {
    site = await startGeneratedSite(PAGES);
    data = await testDatabase();
    cloud = await startTestCloud({ database: data, privateTargets: [new URL(site.start).host] });
    database = await openDatabase(data.url);
  });
  after(async () => {
    await database.close();
    await cloud[Symbol.asyncDispose]();
    await data[Symbol.asyncDispose]();
    await site.close();
    assert.deepEqual(cloud.logged, []);
  });

  test('without a key a few pages are crawled while the caller waits, and only pages are counted', async () => {
    const crawl = (more: object) => cloud.call('POST', '/v1/keyless/crawl', device(1), { url: site.start, ...more });
    const first = await crawl({});
    assert.equal(first.status, 200, JSON.stringify(first.body));
    assert.deepEqual([first.body.count, first.body.data.length, first.body.complete], [KEYLESS.crawlPages, KEYLESS.crawlPages, false]);
    const all = await crawl({ limit: 10, include_paths: ['/site/', '/site/page-1.html'] });
    assert.deepEqual([all.body.count, all.body.complete], [2, true]);
    const none = await crawl({ url: new URL('/site/private/', site.start).href });
    assert.deepEqual([none.body.count, none.body.failure.code], [0, 'robots']);
    assert.equal((await cloud.call('GET', '/v1/keyless/quota', device(1))).body.remaining, KEYLESS.pagesPerDay - KEYLESS.crawlPages - 2);
    for (const more of [{ limit: 11 }, { limit: 0 }, { webhook: 'https://example.com' }, { respect_robots: false }, { lane: 'browser' }])
      assert.equal((await crawl(more)).status, 400, JSON.stringify(more));
  });

  test('a keyless crawl takes what is left of the allowance, and a host has one of its own over all callers', async () => {
    await database.rows('DELETE FROM keyless_use');
    const crawl = (n: number) => cloud.call('POST', '/v1/keyless/crawl', device(n), { url: site.start, limit: 10 });
    assert.equal((await crawl(2)).body.count, 10);
    await database.rows('UPDATE keyless_use SET pages = $1 WHERE pages = 10', [KEYLESS.pagesPerDay - 3]);
    const clamped = await crawl(2);
    assert.deepEqual([clamped.body.count, clamped.body.complete], [3, false]);
    assert.deepEqual([(await crawl(2)).status, (await crawl(2)).body.code], [429, 'keyless_rate_limited']);
    await database.rows('UPDATE keyless_use SET pages = $1', [KEYLESS.pagesPerDayAndHost]);
    await database.rows('DELETE FROM keyless_use WHERE who = ANY(SELECT network FROM keyless_flight)');
    const elsewhere = await cloud.call('POST', '/v1/keyless/scrape', device(3), { url: site.start });
    assert.equal(elsewhere.status, 429);
  });

  for (const revision of REVISIONS)
    suite(`a model that speaks ${revision}`, () => {
      test('starts a crawl, is told how far it is, and reads its pages in slices', async () => {
        const { token } = await open(100);
        const client = await connect(token, revision);
        const told: number[] = [];
        const started = await client.callTool(
          { name: 'crawl_start', arguments: { url: site.start, lane: 'http', delay_ms: 20, wait_seconds: 60 } },
          { onprogress: ({ progress }) => void told.push(progress) },
        );
        const crawl = started.structuredContent as { id: string; status: string; data: unknown[]; next_cursor: string };
        assert.deepEqual([started.isError, crawl.status, crawl.data.length], [false, 'succeeded', 10]);
        assert.ok(told.length > 0);
        assert.deepEqual(
          told,
          [...new Set(told)].toSorted((a, b) => a - b),
        );
        const rest = await client.callTool({ name: 'crawl_status', arguments: { id: crawl.id, cursor: crawl.next_cursor } });
        assert.equal((rest.structuredContent as { data: unknown[] }).data.length, PAGES - 10);
        await client.close();
      });

      test('cancels a crawl by cancelling the call that waits for it, and by asking for that', async () => {
        const { id, token } = await open(100);
        const client = await connect(token, revision);
        const leaving = new AbortController();
        const args = { url: site.start, lane: 'http', delay_ms: 60_000 };
        const waiting = client.callTool({ name: 'crawl_start', arguments: { ...args, wait_seconds: 300 } }, { signal: leaving.signal });
        await until(async () => (await crawlOf(id))?.status === 'running');
        leaving.abort();
        await assert.rejects(waiting);
        await until(async () => (await crawlOf(id))?.status === 'cancelled');
        const started = await client.callTool({ name: 'crawl_start', arguments: args });
        const { id: crawlId } = started.structuredContent as { id: string };
        const cancelled = await client.callTool({ name: 'crawl_status', arguments: { id: crawlId, cancel: true } });
        assert.equal((cancelled.structuredContent as { status: string }).status, 'cancelled');
        await client.close();
      });
    });

  test('of a hundred calls of two accounts side by side, each has its own answer and its own charge', async () => {
    const accounts = await Promise.all([open(100), open(100)]);
    const clients = await Promise.all(accounts.map(({ token }) => connect(token)));
    const answers = await Promise.all(
      Array.from({ length: 100 }, async (_, i) => {
        const url = new URL(site.paths[i % PAGES] ?? '', site.start).href;
        const { structuredContent } = (await clients[i % 2]?.callTool({ name: 'scrape', arguments: { url, lane: 'http' } })) ?? {};
        return [url, structuredContent as { url: string; credits: number }] as const;
      }),
    );
    for (const [url, page] of answers) assert.deepEqual([page.url, page.credits], [url, 1]);
    for (const { id } of accounts) {
      const charged = await database.rows<{ about: string }>(`SELECT about FROM ledger WHERE account_id = $1 AND kind = 'settle'`, [id]);
      assert.equal(charged.length, 50);
    }
    const [own, others] = clients;
    assert.ok(own && others);
    const foreign = await others.callTool({ name: 'crawl_status', arguments: { id: await crawlStarted(own) } });
    assert.match(JSON.stringify(foreign.content), /not_found/);
    await Promise.all(clients.map((client) => client.close()));
  });

  const crawlStarted = async (client: Client): Promise<string> => {
    const started = await client.callTool({ name: 'crawl_start', arguments: { url: site.start, limit: 1, lane: 'http' } });
    return (started.structuredContent as { id: string }).id;
  };
});
