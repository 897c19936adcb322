// What targets of the cloud saw over time: how a value went, and feeds that a reader opens by a link alone.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { openDatabase } from '../../packages/cloud/src/db/database.ts';
import type { Database } from '../../packages/cloud/src/db/queries.ts';
import { openTestAccount, startTestCloud } from '../cloud.ts';
import type { Answer, TestAccount, TestCloud } from '../cloud.ts';
import { reply, startRawServer } from '../sites/raw-server.ts';
import type { RawServer } from '../sites/raw-server.ts';

const WORDS = 'Words that a reader finds on a page. '.repeat(5);

suite('targets of the cloud over time', { timeout: 300_000 }, () => {
  let site: RawServer;
  let cloud: TestCloud;
  let database: Database;
  let shown = '';
  let me: TestAccount;
  let stranger: TestAccount;
  /** A target whose price was three others and whose text changed once. */
  let id: string;

  const call = (method: string, path: string, as?: TestAccount, body?: unknown): Promise<Answer> => cloud.call(method, path, as, body);
  const history = async (path: string, as = me): Promise<Answer['body']> => {
    const { status, body } = await call('GET', `/api/account/targets/${path}`, as);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const see = async (price: string, note: string) => {
    shown = `<!doctype html><title>Shop</title><h1>Kettle</h1><p id="price">${price}</p><p id="note">${note}</p><p>${WORDS}`;
    const { status, body } = await call('POST', `/api/targets/${id}/run`, me);
    assert.equal(status, 200, JSON.stringify(body));
  };

  before(async () => {
    site = await startRawServer(({ path }) =>
      path === '/robots.txt' ? undefined : reply({ headers: { 'Content-Type': 'text/html' }, body: shown }),
    );
    cloud = await startTestCloud({ privateTargets: [`127.0.0.1:${site.port}`] });
    database = await openDatabase(cloud.database.url);
    [me, stranger] = [await openTestAccount(cloud, 50), await openTestAccount(cloud, 50)];
    const selectors = [{ selector: '#price', extractors: [{ type: 'price', name: 'cost' }] }, { selector: '#note' }];
    const target = { url: site.origin, name: 'Kettle & co', active: false, lane: 'http', selectors };
    ({ id } = (await call('POST', '/api/targets', me, target)).body);
    for (const [price, note] of [
      ['10.00 EUR', 'one old kettle'],
      ['10.00 EUR', 'one old kettle'],
      ['12.00 EUR', 'one old kettle'],
      ['8.00 EUR', 'one new kettle'],
    ] as const)
      await see(price, note);
  });
  after(async () => {
    await database.close();
    await cloud[Symbol.asyncDispose]();
    await site.close();
    assert.deepEqual(cloud.logged, []);
  });

  test('a value goes from point to point: one for each time at which it became another', async () => {
    const { body: target } = await call('GET', `/api/targets/${id}`, me);
    const [price, note] = target.selectors;
    const ofPrice = `${id}/values?selector_id=${price.id}&extractor_id=${price.extractors[0].id}`;
    const all = await history(ofPrice);
    assert.deepEqual(
      all.data.map(({ value }: { value: { amount_minor: number } }) => value.amount_minor),
      [1000, 1200, 800],
    );
    assert.match(all.data[0].run_id, /^run_/);
    assert.deepEqual([all.count, all.next_cursor], [3, undefined]);
    const first = await history(`${ofPrice}&limit=2`);
    const rest = await history(`${ofPrice}&limit=2&cursor=${first.next_cursor}`);
    assert.deepEqual([...first.data, ...rest.data], all.data);
    assert.deepEqual(
      (await history(`${ofPrice}&since=${all.data[1].at}&until=${all.data[1].at}`)).data.map(({ at }: { at: string }) => at),
      [all.data[1].at],
    );
    assert.deepEqual(
      (await history(`${id}/values?selector_id=${note.id}`)).data.map(({ text }: { text: string }) => text),
      ['one old kettle', 'one new kettle'],
    );
    const refused = await call('GET', `/api/account/targets/${id}/values?extractor_id=1`, me);
    assert.deepEqual([refused.status, refused.body.code], [400, 'bad_request']);
    for (const query of ['', '?selector_id=99', `?selector_id=${price.id}`]) {
      const none = await call('GET', `/api/account/targets/${id}/values${query}`, me);
      assert.deepEqual([none.status, none.body.code], [400, 'bad_request'], query);
      assert.ok(none.body.error.includes(`"cost" (selector_id=${price.id}&extractor_id=${price.extractors[0].id})`), none.body.error);
    }
  });

  test('in buckets it has its least, its most and its mean, and goes on behind a cut', async () => {
    // As if a day lay between the second value and the third.
    await database.rows(
      `UPDATE target_record r SET created_at = r.created_at - interval '1 day' * (SELECT count(*) FROM target_record later
         WHERE later.target = r.target AND later.key = r.key AND later.number > r.number) WHERE account_id = $1`,
      [me.id],
    );
    const { body: target } = await call('GET', `/api/targets/${id}`, me);
    const [price] = target.selectors;
    const asked = `${id}/values?selector_id=${price.id}&extractor_id=${price.extractors[0].id}&bucket=day`;
    const { data } = await history(asked);
    assert.deepEqual(
      data.map(
        ({
          points,
          min,
          max,
          currency,
          first,
          last,
        }: Record<string, unknown> & { first: { amount_minor: number }; last: { amount_minor: number } }) => [
          points,
          min,
          max,
          currency,
          first.amount_minor,
          last.amount_minor,
        ],
      ),
      [
        [1, 1000, 1000, 'EUR', 1000, 1000],
        [1, 1000, 1200, 'EUR', 1000, 1200],
        [1, 800, 1200, 'EUR', 1200, 800],
      ],
    );
    const cut = await history(`${asked}&limit=1`);
    // The mean of the last one goes on.
    const meant = (all: { mean: number }[]) => all.map(({ mean, ...bucket }, i) => (i === all.length - 1 ? bucket : { ...bucket, mean }));
    assert.deepEqual(meant((await history(`${asked}&cursor=${cut.next_cursor}`)).data), meant(data.slice(1)));
  });

  test('a feed is Atom, with the differences, for whoever has its link', async () => {
    const { url } = await history(`feed-link?target_id=${id}`);
    const link = new URL(url);
    assert.equal(link.origin, cloud.baseUrl);
    const { status, headers, body: feed } = await call('GET', link.pathname + link.search);
    assert.deepEqual([status, headers.get('content-type')], [200, 'application/atom+xml; charset=utf-8']);
    const { body: changes } = await call('GET', `/api/targets/${id}/changes`, me);
    const ids = [...feed.matchAll(/<id>tag:127\.0\.0\.1,2026:(chg_[\w-]+)<\/id>/g)].map(([, found]) => found);
    assert.deepEqual(
      ids,
      changes.data.map((change: { id: string }) => change.id),
    );
    assert.equal(ids.length, 3);
    assert.ok(feed.includes('<title>Changes of Kettle &#38; co</title>'));
    assert.ok(feed.includes(`<link rel="self" type="application/atom+xml" href="${url.replaceAll('&', '&#38;')}"/>`));
    assert.ok(feed.includes('&#60;del&#62;old&#60;/del&#62;&#60;ins&#62;new&#60;/ins&#62;'), feed);
    const all = new URL((await history('feed-link')).url);
    assert.equal((await call('GET', `${all.pathname}${all.search}&limit=1`)).body.match(/<entry>/g).length, 1);
  });

  test('a link shows one feed, and holds as long as the key that asked for it', async () => {
    const { body: reader } = await call('POST', '/api/account/keys', me, { name: 'reader' });
    const link = new URL((await history(`feed-link?target_id=${id}`, { ...me, token: reader.token })).url);
    const statusOf = async (change: (query: URLSearchParams) => void) => {
      const query = new URLSearchParams(link.search);
      change(query);
      return (await call('GET', `${link.pathname}?${query}`)).status;
    };
    assert.equal(await statusOf(() => undefined), 200);
    assert.equal(await statusOf((query) => query.delete('target_id')), 404);
    assert.equal(await statusOf((query) => query.set('key', `key_${'a'.repeat(22)}`)), 404);
    assert.equal(await statusOf((query) => query.set('signature', 'x')), 404);
    assert.equal(await statusOf((query) => query.delete('signature')), 400);
    assert.equal((await call('GET', `/api/account/targets/feed-link?target_id=${id}`, stranger)).status, 404);
    assert.equal((await call('GET', `/api/account/targets/${id}/values`, stranger)).status, 404);
    assert.equal((await call('DELETE', `/api/account/keys/${reader.id}`, me)).status, 204);
    assert.equal(await statusOf(() => undefined), 404);
  });
});
