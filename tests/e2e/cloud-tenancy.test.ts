// Accounts of one cloud: who may call what, whose rows are seen, and that nothing is left of an account that was deleted.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { ACCOUNT_TABLE, CLOUD_TABLE, listOperations } from '@weft/contract';
import type { Operation } from '@weft/contract';
import { newToken } from '@weft/serve';
import { openDatabase } from '../../packages/cloud/src/db/database.ts';
import { CLOSED_TABLES, SHARED_TABLES } from '../../packages/cloud/src/db/fence.ts';
import type { Database } from '../../packages/cloud/src/db/queries.ts';
import { beginLadder } from '@weft/engine';
import { booksAgree, openTestAccount, startTestCloud } from '../cloud.ts';
import type { Credential, TestAccount, TestCloud } from '../cloud.ts';
import { reply, startRawServer } from '../sites/raw-server.ts';
import type { RawServer } from '../sites/raw-server.ts';

const PAGE = `<!doctype html><title>Kettles</title><h1>Kettles</h1><p>${'Words that a reader finds on a page. '.repeat(20)}`;
const OPERATIONS: readonly Operation[] = [...listOperations(CLOUD_TABLE), ...listOperations(ACCOUNT_TABLE)];

/** An account with something in every table, and the ids of that. */
interface Furnished extends TestAccount {
  readonly api: Credential;
  readonly consumer: Credential;
  readonly slug: string;
  /** By operation or group: what its path names. */
  readonly ids: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

suite('accounts of one cloud', { timeout: 600_000 }, () => {
  let site: RawServer;
  let cloud: TestCloud;
  let database: Database;
  let mine: Furnished;
  let theirs: Furnished;

  before(async () => {
    site = await startRawServer(({ path }) =>
      path === '/robots.txt' ? undefined : reply({ headers: { 'Content-Type': 'text/html' }, body: PAGE }),
    );
    cloud = await startTestCloud({ privateTargets: [`127.0.0.1:${site.port}`], rate: { perSecond: 10_000, burst: 10_000 } });
    database = await openDatabase(cloud.database.url);
    mine = await furnish('mine');
    theirs = await furnish('theirs');
  });
  after(async () => {
    try {
      assert.deepEqual(cloud.logged, []);
      await booksAgree(cloud.database);
    } finally {
      await database.close();
      await cloud[Symbol.asyncDispose]();
      await site.close();
    }
  });

  const made = async (method: string, path: string, by: Credential, body?: object, headers?: Record<string, string>) => {
    const answer = await cloud.call(method, path, by, body, headers);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };

  const furnish = async (name: string): Promise<Furnished> => {
    const account = await openTestAccount(cloud, 100);
    const slug = `slug-of-${name}`;
    const steps = [{ id: 'open', type: 'navigate', url: `${site.origin}/${name}-function` }];
    const workflow = { name, steps, output: 'done' };
    await made('POST', '/api/account/publish', account, { slug, path: 'run', workflow });
    const key = await made('POST', '/api/account/keys', account, { name });
    const consumer = await made('POST', '/api/account/consumer-keys', account, { name, slug, daily_cap: 10 });
    const call = await made('POST', `/v1/${slug}/run`, consumer, {});
    await made('POST', '/api/crawl/scrape', account, { url: `${site.origin}/${name}-page` }, { 'idempotency-key': name });
    const crawl = await made('POST', '/api/crawl', account, { url: `${site.origin}/${name}-crawl`, limit: 1, page_max_age: 60 });
    while ((await made('GET', `/api/crawl/${crawl.id}`, account)).status !== 'succeeded') await new Promise(setImmediate);
    // What waits for a worker, and what a call holds: each is gone once its work is done.
    await database.rows(`INSERT INTO crawl_job (crawl_id, account_id, claim, alive_until) VALUES ($1, $2, $1, now() + interval '1 hour')`, [
      crawl.id,
      account.id,
    ]);
    const buildId = `bld_${name.padEnd(22, '0')}`;
    const picture = `pic_${name.padEnd(22, '0')}`;
    await database.rows(
      `WITH made AS (INSERT INTO build (account_id, asked, ladder, hold_id, budget, is_live) VALUES ($1, $4, $3, $2, 0, false) RETURNING number),
       rung AS (INSERT INTO build_rung (build_id, account_id, build) SELECT $2, $1, number FROM made)
       INSERT INTO build_answer (build, sha256, account_id, bytes) SELECT number, $2, $1, '' FROM made`,
      [
        account.id,
        buildId,
        JSON.stringify(beginLadder(buildId, { respectRobots: true })),
        JSON.stringify({ url: site.origin, objective: 'list pages' }),
      ],
    );
    await database.rows(`INSERT INTO blob (key, account_id, bytes) VALUES ($1, $2, 0)`, [picture, account.id]);
    await database.rows(`INSERT INTO blob_content (key, bytes) VALUES ($1, '')`, [picture]);
    await database.rows(`INSERT INTO picture (id, account_id, blob_key, name, content_type) VALUES ($1, $2, $1, 'page.png', 'image/png')`, [
      picture,
      account.id,
    ]);
    const target = await made('POST', '/api/targets', account, { url: `${site.origin}/${name}-page`, active: false });
    const hook = await made('POST', '/api/account/webhooks', account, { url: `https://${name}.test/hook` });
    const delivery = `msg_${Buffer.from(name).toString('hex').padEnd(32, '0')}`;
    const snapshot = `snp_${name.padEnd(22, '0')}`;
    await database.rows(
      `WITH looked AS (SELECT number FROM target WHERE id = $2),
       kept AS (INSERT INTO target_value (target, key, account_id, known, since_ms) SELECT number, 'k', $1, '{}', 0 FROM looked),
       seen AS (INSERT INTO target_record (target, account_id, key, run_id, body) SELECT number, $1, 'k', 'r', '{}' FROM looked),
       ran AS (INSERT INTO target_run (number, id, account_id, target, trigger, status) SELECT nextval('target_run_number'), $3, $1, number, 'call', 'queued' FROM looked),
       changed AS (INSERT INTO target_change (id, account_id, target, run_id, kind, summary) SELECT $3, $1, number, 'r', 'changed', '' FROM looked),
       held AS (INSERT INTO target_snapshot (id, account_id, target, run_id, url) SELECT $3, $1, number, 'r', '' FROM looked RETURNING number)
       INSERT INTO target_snapshot_part (snapshot, part, account_id, content_type, sha256, bytes, content) SELECT number, 'body', $1, 'text/html', '', 0, '' FROM held`,
      [account.id, target.id, snapshot],
    );
    await database.rows(
      `WITH told AS (INSERT INTO delivery (id, account_id, webhook_id, event, level, subject, data, status, created_at)
         VALUES ($2, $1, $3, 'target.changed', 'info', '{"kind":"target"}', '{"message":"x"}', 'sent', 0) RETURNING number)
       INSERT INTO delivery_try (delivery, account_id, at, body) SELECT number, $1, 0, '{"outcome":"sent","duration_ms":1}' FROM told`,
      [account.id, delivery, hook.id],
    );
    await database.rows(`INSERT INTO crawl_offer (crawl, offer) SELECT number, '{}' FROM crawl WHERE id = $1`, [crawl.id]);
    const [receipt] = (await made('GET', '/api/account/receipts', account)).data;
    const ids = {
      crawls: { id: crawl.id as string },
      jobs: { id: crawl.id as string },
      accountKeys: { id: key.id as string },
      consumerKeys: { id: consumer.id as string },
      publish: { slug, path: 'run' },
      published: { slug, path: 'run' },
      publishedRuns: { id: call.run_id as string },
      credits: { id: receipt.id as string },
      cloudBuilds: { id: buildId },
      accountBuilds: { id: buildId },
      pictures: { id: picture },
      targets: { id: target.id as string },
      targetHistory: { id: target.id as string, snapshot },
      webhooks: { id: hook.id as string, delivery },
    };
    return { ...account, api: { token: key.token }, consumer: { token: consumer.token }, slug, ids };
  };

  /** The path of an operation with the ids of an account. */
  const pathOf = ({ id, path }: Operation, { ids }: Furnished): string =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const [group = ''] = id.split('.');
      const value = ids[group]?.[name];
      assert.ok(value, `${id}: say above which ${name} an account has`);
      return value;
    });

