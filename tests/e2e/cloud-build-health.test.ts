// Published functions of the cloud are proved again: paid by the page, told to webhooks, and replaced when their owner says so.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { openDatabase } from '../../packages/cloud/src/db/database.ts';
import type { Database } from '../../packages/cloud/src/db/queries.ts';
import { booksAgree, openTestAccount, startTestCloud } from '../cloud.ts';
import type { TestAccount, TestCloud } from '../cloud.ts';
import { startEditedShop } from '../sites/edited-shop.ts';
import type { EditedShop } from '../sites/edited-shop.ts';
import { until } from '../until.ts';

const SEARCH = 'search_products';

suite('health of what the cloud has published', { timeout: 600_000 }, () => {
  let shop: EditedShop;
  let cloud: TestCloud;
  let owner: TestAccount;
  let database: Database;
  let id: string;
  let hook: string;
  before(async () => {
    shop = await startEditedShop();
    cloud = await startTestCloud({ privateTargets: [new URL(shop.origin).host] });
    owner = await openTestAccount(cloud, 1000);
    database = await openDatabase(cloud.database.url);
    // Nobody listens there: what was told is read from its log.
    hook = (await cloud.call('POST', '/api/account/webhooks', owner, { url: 'https://127.0.0.1:9/' })).body.id as string;
    const asked = { url: shop.origin, objective: 'search products by name', slug: 'teas' };
    id = (await cloud.call('POST', '/api/v1/website-to-api', owner, asked)).body.build_id as string;
    await ended(id);
  });
  after(async () => {
    const agree = booksAgree(cloud.database);
    await agree.catch(() => undefined);
    await database.close();
    await cloud[Symbol.asyncDispose]();
    await shop.close();
    assert.deepEqual(cloud.logged, []);
    await agree;
  });

  const read = async (of = id, as = owner) => (await cloud.call('GET', `/api/v1/website-to-api/${of}`, as)).body;
  const act = async (verb: string, of = id, as = owner) => await cloud.call('POST', `/api/account/builds/${of}/${verb}`, as);
  const numberOf = async (of: string) =>
    (await database.find<{ build: number }>('SELECT build FROM build_rung WHERE build_id = $1', [of]))?.build;
  const ended = async (of: string) => {
    const number = await numberOf(of);
    await until(async () => (await database.rows('SELECT 1 FROM build WHERE number = $1 AND is_live', [number])).length === 0);
  };
  /** Proves it again, and waits for that. */
  const check = async (of = id, as = owner) => {
    const number = await numberOf(of);
    const done = async () => (await database.find<{ checks: number }>('SELECT checks FROM build WHERE number = $1', [number]))?.checks ?? 0;
    const before = await done();
    assert.equal((await act('check', of, as)).status, 202);
    await until(async () => (await done()) > before);
    return (await read(of, as)).health;
  };
  const told = async () => {
    const { body } = await cloud.call('GET', `/api/account/webhooks/${hook}/deliveries`, owner);
    return (body.data as { id: string; event: string; level: string }[]).toReversed();
  };
  const spent = async () => (await cloud.call('GET', '/api/account/credits', owner)).body.spent as number;

  test('a check costs the pages that it asks for, and a day lies before the next one', async () => {
    const { health, published } = await read();
    assert.deepEqual([health.state, health.check_hours, health.functions], ['healthy', 24, []]);
    const [paid, asked] = [await spent(), shop.requests.length];
    const checked = await check();
    assert.deepEqual([checked.state, checked.functions.length], ['healthy', published.length]);
    const pages = shop.requests.slice(asked).filter((path) => path !== '/robots.txt').length;
    assert.equal((await spent()) - paid, pages);
    const [{ checked_at: at }] = checked.functions;
    assert.equal(Date.parse(checked.next_check_at as string) - Date.parse(at as string), 24 * 3_600_000);
  });

  test('three broken proofs in a row fail, and webhooks are told of each turn', async () => {
    shop.spoil('captcha');
    const states: string[] = [];
    for (let i = 0; i < 3; i++) states.push((await check()).state as string);
    assert.deepEqual(states, ['degraded', 'degraded', 'failed']);
    shop.spoil();
    assert.equal((await check()).state, 'healthy');
    const all = await told();
    assert.deepEqual(
      all.map(({ event, level }) => [event, level]),
      [
        ['build.succeeded', 'info'],
        ['build.degraded', 'warning'],
        ['build.failed', 'error'],
        ['build.recovered', 'info'],
      ],
    );
    const { body } = await cloud.call('GET', `/api/account/webhooks/${hook}/deliveries/${all[1]?.id}`, owner);
    assert.match(body.data.message as string, /search_products is degraded: .*asks to show that a person is asking/);
    assert.deepEqual([body.subject.kind, body.data.functions[0].change.kind], ['build', 'captcha']);
  });

  test('the end of a call is told', async () => {
    const { body: key } = await cloud.call('POST', '/api/account/consumer-keys', owner, { name: 'a café', slug: 'teas' });
    await cloud.call('POST', '/v1/teas/search-products', { token: key.token as string }, { q: 'iced' });
    shop.spoil('error');
    await cloud.call('POST', '/v1/teas/search-products', { token: key.token as string }, { q: 'iced' });
    shop.spoil();
    assert.deepEqual(
      (await told()).slice(4).map(({ event }) => event),
      ['run.succeeded', 'run.failed'],
    );
  });

  test('what is built again names the field that is gone, and replaces nothing until it is accepted', async () => {
    shop.spoil('field_gone');
    assert.deepEqual((await check()).functions[0].change.kind, 'field_gone');
    const again = async () => {
      const begun = await act('rebuild');
      assert.equal(begun.status, 202);
      await ended(begun.body.build_id as string);
      return await read(begun.body.build_id as string);
    };
    const declined = await again();
    const change = declined.diff.changed.find(({ name }: { name: string }) => name === SEARCH);
    assert.deepEqual([declined.proposal, change.fields.gone, declined.published], ['open', ['price'], undefined]);
    assert.equal((await act('decline', declined.build_id as string)).body.proposal, 'declined');
    assert.equal((await act('accept', declined.build_id as string)).status, 409);
    const revision = async () => (await cloud.call('GET', '/api/account/publish/teas/search-products', owner)).body.revision as number;
    assert.equal(await revision(), 1);
    const accepted = await again();
    const { body } = await act('accept', accepted.build_id as string);
    assert.deepEqual([body.proposal, await revision(), body.published.length], ['accepted', 2, accepted.functions.length]);
    assert.equal((await read()).health.next_check_at, undefined);
    assert.equal((await check(accepted.build_id as string)).state, 'healthy');
    assert.equal((await act('check')).status, 409);
    shop.spoil();
  });

  test('without credits it says why it could not look; null switches it off; nobody else may', async () => {
    const poor = await openTestAccount(cloud, 60);
    const asked = { url: shop.origin, objective: 'search products by name', slug: 'poor', max_credits: 60, check_hours: 1 };
    const { body: begun } = await cloud.call('POST', '/api/v1/website-to-api', poor, asked);
    await ended(begun.build_id as string);
    let health = (await read(begun.build_id as string, poor)).health;
    for (let i = 0; i < 10 && health.unchecked === undefined; i++) health = await check(begun.build_id as string, poor);
    assert.match(health.unchecked as string, /credits/);
    assert.deepEqual([health.state, health.next_check_at !== undefined], ['healthy', true]);
    const off = await cloud.call('PATCH', `/api/account/builds/${begun.build_id}`, poor, { check_hours: null });
    assert.deepEqual([off.body.health.check_hours, off.body.health.next_check_at], [null, undefined]);
    assert.equal((await cloud.call('POST', `/api/account/builds/${begun.build_id}/check`, owner)).status, 404);
  });
});
