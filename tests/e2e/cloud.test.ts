// The cloud over HTTP: pages for credits, pages without a key, and who may do what.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { KEYLESS } from '@weft/contract';
import { openAccount } from '../../packages/cloud/src/accounts/account.ts';
import { createAccountKeys } from '../../packages/cloud/src/accounts/key.ts';
import { createCredits } from '../../packages/cloud/src/credits/credits.ts';
import { openDatabase } from '../../packages/cloud/src/db/database.ts';
import type { Database } from '../../packages/cloud/src/db/queries.ts';
import { booksAgree, startTestCloud, testDatabase } from '../cloud.ts';
import type { Credential, TestCloud, TestDatabase } from '../cloud.ts';
import { redirect, reply, startRawServer } from '../sites/raw-server.ts';
import type { RawServer } from '../sites/raw-server.ts';

const WORDS = 'Words that a reader finds on a page. '.repeat(20);
const html = (body: string) => reply({ headers: { 'Content-Type': 'text/html' }, body: `<!doctype html><title>Kettles</title>${body}` });

suite('the cloud', { timeout: 600_000 }, () => {
  let site: RawServer;
  let data: TestDatabase;
  let cloud: TestCloud;
  /** A second process on the same database. */
  let other: TestCloud;
  let database: Database;
  const device = (n: number) => ({ device: `device-${String(n).padStart(16, '0')}` });
  const scrape = (credential: Credential, path = '/', from = cloud, headers = {}) =>
    from.call('POST', '/api/crawl/scrape', credential, { url: site.origin + path }, headers);
  const credits = async (owner: Credential) => (await cloud.call('GET', '/api/account/credits', owner)).body;
  const open = async (amount: number) => {
    const ports = { database, keys: createAccountKeys(database), credits: createCredits(database) };
    return await openAccount('one of a test', amount, ports);
  };

  before(async () => {
    site = await startRawServer({
      '/': html(`<h1>Kettles</h1><p>${WORDS}<a href="/more">more</a>`),
      '/more': html(`<h1>More</h1><p>${WORDS}`),
      '/robots.txt': reply({ headers: { 'Content-Type': 'text/plain' }, body: 'User-agent: *\nDisallow: /closed' }),
      '/closed': html(`<h1>Closed</h1><p>${WORDS}`),
      '/leads': redirect('/closed'),
      '/odd': html(
        `<h1>Odd \\u0000</h1><p>${WORDS}<script type="application/ld+json">{"@type":"Thing","name":"a\\u0000b \\ud800"}</script>`,
      ),
      '/gate': html('<h1>Are you a human</h1><div class="g-recaptcha" data-sitekey="x"></div>'),
    });
    data = await testDatabase();
    const options = { database: data, privateTargets: [`127.0.0.1:${site.port}`] };
    cloud = await startTestCloud(options);
    other = await startTestCloud(options);
    database = await openDatabase(data.url);
  });
  after(async () => {
    try {
      assert.deepEqual([...cloud.logged, ...other.logged], []);
      await booksAgree(data);
    } finally {
      await database.close();
      await other[Symbol.asyncDispose]();
      await cloud[Symbol.asyncDispose]();
      await data[Symbol.asyncDispose]();
      await site.close();
    }
  });

  test('the first start prints a key, and the next one none', () => {
    assert.match(cloud.firstKey ?? '', /^wt_/);
    assert.equal(other.firstKey, undefined);
  });

  test('a page costs one credit, and a page that can not be had none', async () => {
    const { token } = await open(10);
    const page = await scrape({ token });
    assert.equal(page.status, 200);
    assert.match(page.body.markdown, /^# Kettles/);
    assert.equal(page.body.credits, 1);
    const missing = await scrape({ token }, '/none');
    assert.deepEqual([missing.status, missing.body.failure.code, missing.body.credits], [200, 'http_status', 0]);
    assert.deepEqual(await credits({ token }), { available: 9, held: 0, spent: 1, granted: 10 });
  });

  test('a page that asks for a person is refused, and costs nothing', async () => {
    const { token } = await open(10);
    const answer = await cloud.call('POST', '/api/crawl/scrape', { token }, { url: `${site.origin}/gate`, lane: 'http' });
    assert.deepEqual([answer.status, answer.body.code], [402, 'captcha_required']);
    assert.equal((await credits({ token })).available, 10);
  });

  test('what robots.txt forbids is not asked for, nor what redirects there, unless the caller may automate the site', async () => {
    const { token } = await open(10);
    const asked = site.requests.length;
    for (const path of ['/closed', '/leads']) assert.equal((await scrape({ token }, path)).body.failure.code, 'robots', path);
    assert.ok(!site.requests.slice(asked).some(({ path }) => path === '/closed'));
    const forced = { url: `${site.origin}/closed`, respect_robots: false };
    assert.equal((await cloud.call('POST', '/api/crawl/scrape', { token }, forced)).body.title, 'Kettles');
    assert.equal((await cloud.call('POST', '/v1/keyless/scrape', device(9), forced)).status, 400);
    assert.equal((await credits({ token })).spent, 1);
  });

  test('a page with what no text of a database takes is answered as it is', async () => {
    const { token } = await open(10);
    const body = { url: `${site.origin}/odd`, formats: ['markdown', 'structured'] };
    const { status, body: page } = await cloud.call('POST', '/api/crawl/scrape', { token }, body);
    assert.deepEqual([status, page.credits, JSON.stringify(page.structured).includes('a\\u0000b')], [200, 1, true]);
  });

  test('an address that is not public is not fetched', async () => {
    const { token } = await open(10);
    for (const url of [`http://127.0.0.1:${data.port}/`, `${cloud.baseUrl}/livez`, 'http://169.254.169.254/', 'http://localhost:8080/']) {
      const answer = await cloud.call('POST', '/api/crawl/scrape', { token }, { url });
      assert.deepEqual([answer.status, answer.body.failure.code], [200, 'address'], url);
      const { hostname, port } = new URL(url);
      assert.ok(
        answer.body.failure.message.endsWith(`by starting it with --private-target ${hostname}:${port || 80}.`),
        answer.body.failure.message,
      );
    }
  });

  test('ten credits are ten pages, however many ask at once by two processes', async () => {
    const { token } = await open(10);
    // No key may ask so often at once: two do.
    const robot = (await cloud.call('POST', '/api/account/keys', { token }, { name: 'robot' })).body.token as string;
    const ask = (i: number) => scrape({ token: i < 50 ? token : robot }, '/', i % 2 ? cloud : other);
    const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => ask(i)));
    const statuses = Map.groupBy(answers, ({ status }) => status);
    assert.deepEqual([statuses.get(200)?.length, statuses.get(402)?.length], [10, 90]);
    const [refused] = statuses.get(402) ?? [];
    assert.deepEqual([refused?.body.code, refused?.body.needed], ['insufficient_credits', 1]);
    assert.deepEqual(await credits({ token }), { available: 0, held: 0, spent: 10, granted: 10 });
  });

  test('one Idempotency-Key is one effect, however often it is sent to two processes', async () => {
    const { token } = await open(10);
    const asked = site.requests.length;
    const key = { 'idempotency-key': 'once' };
    const half = () => Promise.all(Array.from({ length: 50 }, (_, i) => scrape({ token }, '/more', i % 2 ? cloud : other, key)));
    const answers = await half();
    await database.rows('DELETE FROM rate_bucket');
    answers.push(...(await half()));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1);
    assert.equal((await credits({ token })).spent, 1);
    const pages = site.requests.slice(asked).filter(({ path }) => path === '/more').length;
    assert.ok(pages <= 2, `${pages} requests for the page: each process asks once at most`);
    const another = await scrape({ token }, '/', cloud, key);
    assert.deepEqual([another.status, another.body.code], [409, 'conflict']);
  });

  test('a key may ask as often as it may, whichever process it reaches', async () => {
    const { token } = await open(1);
    const ask = async (from: TestCloud) => await from.call('GET', '/api/account/credits', { token });
    await database.rows('DELETE FROM rate_bucket');
    assert.equal((await ask(cloud)).status, 200);
    // As if all that it may ask had been asked of one of them.
    await database.rows(`UPDATE rate_bucket SET tokens = 0, at = now() + interval '1 hour'`);
    for (const from of [cloud, other]) {
      const refused = await ask(from);
      assert.deepEqual([refused.status, refused.body.code], [429, 'too_many_requests']);
      assert.ok(Number(refused.headers.get('retry-after')) >= 1);
    }
  });

  test('what a dead process held is given back', async () => {
    const { id, token } = await open(5);
    const all = createCredits(database);
    await all.reserve({ accountId: id, operation: 'scrape.page', about: 'x' }, 2);
    assert.deepEqual(await credits({ token }), { available: 3, held: 2, spent: 0, granted: 5 });
    await database.rows(`UPDATE hold SET until_at = now() - interval '1 second' WHERE account_id = $1`, [id]);
    await all.releaseForgotten();
    assert.deepEqual(await credits({ token }), { available: 5, held: 0, spent: 0, granted: 5 });
  });

  test('the ledger is only added to', async () => {
    await assert.rejects(database.rows('UPDATE ledger SET amount = 1'), /only added to/);
  });

  test('keys are minted, listed and deleted, and the last owner stays', async () => {
    const { token } = await open(10);
    const minted = await cloud.call('POST', '/api/account/keys', { token }, { name: 'robot' });
    assert.deepEqual([minted.status, minted.body.role], [201, 'api']);
    const robot = { token: minted.body.token };
    assert.equal((await scrape(robot)).status, 200);
    const listed = await cloud.call('GET', '/api/account/keys', { token });
    assert.deepEqual([listed.body.count, listed.body.data.some((key: object) => 'token' in key)], [2, false]);
    const own = listed.body.data.find(({ role }: { role: string }) => role === 'owner');
    assert.equal((await cloud.call('DELETE', `/api/account/keys/${own.id}`, { token })).status, 409);
    assert.equal((await cloud.call('DELETE', `/api/account/keys/${minted.body.id}`, { token })).status, 204);
    assert.equal((await scrape(robot)).status, 401);
    const stranger = await open(0);
    assert.equal((await cloud.call('DELETE', `/api/account/keys/${own.id}`, { token: stranger.token })).status, 404);
  });

  test('a page of one account is answered to no other', async () => {
    const [mine, theirs] = [await open(5), await open(5)];
    const key = { 'idempotency-key': 'same' };
    await scrape({ token: mine.token }, '/', cloud, key);
    const answer = await scrape({ token: theirs.token }, '/more', cloud, key);
    assert.deepEqual([answer.status, answer.body.title], [200, 'Kettles']);
    assert.deepEqual([(await credits({ token: mine.token })).spent, (await credits({ token: theirs.token })).spent], [1, 1]);
  });

  suite('the Model Context Protocol', () => {
    const connect = async (token: string) => {
      const client = new Client({ name: 'test', version: '1' });
      const requestInit = { headers: { authorization: `Bearer ${token}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', cloud.baseUrl), { requestInit }));
      return client;
    };
    const apiKey = async (owner: string) =>
      (await cloud.call('POST', '/api/account/keys', { token: owner }, { name: 'model' })).body.token as string;

    test('the official client lists the tools, and each costs what the call that it stands for costs', async () => {
      const { token } = await open(10);
      const client = await connect(await apiKey(token));
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.filter(({ name }) => !name.includes('__')).map(({ name, outputSchema }) => [name, outputSchema?.type]),
        ['crawl_start', 'crawl_status', 'map', 'scrape', 'target_changes', 'target_check', 'target_create', 'target_list'].map((name) => [
          name,
          'object',
        ]),
      );
      const page = await client.callTool({ name: 'scrape', arguments: { url: `${site.origin}/` } });
      assert.match(String((page.structuredContent as { markdown: string }).markdown), /^# Kettles/);
      const map = await client.callTool({ name: 'map', arguments: { url: `${site.origin}/` } });
      assert.equal((map.structuredContent as { count: number }).count, 2);
      const failed = await client.callTool({ name: 'scrape', arguments: { url: `${site.origin}/none` } });
      assert.equal(failed.isError, true);
      const wrong = await client.callTool({ name: 'scrape', arguments: { url: 'nowhere' } });
      assert.match(JSON.stringify(wrong.content), /is not an absolute URL/);
      assert.deepEqual(await credits({ token }), { available: 8, held: 0, spent: 2, granted: 10 });
      await client.close();
    });

    test("an owner's key is refused, and so is one without credits, in words", async () => {
      const { token } = await open(0);
      const owner = await connect(token);
      await assert.rejects(owner.listTools(), /owner's key/);
      await owner.close();
      const client = await connect(await apiKey(token));
      const answer = await client.callTool({ name: 'scrape', arguments: { url: `${site.origin}/` } });
      assert.match(JSON.stringify(answer.content), /insufficient_credits/);
      await client.close();
    });
  });

  suite('without a key', () => {
    test('a device has its pages of a day, failed ones aside, and is told what is left', async () => {
      await database.rows('DELETE FROM keyless_use');
      const ask = (path: string) => cloud.call('POST', '/v1/keyless/scrape', device(2), { url: site.origin + path });
      assert.equal((await ask('/none')).body.failure.code, 'http_status');
      assert.equal((await cloud.call('GET', '/v1/keyless/quota', device(2))).body.remaining, KEYLESS.pagesPerDay);
      for (let i = 0; i < KEYLESS.pagesPerDay; i++) assert.equal((await ask('/')).status, 200);
      const refused = await ask('/');
      assert.deepEqual([refused.status, refused.body.code, refused.body.remaining], [429, 'keyless_rate_limited', 0]);
      assert.match(refused.body.reset_at, /T00:00:00.000Z$/);
      assert.ok(Number(refused.headers.get('retry-after')) > 0);
    });

    test('many device ids from one address have the pages of one network', async () => {
      await database.rows('DELETE FROM keyless_use');
      const ask = (n: number) => cloud.call('POST', '/v1/keyless/map', device(n), { url: `${site.origin}/more` });
      assert.equal((await ask(1000)).status, 200);
      await database.rows('UPDATE keyless_use SET pages = $1', [KEYLESS.pagesPerDayAndNetwork - 2]);
      const statuses = [await ask(1001), await ask(1002), await ask(1003)].map(({ status }) => status);
      assert.deepEqual(statuses, [200, 200, 429]);
    });

    test('no more than two calls of a network are under way', async () => {
      await database.rows('DELETE FROM keyless_use');
      const held = Promise.withResolvers<void>();
      const slow = await startRawServer({ '/': (socket) => void held.promise.then(() => socket.end(html(WORDS))) });
      await using lonely = await startTestCloud({ database: data, privateTargets: [`127.0.0.1:${slow.port}`] });
      const ask = (n: number) => lonely.call('POST', '/v1/keyless/scrape', device(n), { url: `${slow.origin}/` });
      const two = [ask(3), ask(4)];
      while (slow.requests.filter(({ path }) => path === '/').length < 2) await new Promise(setImmediate);
      const third = await ask(5);
      assert.deepEqual([third.status, third.body.code], [429, 'too_many_requests']);
      held.resolve();
      assert.deepEqual(
        (await Promise.all(two)).map(({ status }) => status),
        [200, 200],
      );
      await slow.close();
    });

    test('can be switched off', async () => {
      await using closed = await startTestCloud({ database: data, isKeyless: false });
      assert.equal((await closed.call('GET', '/v1/keyless/quota', device(1))).status, 401);
      const document = await closed.call('GET', '/openapi.json');
      assert.ok(!Object.keys(document.body.paths).some((path) => path.startsWith('/v1/keyless')));
    });
  });
});