  suite('every row for every credential', () => {
    const expected = ({ credentials, scopes, params }: Operation): Readonly<Record<string, 'in' | 401 | 403 | 404>> => {
      const refused = {
        none: 401,
        local: 401,
        owner: 401,
        api: 401,
        foreign: 401,
        consumer: 401,
        'of another slug': 401,
        device: 401,
      } as const;
      if (credentials?.includes('none')) return { ...refused, none: 'in', owner: 'in', api: 'in', foreign: 'in' };
      if (credentials?.includes('keyless')) return { ...refused, device: 'in' };
      if (credentials?.includes('csk')) return { ...refused, consumer: 'in', 'of another slug': 403 };
      return { ...refused, owner: 'in', api: scopes.includes('admin') ? 403 : 'in', foreign: params ? 404 : 'in' };
    };
    const sent: Readonly<Record<string, object>> = { 'publish.restore': { revision: 1 }, 'accountBuilds.update': { check_hours: 24 } };

    for (const operation of OPERATIONS)
      test(`${operation.id} takes whom its row names`, async () => {
        const shown: Readonly<Record<string, Credential | undefined>> = {
          none: undefined,
          local: { token: newToken('wlt') },
          // What is refused comes first: the owner's call may delete what the others name.
          foreign: theirs,
          api: mine.api,
          consumer: mine.consumer,
          'of another slug': theirs.consumer,
          device: { device: 'device-0000000000000001' },
          owner: mine,
        };
        const wanted = expected(operation);
        for (const [who, credential] of Object.entries(shown)) {
          // A call that comes in is refused for its body, or finds nothing: none changes what the others stand on.
          const isIn = wanted[who] === 'in';
          const path =
            isIn && operation.method !== 'GET' && !operation.body ? operation.path.replaceAll(/\{\w+\}/g, 'none') : pathOf(operation, mine);
          const body = isIn ? { 'wrong member': true } : (sent[operation.id] ?? {});
          const { status } = await cloud.call(
            operation.method,
            path,
            credential,
            operation.body || !isIn ? bodyFor(operation, body) : undefined,
          );
          if (isIn) assert.ok(status !== 401 && status !== 403, `${who}: ${status}`);
          else assert.equal(status, wanted[who], who);
        }
      });

    const bodyFor = ({ method }: Operation, body: object) => (method === 'GET' || method === 'DELETE' ? undefined : body);
  });

