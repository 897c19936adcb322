// Sites that become APIs on the cloud: built by a worker, paid by the page, published, and called by whoever has a key.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { openDatabase } from '../../packages/cloud/src/db/database.ts';
import type { Database } from '../../packages/cloud/src/db/queries.ts';
import { booksAgree, openTestAccount, startTestCloud } from '../cloud.ts';
import type { TestAccount, TestCloud } from '../cloud.ts';
import { startTeaShop } from '../sites/tea-shop.ts';
import type { TeaShop } from '../sites/tea-shop.ts';
import { until } from '../until.ts';

const OBJECTIVE = 'search products by name';

suite('builds of the cloud', { timeout: 600_000 }, () => {
  let shop: TeaShop;
  let cloud: TestCloud;
  let owner: TestAccount;
  let database: Database;
  before(async () => {
    shop = await startTeaShop();
    cloud = await startTestCloud({ privateTargets: [new URL(shop.origin).host] });
    owner = await openTestAccount(cloud, 1000);
    database = await openDatabase(cloud.database.url);
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

  /** The newest rung, once the build has ended. */
  const ended = async (id: string) => {
    const live = 'SELECT 1 FROM build_rung JOIN build ON number = build WHERE build_id = $1 AND is_live';
    await until(async () => (await database.rows(live, [id])).length === 0);
    for (let at = id; ;) {
      const { body } = await cloud.call('GET', `/api/v1/website-to-api/${at}`, owner);
      if (body.fallback_build_id === undefined) return body;
      at = body.fallback_build_id as string;
    }
  };

  test('what is proved is published under its slug, called with a consumer key, and paid by the page', async () => {
    const begun = await cloud.call('POST', '/api/v1/website-to-api', owner, { url: shop.origin, objective: OBJECTIVE, slug: 'teas' });
    assert.deepEqual([begun.status, begun.body.status, begun.body.credits], [202, 'queued', { charged: 0, budget: 300 }]);
    const asked = shop.requests.length;
    const build = await ended(begun.body.build_id as string);
    assert.deepEqual([build.status, build.rung, build.respect_robots, build.ai_supervise], ['proved', 'static', true, false]);
    const pages = shop.requests.slice(asked).filter((path) => path !== '/robots.txt').length;
    assert.equal(build.credits.charged, pages);
    const { body: balance } = await cloud.call('GET', '/api/account/credits', owner);
    assert.deepEqual([balance.spent, balance.held], [pages, 0]);
    assert.deepEqual(
      build.published.map(({ url }: { url: string }) => new URL(url).pathname),
      ['/v1/teas/search-products', '/v1/teas/list-products', '/v1/teas/get-product'],
    );
    const { body: key } = await cloud.call('POST', '/api/account/consumer-keys', owner, { name: 'a café', slug: 'teas' });
    const called = await cloud.call('POST', '/v1/teas/search-products', { token: key.token as string }, { q: 'white coffee' });
    const truth = shop.products.filter(({ title }) => title.startsWith('White Coffee')).map(({ title }) => title);
    assert.deepEqual([called.status, called.body.data.map(({ title }: { title: string }) => title)], [200, truth]);
  });

  test('a discovery answers what was found and drafts nothing', async () => {
    const begun = await cloud.call('POST', '/api/v1/deep-discovery', owner, { url: shop.origin });
    const found = await ended(begun.body.build_id as string);
    assert.deepEqual([found.status, found.functions, found.openapi], ['found', undefined, undefined]);
    assert.ok(found.evidence.forms.length > 0 && found.evidence.listings.length > 0 && found.evidence.candidates.length > 0);
  });

  test('another account sees nothing of it, an api key can not publish, and without credits there is none', async () => {
    const begun = await cloud.call('POST', '/api/v1/website-to-api', owner, { url: shop.origin, objective: OBJECTIVE });
    const other = await openTestAccount(cloud, 10);
    assert.equal((await cloud.call('GET', `/api/v1/website-to-api/${begun.body.build_id}`, other)).status, 404);
    const poor = await cloud.call('POST', '/api/v1/website-to-api', other, { url: shop.origin, objective: OBJECTIVE });
    assert.deepEqual([poor.status, poor.body.code], [402, 'insufficient_credits']);
    const { body: api } = await cloud.call('POST', '/api/account/keys', owner, { name: 'api', role: 'api' });
    const refused = await cloud.call(
      'POST',
      '/api/v1/website-to-api',
      { token: api.token as string },
      { url: shop.origin, objective: OBJECTIVE, slug: 'teas' },
    );
    assert.deepEqual([refused.status, refused.body.code], [403, 'forbidden']);
    await ended(begun.body.build_id as string);
  });
});
