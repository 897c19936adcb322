// Targets and webhooks of the cloud over HTTP: what is watched, what is told of it, and what that costs.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createAddressGate } from '@weft/engine/io';
import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { openAccount } from '../../packages/cloud/src/accounts/account.ts';
import { createAccountKeys } from '../../packages/cloud/src/accounts/key.ts';
import { createCredits } from '../../packages/cloud/src/credits/credits.ts';
import { openDatabase } from '../../packages/cloud/src/db/database.ts';
import type { Database } from '../../packages/cloud/src/db/queries.ts';
import { createHttpFetcher } from '../../packages/engine/src/io/http/fetcher.ts';
import { startTestCloud, testDatabase } from '../cloud.ts';
import type { Answer, Credential, TestCloud, TestDatabase } from '../cloud.ts';
import { createAuthority, issueCertificate } from '../sites/certificates.ts';
import { redirect, reply, startRawServer } from '../sites/raw-server.ts';
import type { RawServer } from '../sites/raw-server.ts';
import { until } from '../until.ts';

const WORDS = 'Words that a reader finds on a page. '.repeat(5);
const html = (body: string) => reply({ headers: { 'Content-Type': 'text/html' }, body: `<!doctype html><title>Shop</title>${body}` });
const shop = (price: string, more = '') => html(`<h1>Kettle</h1><p id="price">${price}</p><p>${WORDS}${more}`);
const PRICE = { selectors: [{ selector: '#price', extractors: [{ type: 'price' }] }] };