  test('a refusal names its own cause: two credentials at once, a device id that is none, a key of the wrong role', async () => {
    const ask = async (path: string, headers: Record<string, string>) => {
      const sent = { 'content-type': 'application/json', ...headers };
      const reply = await fetch(`${cloud.baseUrl}${path}`, {
        method: 'POST',
        headers: sent,
        body: '{"url":"https://example.com","name":"x"}',
      });
      return [reply.status, ((await reply.json()) as { error: string }).error] as const;
    };
    const bearer = { authorization: `Bearer ${'token' in mine.api ? mine.api.token : ''}` };
    const device = { 'x-service-client-id': 'device-0000000000000001' };
    const short = await ask('/v1/keyless/scrape', { 'x-service-client-id': 'short' });
    assert.deepEqual(short, [
      401,
      'Send a device id of 16 to 128 letters, digits, "-" and "_" in the header X-Service-Client-Id, and no token.',
    ]);
    const [both, why] = await ask('/v1/keyless/scrape', { ...bearer, ...device });
    assert.equal(both, 401);
    assert.match(why, /^A token and a device id \(X-Service-Client-Id\) were sent.* Send a device id .* and no token\.$/);
    const [metered, sentence] = await ask('/api/crawl/scrape', { ...bearer, ...device });
    assert.equal(metered, 401);
    assert.match(sentence, /Send an API key of this cloud/);
    const role = await ask('/api/account/keys', bearer);
    assert.deepEqual(role, [403, 'accountKeys.create is for an owner of the account: call it with a key of the role owner.']);
  });

  test('what an account has can be named by no other, in a body neither', async () => {
    const call = (path: string, body: object) => cloud.call('POST', path, theirs, body);
    assert.equal((await call('/api/account/consumer-keys', { name: 'x', slug: mine.slug })).status, 404);
    const workflow = { name: 'x', steps: [{ id: 'open', type: 'navigate', url: site.origin }] };
    assert.equal((await call('/api/account/publish', { slug: mine.slug, path: 'x', workflow })).status, 409);
    const place = { slug: mine.slug, path: 'run' };
    assert.equal((await call('/api/account/estimate', { operation: 'published.call', input: place })).status, 404);
    assert.equal((await cloud.call('DELETE', `/api/account?confirm=${mine.id}`, theirs)).status, 400);
  });

