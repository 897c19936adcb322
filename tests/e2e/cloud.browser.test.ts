// What a browser costs in the cloud.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { promisify } from 'node:util';
import { createAddressGate, createFetcher } from '@weft/engine/io';
import { openAccount } from '../../packages/cloud/src/accounts/account.ts';
import { createAccountKeys } from '../../packages/cloud/src/accounts/key.ts';
import { createCredits } from '../../packages/cloud/src/credits/credits.ts';
import { openDatabase } from '../../packages/cloud/src/db/database.ts';
import type { Database } from '../../packages/cloud/src/db/queries.ts';
import { findBrowser } from '../browser.ts';
import { CHILD_ENV } from '../child-env.ts';
import { openTestAccount, startTestCloud } from '../cloud.ts';
import type { TestCloud } from '../cloud.ts';
import { until } from '../until.ts';
import { reply, startRawServer } from '../sites/raw-server.ts';
import type { RawServer } from '../sites/raw-server.ts';

const CLI = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'src', 'main.ts');
const SHELL = `<!doctype html><title>App</title><div id="root"></div><script>document.getElementById('root').innerHTML = '<h1>Rendered'</script>`;

suite('a page of the cloud that scripts fill', { timeout: 600_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), 'weft-cloud-browser-'));
  let site: RawServer;
  let cloud: TestCloud;
  let database: Database;

  before(async () => {
    site = await startRawServer({ '/': reply({ headers: { 'Content-Type': 'text/html' }, body: SHELL }) });
    const gate = createAddressGate({ mode: 'public', privateTargets: [`127.0.0.1:${site.port}`] });
    cloud = await startTestCloud({ fetcher: createFetcher({ home, gate, chromePath: await findBrowser() }) });
    database = await openDatabase(cloud.database.url);
  });
  after(async () => {
    await database.close();
    await cloud[Symbol.asyncDispose]();
    await site.close();
    rmSync(home, { recursive: true });
  });

  const cases: readonly (readonly [string, number, object, object])[] = [
    ['costs two credits', 2, {}, { credits: 2, lane: 'browser', lane_limited: undefined, status: 200 }],
    ['comes over HTTP where one credit is left, and says so', 1, {}, { credits: 1, lane: 'http', lane_limited: true, status: 200 }],
    ['is not asked for over HTTP where a browser was named', 1, { lane: 'browser' }, { status: 402 }],
    ['costs one where HTTP was named', 2, { lane: 'http' }, { credits: 1, lane: 'http', lane_limited: undefined, status: 200 }],
  ];
  for (const [what, amount, more, expected] of cases)
    test(what, async () => {
      const { id, token } = await openAccount('one', amount, {
        database,
        keys: createAccountKeys(database),
        credits: createCredits(database),
      });
      const { status, body } = await cloud.call('POST', '/api/crawl/scrape', { token }, { url: `${site.origin}/`, ...more });
      const { credits, lane, lane_limited } = body;
      assert.deepEqual(status === 200 ? { credits, lane, lane_limited, status } : { status }, expected);
      const left = await createCredits(database).balance(id);
      assert.deepEqual([left.held, left.spent], [0, credits ?? 0]);
    });

  test('the command line writes pictures of a page to files', async () => {
    const { token } = await openTestAccount(cloud, 4);
    const env = { ...CHILD_ENV, SERVICE_HOME: home, SERVICE_CLOUD_URL: cloud.baseUrl, SERVICE_API_KEY: token };
    const [png, pdf] = [join(home, 'page.png'), join(home, 'page.pdf')];
    const args = [CLI, 'scrape', `${site.origin}/`, '--cloud', '--screenshot', png, '--pdf', pdf];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env });
    assert.match(stdout, /Rendered/, stderr);
    assert.match(stderr, /: 2 credits$/m);
    const starts = [png, pdf].map((file) => readFileSync(file, 'latin1').slice(0, 5));
    assert.deepEqual([starts[0]?.slice(1, 4), starts[1]], ['PNG', '%PDF-']);
  });

  test('pictures of scrapes and crawls are links that hold for an hour, and for nobody who makes up his own', async () => {
    const ports = { database, keys: createAccountKeys(database), credits: createCredits(database) };
    const { id, token } = await openAccount('one', 20, ports);
    const url = `${site.origin}/`;
    const scraped = await cloud.call('POST', '/api/crawl/scrape', { token }, { url, screenshot: 'viewport', pdf: true });
    const links = [scraped.body.screenshot, scraped.body.pdf] as string[];
    const starts = await Promise.all(
      links.map(async (link) => Buffer.from(await (await fetch(link)).arrayBuffer()).toString('latin1', 0, 5)),
    );
    assert.deepEqual([starts[0]?.slice(1, 4), starts[1]], ['PNG', '%PDF-']);
    const started = await cloud.call('POST', '/api/crawl', { token }, { url, limit: 1, screenshot: 'viewport' });
    await until(
      async () => (await database.rows('SELECT 1 FROM crawl WHERE id = $1 AND finished_at IS NULL', [started.body.id])).length === 0,
    );
    const crawl = await cloud.call('GET', `/api/crawl/${started.body.id}`, { token });
    const link = new URL(crawl.body.data[0].screenshot);
    assert.equal((await fetch(link)).status, 200);
    const changed = async (name: string, value: string) => {
      const other = new URL(link);
      other.searchParams.set(name, value);
      return (await fetch(other)).status;
    };
    assert.deepEqual([await changed('expires', '99999999999'), await changed('signature', 'x')], [403, 403]);
    assert.equal((await fetch(`${link.origin}${link.pathname}`)).status, 400);
    // The same picture of another account is another content: neither learns what the other has.
    const stranger = await openAccount('other', 20, ports);
    await cloud.call('POST', '/api/crawl/scrape', stranger, { url, screenshot: 'viewport' });
    const keys = await database.rows<{ blob_key: string }>('SELECT DISTINCT blob_key FROM picture WHERE account_id = ANY($1)', [
      [id, stranger.id],
    ]);
    const contents = await database.rows('SELECT 1 FROM blob_content WHERE key = ANY($1)', [keys.map((row) => row.blob_key)]);
    assert.ok(keys.length >= 3 && contents.length === keys.length);
    assert.equal((await cloud.call('DELETE', `/api/account/jobs/${started.body.id}`, { token })).status, 204);
    assert.equal((await fetch(link)).status, 404);
  });
  const calls: readonly (readonly [string, number, object, object])[] = [
    ['costs two credits where its steps go on in a browser', 2, {}, { status: 200, run: 'succeeded', spent: 2 }],
    ['fails for nothing where one credit is left', 1, {}, { status: 200, run: 'failed', spent: 0 }],
    ['is not begun in a browser for one credit', 1, { lane: 'browser' }, { status: 402, run: undefined, spent: 0 }],
    ['is what HTTP brings where that was named', 2, { lane: 'http' }, { status: 200, run: 'failed', spent: 0 }],
  ];
  for (const [i, [what, amount, more, expected]] of calls.entries())
    test(`a function that reads it ${what}`, async () => {
      const owner = await openTestAccount(cloud, amount);
      const steps = [
        { id: 'open', type: 'navigate', url: `${site.origin}/` },
        { id: 'title', type: 'extract', fields: { title: { selectors: ['h1'], required: true } } },
      ];
      const slug = `shell-${i}`;
      const place = { slug, path: 'read' };
      const published = await cloud.call('POST', '/api/account/publish', owner, { ...place, workflow: { name: 'Read', steps, ...more } });
      assert.equal(published.status, 201);
      const { body: key } = await cloud.call('POST', '/api/account/consumer-keys', owner, { name: 'caller', slug });
      const { status, body } = await cloud.call('POST', `/v1/${slug}/read`, { token: key.token }, {});
      const { held, spent } = (await cloud.call('GET', '/api/account/credits', owner)).body;
      assert.deepEqual({ status, run: body.status, spent }, expected, JSON.stringify(body));
      assert.equal(held, 0);
    });
});