suite('targets of the cloud', { timeout: 600_000 }, () => {
  const pages = new Map<string, Uint8Array>();
  /** What the receiver answers on a path; 200 unless said. */
  const answers = new Map<string, Uint8Array>();
  let site: RawServer;
  let receiver: RawServer;
  let data: TestDatabase;
  let cloud: TestCloud;
  let database: Database;
  let places = 0;

  before(async () => {
    site = await startRawServer(({ path }) => pages.get(path));
    const authority = createAuthority();
    const tls = issueCertificate(authority, 'localhost', 30);
    receiver = await startRawServer(({ path }) => answers.get(path) ?? reply({ body: 'thanks' }), tls);
    data = await testDatabase();
    const privateTargets = [`127.0.0.1:${site.port}`, `localhost:${receiver.port}`];
    const gate = createAddressGate({ mode: 'public', privateTargets });
    cloud = await startTestCloud({ database: data, fetcher: createHttpFetcher({ gate, trustedCertificates: [authority.pem] }) });
    database = await openDatabase(data.url);
  });
  after(async () => {
    try {
      assert.deepEqual(cloud.logged, []);
    } finally {
      await database.close();
      await cloud[Symbol.asyncDispose]();
      await data[Symbol.asyncDispose]();
      await Promise.all([site.close(), receiver.close()]);
    }
  });

  const open = async (amount: number): Promise<Credential & { readonly id: string; readonly token: string }> =>
    await openAccount('one of a test', amount, { database, keys: createAccountKeys(database), credits: createCredits(database) });
  const call = (method: string, path: string, as: Credential, body?: unknown): Promise<Answer> => cloud.call(method, path, as, body);
  /** A key may not ask as often as a test does. */
  const holds = async (from: string, id: string) => (await database.rows(`SELECT 1 FROM ${from}`, [id])).length > 0;
  /** A page of its own, as `first` shows it. */
  const page = (first: Uint8Array) => {
    const path = `/page-${(places += 1)}`;
    pages.set(path, first);
    return { path, url: site.origin + path };
  };
  /** A paused target of `url`: it is checked by hand alone. */
  const watch = async (as: Credential, url: string, more: object = {}): Promise<string> => {
    const { status, body } = await call('POST', '/api/targets', as, { url, active: false, lane: 'http', ...more });
    assert.equal(status, 201, JSON.stringify(body));
    return body.id;
  };
  const check = async (as: Credential, id: string): Promise<Answer['body']> => {
    const { status, body } = await call('POST', `/api/targets/${id}/run`, as);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const balance = async (as: Credential) => (await call('GET', '/api/account/credits', as)).body;
  const hook = async (as: Credential, more: object = {}): Promise<Answer['body']> => {
    const url = `https://localhost:${receiver.port}/hook-${(places += 1)}`;
    const { status, body } = await call('POST', '/api/account/webhooks', as, { url, ...more });
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  };
  /** What came to a hook, once there are so many. */
  const came = async ({ url }: { readonly url: string }, count: number) => {
    const calls = () => receiver.requests.filter(({ path }) => url.endsWith(path));
    await until(() => calls().length >= count);
    return calls().map(({ head, body }) => {
      const lines = head.split('\r\n').slice(1);
      return {
        body,
        headers: Object.fromEntries(lines.map((line) => [line.split(': ')[0]?.toLowerCase(), line.slice(line.indexOf(': ') + 2)])),
      };
    });
  };

  test('an address alone is a target, checked at once; what changed of it is told, and paid by its lane', async () => {
    const me = await open(10);
    const { path, url } = page(shop('10.00 EUR'));
    const made = await call('POST', '/api/targets', me, { url, lane: 'http', ...PRICE });
    assert.equal(made.status, 201);
    const { id } = made.body;
    assert.match(id, /^tgt_/);
    assert.deepEqual([made.body.name, made.body.schedule, made.body.state.kind], [new URL(url).host + path, { every: 3600 }, 'new']);
    await until(() => holds('target WHERE checks = 1 AND id = $1', id));
    pages.set(path, shop('12.00 EUR'));
    const run = await check(me, id);
    assert.deepEqual([run.status, run.trigger, run.credits, run.check.verdict], ['succeeded', 'call', 1, 'changed']);
    const { body: changes } = await call('GET', `/api/targets/${id}/changes`, me);
    assert.equal(changes.count, 1);
    const [change] = changes.data;
    assert.deepEqual([change.kind, change.percent, change.target_id, change.run_id], ['price', 20, id, run.id]);
    assert.deepEqual((await call('GET', '/api/targets/changes/recent', me)).body, changes.data);
    const { body: target } = await call('GET', `/api/targets/${id}`, me);
    assert.deepEqual([target.checks, target.changes, target.state.kind, target.values.at(-1).text], [2, 1, 'ok', '12.00 EUR']);
    assert.ok(Date.parse(target.next_check_at) > Date.now());
    assert.ok(target.selectors[0].baseline);
    const history = async (of: string) => (await call('GET', `/api/account/targets/${id}/${of}`, me)).body;
    assert.deepEqual((await history('checks')).data[0], run);
    assert.equal((await history('checks?verdict=first')).count, 1);
    const [newest] = (await history('snapshots')).data;
    assert.deepEqual([newest.run_id, newest.parts.map(({ part }: { part: string }) => part)], [run.id, ['values', 'body']]);
    assert.equal((await history(`snapshots/${newest.id}`)).values[0].text, '12.00 EUR');
    assert.match(await history(`snapshots/${newest.id}/content`), /<p id="price">12.00 EUR/);
    assert.deepEqual(await balance(me), { available: 8, held: 0, spent: 2, granted: 10 });
  });

  test('a check that can not look is a failed run, and free', async () => {
    const me = await open(10);
    const run = await check(me, await watch(me, `${site.origin}/none`));
    assert.deepEqual([run.status, run.failure.code, run.credits, run.check.verdict], ['failed', 'http_status', 0, 'trouble']);
    const private_ = await check(me, await watch(me, `http://127.0.0.1:${data.port}/`));
    assert.deepEqual([private_.failure.code, private_.credits], ['address', 0]);
    assert.equal((await balance(me)).available, 10);
  });

  test('without credits a check is refused, and one that is due is left out, and says so', async () => {
    const me = await open(0);
    const { url } = page(shop('1.00 EUR'));
    const id = await watch(me, url);
    const refused = await call('POST', `/api/targets/${id}/run`, me);
    assert.deepEqual([refused.status, refused.body.code, refused.body.needed], [402, 'insufficient_credits', 1]);
    await call('PATCH', `/api/targets/${id}/toggle`, me);
    await database.rows('UPDATE target SET due_at = now() WHERE id = $1', [id]);
    await until(() => holds('target WHERE left_out IS NOT NULL AND id = $1', id));
    const { body } = await call('GET', `/api/targets/${id}`, me);
    assert.deepEqual([body.active, body.left_out.because, body.left_out.checks, body.checks], [true, 'insufficient_credits', 1, 0]);
  });

  test('a merge patch changes a target; a selector that looks at the same is known as before', async () => {
    const me = await open(10);
    const { url } = page(shop('1.00 EUR', '<b>new</b>'));
    const id = await watch(me, url, PRICE);
    await check(me, id);
    const patch = { name: 'Kettle', selectors: [{ selector: 'b' }, { selector: '#price', extractors: [{ type: 'price', name: 'cost' }] }] };
    const { status, body } = await call('PATCH', `/api/targets/${id}`, me, patch);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual([body.name, body.selectors.map((one: { selector: string }) => one.selector)], ['Kettle', ['b', '#price']]);
    assert.ok(body.selectors[1].baseline && !body.selectors[0].baseline);
    const run = await check(me, id);
    assert.deepEqual([run.check.verdict, run.check.changes], ['unchanged', []]);
    const comparison = { value: '{{values.cost}}', op: 'exists' };
    for (const when of [comparison, { all: [comparison] }, { not: comparison }])
      assert.deepEqual((await call('PATCH', `/api/targets/${id}`, me, { when })).body.when, when);
    for (const [wrong, why] of [
      [{ selectors: [{ selector: 'p:frst' }] }, /selectors\[0\]\.selector/],
      [{ schedule: { cron: '0 12 * * *', windows: [{ from: '01:00', to: '02:00' }] } }, /never comes due/],
      [{ headers: { a: '{{secret:KEY}}' } }, /the cloud keeps none/],
      [{ url: null }, /can be replaced, not removed/],
      [{ persona_id: 1 }, /persona_id/],
    ] as const) {
      const refused = await call('PATCH', `/api/targets/${id}`, me, wrong);
      assert.equal(refused.status, 400, JSON.stringify(refused.body));
      assert.match(refused.body.error, why);
    }
  });

  test('of another account nothing is seen, changed or checked', async () => {
    const [me, stranger] = [await open(5), await open(5)];
    const id = await watch(me, page(shop('1.00 EUR')).url);
    const { id: own } = await hook(me);
    for (const [method, path, body] of [
      ['GET', `/api/targets/${id}`],
      ['PATCH', `/api/targets/${id}`, { name: 'mine' }],
      ['PATCH', `/api/targets/${id}/toggle`],
      ['POST', `/api/targets/${id}/run`],
      ['GET', `/api/targets/${id}/changes`],
      ['GET', `/api/account/targets/${id}/checks`],
      ['GET', `/api/account/targets/${id}/snapshots`],
      ['DELETE', `/api/targets/${id}`],
      ['GET', `/api/account/webhooks/${own}`],
      ['PATCH', `/api/account/webhooks/${own}`, { enabled: false }],
      ['POST', `/api/account/webhooks/${own}/test`],
      ['POST', `/api/account/webhooks/${own}/rotate-secret`],
      ['GET', `/api/account/webhooks/${own}/deliveries`],
      ['DELETE', `/api/account/webhooks/${own}`],
    ] as const)
      assert.equal((await call(method, path, stranger, body)).status, 404, `${method} ${path}`);
    assert.deepEqual((await call('GET', '/api/targets', stranger)).body, []);
    assert.equal((await call('DELETE', `/api/targets/${id}`, me)).status, 204);
    for (const table of ['target_value', 'target_run', 'target_change', 'target_snapshot', 'target_record'])
      assert.deepEqual(await database.rows(`SELECT 1 FROM ${table} WHERE account_id = $1`, [me.id]), [], table);
  });

  test('a change is delivered, signed so that two verifiers of others accept it, and logged', async () => {
    const me = await open(10);
    const { path, url } = page(shop('10.00 EUR'));
    const [mine, others] = [await hook(me, { events: ['target.*'] }), await hook(me, { events: ['crawl.succeeded'] })];
    const id = await watch(me, url, { name: 'Kettle', ...PRICE });
    await check(me, id);
    pages.set(path, shop('8.00 EUR'));
    const run = await check(me, id);
    const [message] = await came(mine, 1);
    assert.ok(message);
    for (const verifier of [new Webhook(mine.secret), new SvixWebhook(mine.secret)]) {
      verifier.verify(message.body, message.headers);
      assert.throws(() => verifier.verify(`${message.body} `, message.headers));
    }
    const { type, data: told } = JSON.parse(message.body);
    assert.deepEqual([type, told.change.kind, told.change.percent, told.run.id], ['target.price', 'price', -20, run.id]);
    assert.deepEqual(told.subject, { kind: 'target', id, name: 'Kettle' });
    await until(() => holds(`delivery WHERE status = 'sent' AND webhook_id = $1`, mine.id));
    const { body: log } = await call('GET', `/api/account/webhooks/${mine.id}/deliveries`, me);
    assert.deepEqual([log.count, log.data[0].id, log.data[0].event], [1, message.headers['webhook-id'], 'target.price']);
    const { body: details } = await call('GET', `/api/account/webhooks/${mine.id}/deliveries/${log.data[0].id}`, me);
    assert.deepEqual([details.tries[0].status, details.tries[0].answer], [200, 'thanks']);
    assert.equal((await call('GET', `/api/account/webhooks/${others.id}/deliveries`, me)).body.count, 0);
    const again = await call('POST', `/api/account/webhooks/${mine.id}/deliveries/${log.data[0].id}/redeliver`, me);
    assert.equal(again.body.status, 'pending');
    const [, second] = await came(mine, 2);
    assert.deepEqual([second?.headers['webhook-id'], second?.body], [message.headers['webhook-id'], message.body]);
  });

  test('a secret is rotated: for a day both sign, and none is ever shown again', async () => {
    const me = await open(1);
    const made = await hook(me);
    const { body: rotated } = await call('POST', `/api/account/webhooks/${made.id}/rotate-secret`, me);
    assert.notEqual(rotated.secret, made.secret);
    const { body: tried } = await call('POST', `/api/account/webhooks/${made.id}/test`, me);
    assert.deepEqual([tried.outcome, tried.status], ['sent', 200]);
    const [message] = await came(made, 1);
    assert.ok(message);
    for (const secret of [made.secret, rotated.secret]) new Webhook(secret).verify(message.body, message.headers);
    await database.rows('UPDATE webhook SET secret_changed_at = secret_changed_at - 86400001 WHERE id = $1', [made.id]);
    await call('POST', `/api/account/webhooks/${made.id}/test`, me);
    const [, later] = await came(made, 2);
    assert.ok(later);
    new Webhook(rotated.secret).verify(later.body, later.headers);
    assert.throws(() => new Webhook(made.secret).verify(later.body, later.headers));
    assert.ok(!('secret' in (await call('GET', `/api/account/webhooks/${made.id}`, me)).body));
    const [row] = await database.rows<{ secret: Buffer }>('SELECT secret FROM webhook WHERE id = $1', [made.id]);
    assert.ok(!row?.secret.includes(rotated.secret.slice(6)));
  });

  test('a webhook is https to a public address, and follows no redirect', async () => {
    const me = await open(1);
    for (const url of ['http://hooks.example/', 'ftp://hooks.example/']) {
      const refused = await call('POST', '/api/account/webhooks', me, { url });
      assert.equal(refused.status, 400);
    }
    const inside = await call('POST', '/api/account/webhooks', me, { url: `https://127.0.0.1:${data.port}/` });
    const { body: refused } = await call('POST', `/api/account/webhooks/${inside.body.id}/test`, me);
    assert.deepEqual([refused.outcome, refused.status], ['failed', undefined]);
    const leading = await hook(me);
    answers.set(new URL(leading.url).pathname, redirect(`https://localhost:${receiver.port}/elsewhere`));
    const { body: followed } = await call('POST', `/api/account/webhooks/${leading.id}/test`, me);
    assert.deepEqual([followed.outcome, followed.status], ['failed', 302]);
    assert.ok(!receiver.requests.some(({ path }) => path === '/elsewhere'));
  });

  test('what fails is tried again later; after five days of failures the webhook is off, and the others are told', async () => {
    const me = await open(10);
    const { path, url } = page(shop('10.00 EUR'));
    const [failing, other] = [await hook(me, { events: ['target.*'] }), await hook(me, { events: ['webhook.*'] })];
    answers.set(new URL(failing.url).pathname, reply({ status: '500 Broken' }));
    const id = await watch(me, url, PRICE);
    await check(me, id);
    pages.set(path, shop('8.00 EUR'));
    await check(me, id);
    const read = async () => (await call('GET', `/api/account/webhooks/${failing.id}`, me)).body;
    await until(() => holds('webhook WHERE failing_since IS NOT NULL AND lease_until = 0 AND id = $1', failing.id));
    const [row] = await database.rows<{ due_in: number }>(
      `SELECT due_at - created_at AS due_in FROM delivery WHERE webhook_id = $1 AND status = 'pending' AND attempts = 1`,
      [failing.id],
    );
    assert.ok(row && row.due_in > 3_000, JSON.stringify(row));
    // Five days and eight attempts later.
    await database.rows(
      `UPDATE webhook SET failing_since = failing_since - 432000000, failures = 8, rests_until = 0, next_at = 0 WHERE id = $1`,
      [failing.id],
    );
    await database.rows('UPDATE delivery SET due_at = 0, attempts = 7 WHERE webhook_id = $1', [failing.id]);
    await until(() => holds('webhook WHERE NOT is_enabled AND id = $1', failing.id));
    assert.match((await read()).disabled_reason, /Nothing has arrived there for five days/);
    const [told] = await came(other, 1);
    assert.equal(JSON.parse(told?.body ?? '').type, 'webhook.disabled');
    answers.delete(new URL(failing.url).pathname);
    const muted_until = '2999-01-01T01:00:00+01:00';
    const { body: muted } = await call('PATCH', `/api/account/webhooks/${failing.id}`, me, { muted_until });
    assert.equal(muted.muted_until, '2999-01-01T00:00:00.000Z', JSON.stringify(muted));
    await call('PATCH', `/api/account/webhooks/${failing.id}`, me, { muted_until: null });
    const { body: enabled } = await call('PATCH', `/api/account/webhooks/${failing.id}`, me, { enabled: true });
    assert.deepEqual([enabled.enabled, enabled.disabled_reason, enabled.failing_since], [true, undefined, undefined]);
  });

  test('one Idempotency-Key is one check', async () => {
    const me = await open(10);
    const id = await watch(me, page(shop('1.00 EUR')).url);
    const key = { 'idempotency-key': 'once' };
    const runs = await Promise.all(Array.from({ length: 5 }, () => cloud.call('POST', `/api/targets/${id}/run`, me, undefined, key)));
    assert.equal(new Set(runs.map(({ body }) => body.id)).size, 1);
    assert.equal((await balance(me)).spent, 1);
  });

  test('a model lists, makes and checks targets, and reads what changed', async () => {
    const me = await open(10);
    const { path, url } = page(shop('10.00 EUR'));
    const key = (await call('POST', '/api/account/keys', me, { name: 'model' })).body.token as string;
    const client = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', cloud.baseUrl), { requestInit }));
    const use = async (name: string, input: object) => await client.callTool({ name, arguments: { ...input } });
    const made = (await use('target_create', { url, active: false, lane: 'http', ...PRICE })).structuredContent as { id: string };
    await use('target_check', { id: made.id });
    pages.set(path, shop('5.00 EUR'));
    const { structuredContent: run } = await use('target_check', { id: made.id });
    assert.deepEqual([(run as Answer['body']).check.verdict, (run as Answer['body']).credits], ['changed', 1]);
    for (const input of [{}, { id: made.id }]) {
      const { structuredContent: changes } = await use('target_changes', input);
      assert.deepEqual(
        (changes as Answer['body']).data.map((one: { percent: number }) => one.percent),
        [-50],
      );
    }
    const { structuredContent: listed } = await use('target_list', {});
    assert.deepEqual([(listed as Answer['body']).total, (listed as Answer['body']).data[0].id], [1, made.id]);
    pages.delete(path);
    assert.equal((await use('target_check', { id: made.id })).isError, true);
    await client.close();
  });

  test('the end of a crawl is told, and that credits run low and end', async () => {
    const me = await open(10);
    const told = await hook(me, { events: ['crawl.*', 'credits.*', 'run.*'] });
    const { url } = page(shop('10.00 EUR'));
    await call('POST', '/api/crawl', me, { url, limit: 1, lane: 'http', sitemap: 'skip' });
    const [crawl] = await came(told, 1);
    const { type, data: about } = JSON.parse(crawl?.body ?? '');
    assert.deepEqual([type, about.crawl.status, about.crawl.credits.charged], ['crawl.succeeded', 'succeeded', 1]);
    const id = await watch(me, url);
    for (let left = 9; left > 0; left--) await check(me, id);
    const refused = await call('POST', `/api/targets/${id}/run`, me);
    assert.equal(refused.status, 402);
    const events = (await came(told, 12)).map(({ body }) => JSON.parse(body).type as string);
    const counts = [...Map.groupBy(events, (event) => event)].map(([event, all]) => [event, all.length]);
    const expected = { 'crawl.succeeded': 1, 'run.succeeded': 9, 'credits.low': 1, 'credits.exhausted': 1 };
    assert.deepEqual(Object.fromEntries(counts), expected);
  });
});