  suite('the second fence', () => {
    const tables = async () => (await database.rows<{ name: string }>(TABLES)).map(({ name }) => name);
    const fenced = async () => (await tables()).filter((name) => !(name in SHARED_TABLES) && !CLOSED_TABLES.includes(name));
    const unfenced = async () =>
      (await database.rows<{ name: string }>(`${TABLES} AND NOT EXISTS (SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid)`))
        .map(({ name }) => name)
        .filter((name) => !(name in SHARED_TABLES) && !CLOSED_TABLES.includes(name));

    test('stands round every table of accounts, and a table without it is seen', async () => {
      assert.deepEqual(await unfenced(), []);
      await database.rows('CREATE TABLE loose (id int)');
      assert.deepEqual(await unfenced(), ['loose']);
      await assert.rejects(() => database.as(mine.id, () => database.rows('SELECT * FROM loose')), /permission denied/);
      await database.rows('DROP TABLE loose');
    });

    test('an account sees its own rows of each table, and none of another', async () => {
      const hold = `INSERT INTO hold (id, account_id, amount, operation, until_at) VALUES ($1, $1, 1, 'x', now())`;
      for (const { id } of [mine, theirs]) await database.rows(hold, [id]);
      for (const table of await fenced()) {
        const seenBy = async ({ id }: TestAccount) =>
          new Set(
            (await database.as(id, () => database.rows<{ place: string }>(`SELECT ctid::text AS place FROM ${table}`))).map(
              ({ place }) => place,
            ),
          );
        const [own, foreign] = [await seenBy(mine), await seenBy(theirs)];
        assert.ok(own.size > 0 && foreign.size > 0, `${table}: both accounts have something there`);
        assert.deepEqual(
          [...own].filter((place) => foreign.has(place)),
          [],
          table,
        );
        assert.equal(
          (await database.as(undefined, () => database.rows(`SELECT 1 FROM ${table}`))).length,
          0,
          `${table}: nobody sees nothing`,
        );
      }
      for (const { id } of [mine, theirs]) await database.rows('DELETE FROM hold WHERE id = $1', [id]);
    });

    test('it holds in a transaction, and ends with it', async () => {
      const count = async () => (await database.find<{ n: number }>('SELECT count(*) AS n FROM account'))?.n;
      const all = await count();
      assert.ok(all !== undefined && all > 1);
      const within = await database.as(mine.id, () => database.transaction(async () => [await count(), await database.as(mine.id, count)]));
      assert.deepEqual(within, [1, 1]);
      assert.equal(await count(), all);
      await assert.rejects(
        async () => database.as(mine.id, () => database.transaction(async () => database.as(theirs.id, count))),
        /another account/,
      );
      await assert.rejects(async () => database.as(`x'; RESET ROLE; --`, count), /is none/);
    });

    test('no row is written for another account', async () => {
      const write = () => database.rows(`INSERT INTO scrape (id, account_id, answer) VALUES ('scr_x', $1, '{}')`, [mine.id]);
      await assert.rejects(() => database.as(theirs.id, write), /row-level security/);
    });

    test('movements of credits are added, and neither changed nor deleted', async () => {
      for (const statement of ['UPDATE ledger SET amount = 1', 'DELETE FROM ledger', 'TRUNCATE ledger'])
        await assert.rejects(() => database.as(mine.id, () => database.rows(statement)), /permission denied/, statement);
    });

    test('what the program keeps for itself is closed', async () => {
      for (const table of CLOSED_TABLES)
        await assert.rejects(() => database.as(mine.id, () => database.rows(`SELECT * FROM ${table}`)), /permission denied/);
    });
  });

