// The client of the cloud: what it sends with which credential, what it waits for, and its kinds of errors.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import {
  ApiError,
  ApiKeyRequiredError,
  CloudAddressError,
  InsufficientCreditsError,
  RateLimitedError,
  RunWaitTimeoutError,
  ScrapeError,
  createCloudClient,
  discoverCloud,
} from '@weft/client/node';
import type { CloudClient } from '@weft/client/node';
import { KEYLESS, listOperations, ACCOUNT_TABLE, CLOUD_TABLE } from '@weft/contract';
import { CLOUD_ROUTES } from '../../packages/client/src/generated/cloud-routes.ts';
import { openDatabase } from '../../packages/cloud/src/db/database.ts';
import { booksAgree, openTestAccount, startTestCloud } from '../cloud.ts';
import type { TestCloud } from '../cloud.ts';
import { reply, startRawServer } from '../sites/raw-server.ts';
import type { RawServer } from '../sites/raw-server.ts';

const WORDS = 'Words that a reader finds on a page. '.repeat(20);
const html = (body: string) => reply({ headers: { 'Content-Type': 'text/html' }, body: `<!doctype html><title>Kettles</title>${body}` });

suite('the client of the cloud', { timeout: 600_000 }, () => {
  let site: RawServer;
  let cloud: TestCloud;
  let client: CloudClient;
  let poor: CloudClient;

  before(async () => {
    const links = ['a', 'b', 'c'].map((name) => `<a href="/${name}">${name}</a>`).join(' ');
    const pages = Object.fromEntries(['a', 'b', 'c'].map((name) => [`/${name}`, html(`<h1>Page ${name}</h1><p>${name} ${WORDS}`)]));
    site = await startRawServer({ '/': html(`<h1>Kettles</h1><p>${WORDS}${links}`), ...pages });
    cloud = await startTestCloud({ privateTargets: [`127.0.0.1:${site.port}`] });
    const { baseUrl } = cloud;
    client = createCloudClient({ baseUrl, apiKey: (await openTestAccount(cloud, 100)).token, clientId: 'device-of-the-client' });
    poor = createCloudClient({ baseUrl, apiKey: (await openTestAccount(cloud, 0)).token });
  });
  after(async () => {
    try {
      assert.deepEqual(cloud.logged, []);
      await booksAgree(cloud.database);
    } finally {
      await cloud[Symbol.asyncDispose]();
      await site.close();
    }
  });

  test('has a route for every row, and no other', () => {
    const rows = [...listOperations(CLOUD_TABLE), ...listOperations(ACCOUNT_TABLE)];
    assert.deepEqual(
      Object.entries(CLOUD_ROUTES).map(([id, { method, path }]) => `${id} ${method} ${path}`),
      rows.map(({ id, method, path }) => `${id} ${method} ${path}`),
    );
  });

  test('reads a page with the key, and without one within the allowance', async () => {
    const page = await client.scrape(`${site.origin}/`, { lane: 'http' });
    assert.deepEqual([page.title, page.credits], ['Kettles', 1]);
    const device = createCloudClient({ baseUrl: cloud.baseUrl, clientId: 'device-without-a-key' });
    assert.equal((await device.scrape(`${site.origin}/`)).credits, 0);
    assert.equal((await device.keyless.quota()).remaining, KEYLESS.pagesPerDay - 1);
    await assert.rejects(device.scrape(`${site.origin}/`, { lane: 'http' }), ApiKeyRequiredError);
    assert.equal((await client.map(`${site.origin}/`)).count, 4);
  });

  test('starts a crawl, waits for it, and goes through all of its pages', async () => {
    const { id } = await client.crawls.start({ url: `${site.origin}/`, limit: 10, lane: 'http' });
    const told: string[] = [];
    const crawl = await client.waitForCrawl(id, { onProgress: ({ status }) => told.push(status) });
    assert.deepEqual([crawl.status, crawl.counts.fetched, told.at(-1)], ['succeeded', 4, 'succeeded']);
    const pages = await Array.fromAsync(client.crawls.read.all({ id, limit: 1 }));
    assert.deepEqual(pages.map(({ title }) => title).length, 4);
    const jobs = await Array.fromAsync(client.jobs.list.all());
    assert.deepEqual(
      jobs.map((job) => job.id),
      [id],
    );
  });

  test('a wait that is over names what goes on', async () => {
    const held = await startRawServer({ '/': () => undefined });
    await using slow = await startTestCloud({ database: cloud.database, privateTargets: [`127.0.0.1:${held.port}`] });
    const account = await openTestAccount(cloud, 5);
    const waiting = createCloudClient({ baseUrl: slow.baseUrl, apiKey: account.token });
    const { id } = await waiting.crawls.start({ url: `${held.origin}/`, lane: 'http' });
    const error = await waiting.waitForCrawl(id, { timeout: 0.001 }).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof RunWaitTimeoutError && error.runId === id, String(error));
    await waiting.jobs.cancel({ id });
    await held.close();
  });

  test('publishes a workflow, mints a key for it, and calls it', async () => {
    const steps = [
      { id: 'open', type: 'navigate' as const, url: `${site.origin}/{{inputs.path}}` },
      { id: 'title', type: 'extract' as const, fields: { title: { selectors: ['h1'] } } },
    ];
    const inputs = { type: 'object', properties: { path: { type: 'string' }, slug: { type: 'string' } }, required: ['path'] };
    await client.publish.create({ slug: 'titles', path: 'read', workflow: { name: 'Title', inputs, steps } });
    const { token } = await client.consumerKeys.create({ name: 'a caller', slug: 'titles' });
    const caller = createCloudClient({ baseUrl: cloud.baseUrl, consumerKey: token });
    // Inputs may be called as the parts of the address are.
    const answer = await caller.call('titles/read', { path: 'a', slug: 'x' });
    assert.deepEqual([answer.status, answer.data], ['succeeded', [{ title: 'Page a' }]]);
    await assert.rejects(client.call('titles/read'), ApiKeyRequiredError);
    const [run] = (await client.publishedRuns.list()).data;
    assert.equal(run?.id, answer.run_id);
  });

  test('errors have their kinds', async () => {
    const { baseUrl } = cloud;
    const bare = createCloudClient({ baseUrl });
    await assert.rejects(bare.scrape.page({ url: site.origin }), ApiKeyRequiredError);
    await assert.rejects(bare.keyless.quota(), /needs a device id/);
    await assert.rejects(poor.scrape(site.origin), (error) => error instanceof InsufficientCreditsError && error.status === 402);
    await assert.rejects(client.scrape(`${site.origin}/none`), (error) => error instanceof ScrapeError && error.code === 'http_status');
    await assert.rejects(
      client.crawls.read({ id: `crl_${'a'.repeat(22)}` }),
      (error) => error instanceof ApiError && error.code === 'not_found',
    );
    const database = await openDatabase(cloud.database.url);
    await database.rows('UPDATE keyless_use SET pages = $1', [KEYLESS.pagesPerDay]);
    await database.close();
    const spent = await client.keyless.scrape({ url: site.origin }).catch((error: unknown) => error);
    assert.ok(spent instanceof RateLimitedError && spent.limit === KEYLESS.pagesPerDay && spent.remaining === 0 && spent.resetAt);
  });

  test('finds the cloud that is named, and keeps one device id', async () => {
    const home = mkdtempSync(join(tmpdir(), 'weft-client-'));
    const env = { SERVICE_HOME: home, SERVICE_CLOUD_URL: `${cloud.baseUrl}/` };
    const found = await discoverCloud({ env });
    assert.deepEqual([found.baseUrl, found.apiKey], [cloud.baseUrl, undefined]);
    assert.equal((await discoverCloud({ env: { ...env, SERVICE_API_KEY: 'wt_x' } })).clientId, found.clientId);
    const file = join(home, 'client-id');
    assert.deepEqual([readFileSync(file, 'utf8').trim(), statSync(file).mode & 0o777], [found.clientId, 0o600]);
    assert.equal((await discoverCloud({ env: { ...env, SERVICE_CLIENT_ID: 'another-device-000' } })).clientId, 'another-device-000');
    for (const wrong of [
      { SERVICE_HOME: home },
      { ...env, SERVICE_CLOUD_URL: 'http://cloud.example' },
      { ...env, SERVICE_CLIENT_ID: 'short' },
    ])
      await assert.rejects(discoverCloud({ env: wrong }), CloudAddressError);
    rmSync(home, { recursive: true });
  });
});