  test('what is past the time of its account goes, and what is not stays', async () => {
    const { id } = mine;
    assert.equal((await cloud.call('PATCH', '/api/account', mine, { retention_days: 0 })).status, 400);
    assert.equal((await made('PATCH', '/api/account', mine, { retention_days: 2 })).retention_days, 2);
    for (const account of [mine, theirs])
      await database.rows(`UPDATE scrape SET at = now() - interval '3 days' WHERE account_id = $1`, [account.id]);
    // One process a minute puts things in order.
    await database.rows('DELETE FROM upkeep');
    await using another = await startTestCloud({ database: cloud.database });
    assert.ok(another.baseUrl);
    const kept = await database.rows<{ account_id: string }>('SELECT account_id FROM scrape');
    assert.deepEqual([kept.some((row) => row.account_id === id), kept.some((row) => row.account_id === theirs.id)], [false, true]);
  });

  test('receipts say what each call was charged, as the ledger does', async () => {
    const { data } = await made('GET', '/api/account/receipts', theirs);
    const shown = data.map(({ operation, status, reserved, charged, refunded }: Record<string, unknown>) => [
      operation,
      status,
      reserved,
      charged,
      refunded,
    ]);
    assert.deepEqual(shown, [
      ['crawls.start', 'settled', 2, 1, 1],
      ['scrape.page', 'settled', 1, 1, 0],
      ['published.call', 'settled', 1, 1, 0],
    ]);
    assert.deepEqual(await made('GET', `/api/account/receipts/${data[0].id}`, theirs), data[0]);
  });

  test('the price list names what the ledger names, and an estimate is what a call reserves', async () => {
    const { data: prices } = await made('GET', '/api/account/prices', theirs);
    const { data: entries } = await made('GET', '/api/account/ledger', theirs);
    const listed = new Set(prices.map(({ operation }: { operation: string }) => operation));
    for (const { operation } of entries) assert.ok(operation === undefined || listed.has(operation), operation);
    const url = site.origin;
    const cases: readonly (readonly [operation: string, input: object, least: number, most: number])[] = [
      ['scrape.page', { url }, 1, 2],
      ['scrape.page', { url, lane: 'browser' }, 2, 2],
      ['crawls.start', { url, limit: 10, lane: 'http' }, 1, 10],
      ['crawls.start', { url, limit: 10, max_credits: 15 }, 1, 15],
      ['published.call', { slug: theirs.slug, path: 'run' }, 1, 2],
      ['mcp.map', { url }, 1, 1],
    ];
    for (const [operation, input, least, most] of cases) {
      const told = await made('POST', '/api/account/estimate', theirs, { operation, input });
      assert.deepEqual([told.least, told.most, told.is_covered], [least, most, true], operation);
    }
  });

  // The last one: it ends what the others stand on.
  test("of a deleted account no row is left in any table, and its keys and slugs are nobody's", async () => {
    const gone = await furnish('gone');
    const marks = [gone.id, 'gone-', gone.slug, ...Object.values(gone.ids).flatMap((ids) => Object.values(ids))].filter(
      (mark) => mark !== 'run',
    );
    const left = async () => {
      const found: string[] = [];
      for (const { name } of await database.rows<{ name: string }>(TABLES)) {
        const rows = await database.rows<{ text: string }>(`SELECT t::text AS text FROM ${name} t`);
        if (rows.some(({ text }) => marks.some((mark) => text.includes(mark)))) found.push(name);
      }
      return found;
    };
    const named = await left();
    for (const table of [
      'account',
      'account_key',
      'consumer_key',
      'crawl',
      'crawl_url',
      'crawl_page',
      'idempotency',
      'ledger',
      'published_run',
      'scrape',
    ])
      assert.ok(named.includes(table), `${table} has something of it`);
    assert.equal((await cloud.call('DELETE', '/api/account?confirm=acct_other', gone)).status, 400);
    assert.equal((await cloud.call('DELETE', `/api/account?confirm=${gone.id}`, gone)).status, 204);
    assert.deepEqual(await left(), []);
    for (const credential of [gone, gone.api]) assert.equal((await cloud.call('GET', '/api/account', credential)).status, 401);
    assert.equal((await cloud.call('POST', `/v1/${gone.slug}/run`, gone.consumer, {})).status, 401);
    const workflow = { name: 'x', steps: [{ id: 'open', type: 'navigate', url: site.origin }] };
    assert.equal((await cloud.call('POST', '/api/account/publish', theirs, { slug: gone.slug, path: 'x', workflow })).status, 409);
  });
});

const TABLES = `SELECT c.relname AS name FROM pg_class c WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace`;
