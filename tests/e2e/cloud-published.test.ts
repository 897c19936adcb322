// Published workflows of the cloud: what can be published, who may call it, what it costs, and what its owner sees.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { booksAgree, openTestAccount, startTestCloud } from '../cloud.ts';
import type { Credential, TestAccount, TestCloud } from '../cloud.ts';
import { reply, startRawServer } from '../sites/raw-server.ts';
import type { RawServer } from '../sites/raw-server.ts';

const ITEMS = ['Copper kettle', 'Steel kettle', 'Iron kettle'].map((name) => `<li class="item"><b>${name}</b></li>`).join('');
const PAGE = `<!doctype html><title>Kettles</title><h1>Kettles</h1><ul>${ITEMS}</ul><p>${'Words that a reader finds on a page. '.repeat(20)}`;

suite('published workflows', { timeout: 600_000 }, () => {
  let site: RawServer;
  let cloud: TestCloud;
  let owner: TestAccount;
  let consumer: Credential;

  const workflow = (more: object = {}) => ({
    name: 'Kettles',
    inputs: { type: 'object', properties: { page: { type: 'string', default: 'kettles' } } },
    steps: [
      { id: 'open', type: 'navigate', url: `${site.origin}/{{inputs.page}}` },
      { id: 'items', type: 'extractList', selectors: ['.item'], fields: { name: { selectors: ['b'] } } },
    ],
    ...more,
  });
  const publish = (slug: string, path: string, body: object = workflow(), by: Credential = owner) =>
    cloud.call('POST', '/api/account/publish', by, { slug, path, workflow: body });
  const mint = async (body: object, by: Credential = owner): Promise<Credential> => {
    const { status, body: minted } = await cloud.call('POST', '/api/account/consumer-keys', by, { name: 'a shop', ...body });
    assert.equal(status, 201, JSON.stringify(minted));
    return { token: minted.token as string };
  };
  const call = (path: string, by: Credential | undefined, inputs: unknown = {}, headers = {}) =>
    cloud.call('POST', `/v1/${path}`, by, inputs, headers);
  const balance = async (of: Credential = owner) => (await cloud.call('GET', '/api/account/credits', of)).body;

  before(async () => {
    site = await startRawServer({
      '/kettles': reply({ headers: { 'Content-Type': 'text/html' }, body: PAGE }),
      '/empty': reply({ headers: { 'Content-Type': 'text/html' }, body: `<h1>Nothing</h1><p>${'Words of a page. '.repeat(30)}` }),
    });
    cloud = await startTestCloud({ privateTargets: [`127.0.0.1:${site.port}`] });
    owner = await openTestAccount(cloud, 100);
    assert.equal((await publish('kettles', 'list')).status, 201);
    consumer = await mint({ slug: 'kettles' });
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

  test('a consumer key calls a function for its rows, at the price of its lane, which the owner pays', async () => {
    const before = await balance();
    const answer = await call('kettles/list', consumer);
    assert.deepEqual([answer.status, answer.body.status, Object.keys(answer.body)], [200, 'succeeded', ['data', 'status', 'run_id']]);
    assert.deepEqual(answer.body.data, [{ name: 'Copper kettle' }, { name: 'Steel kettle' }, { name: 'Iron kettle' }]);
    assert.equal((await balance()).spent - before.spent, 1);
    const run = await cloud.call('GET', `/api/account/runs/${answer.body.run_id}`, owner);
    assert.deepEqual([run.body.rows, run.body.credits, run.body.lane, run.body.data.length], [3, 1, 'http', 3]);
    assert.deepEqual(run.body.steps.filter(({ status }: { status: string }) => status === 'succeeded').length, 2);
  });

  test('a workflow with an output answers that', async () => {
    const output = { first: '{{steps.items.out[0].name}}' };
    assert.equal((await publish('kettles', 'first', workflow({ output }))).status, 201);
    assert.deepEqual((await call('kettles/first', consumer)).body.data, { first: 'Copper kettle' });
  });

  test('a failed run is an answer, and costs nothing', async () => {
    const before = await balance();
    const { status, body } = await call('kettles/list', consumer, { page: 'empty' });
    assert.deepEqual([status, body.status, body.failure.code, body.data], [200, 'failed', 'no_rows', []]);
    assert.deepEqual(await balance(), before);
  });

  test('inputs are held against the schema of the workflow', async () => {
    const answer = await call('kettles/list', consumer, { page: 7 });
    assert.deepEqual([answer.status, answer.body.code], [400, 'bad_request']);
    assert.match(answer.body.error, /inputs\.page/);
    assert.equal((await call('kettles/list', consumer, { other: 'x' })).status, 400);
  });

  test('one Idempotency-Key is one run', async () => {
    const before = await balance();
    const answers = await Promise.all(Array.from({ length: 5 }, () => call('kettles/list', consumer, {}, { 'idempotency-key': 'once' })));
    assert.equal(new Set(answers.map(({ body }) => body.run_id)).size, 1);
    assert.equal((await balance()).spent - before.spent, 1);
  });

  test('without credits a call is refused, and counted by no cap', async () => {
    const poor = await openTestAccount(cloud, 1);
    await publish('poor', 'list', workflow(), poor);
    const key = await mint({ slug: 'poor', daily_cap: 2 }, poor);
    assert.equal((await call('poor/list', key)).status, 200);
    for (let i = 0; i < 3; i++) {
      const { status, body } = await call('poor/list', key);
      assert.deepEqual([status, body.code, body.needed], [402, 'insufficient_credits', 1]);
    }
    const listed = await cloud.call('GET', '/api/account/consumer-keys', poor);
    assert.equal(listed.body.data[0].calls_today, 1);
  });

  test('a key is for its slug, its paths and its calls of a day, and for nothing once it is deleted', async () => {
    await publish('pots', 'list');
    const key = await mint({ slug: 'kettles', paths: ['list'], daily_cap: 1 });
    assert.equal((await call('pots/list', key)).status, 403);
    assert.equal((await call('nothing/list', key)).status, 403);
    assert.equal((await call('kettles/first', key)).status, 403);
    assert.equal((await call('kettles/nothing', consumer)).status, 404);
    assert.equal((await call('kettles/list', key)).status, 200);
    const refused = await call('kettles/list', key);
    assert.deepEqual([refused.status, refused.body.code], [429, 'too_many_requests']);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    const { data } = (await cloud.call('GET', '/api/account/consumer-keys?slug=kettles', owner)).body;
    const { id } = data.find(({ daily_cap: cap }: { daily_cap?: number }) => cap === 1);
    assert.equal((await cloud.call('DELETE', `/api/account/consumer-keys/${id}`, owner)).status, 204);
    assert.equal((await call('kettles/list', key)).status, 401);
  });

  test('what needs more than public pages is refused, with the list of what it needs', async () => {
    const steps = [
      { id: 'open', type: 'navigate', url: `${site.origin}/kettles` },
      {
        id: 'ask',
        type: 'request',
        url: `${site.origin}/`,
        method: 'POST',
        headers: { authorization: '{{secret:token}}' },
        body: '{{file:file_1}}',
      },
      { id: 'each', type: 'forEach', items: [1], body: [{ id: 'shot', type: 'screenshot' }] },
      { id: 'wait', type: 'pause', reason: 'approval', instructions: 'Look' },
    ];
    const { status, body } = await publish('kettles', 'wrong', { name: 'Wrong', persona_id: 3, steps });
    assert.equal(status, 400);
    for (const need of [
      'persona (persona_id)',
      'secret (steps.1.headers.authorization)',
      'file (steps.1.body)',
      'file (steps.2.body.0)',
      'pause (steps.3)',
    ])
      assert.ok(body.error.includes(need), `${need}: ${body.error}`);
    const faulty = await publish('kettles', 'wrong', { name: 'Wrong', steps: [{ id: 'open', type: 'navigate', url: '{{inputs.none}}' }] });
    assert.match(faulty.body.error, /steps\.0\.url refers to the input "none"/);
  });

  test("a slug is one account's for ever, and reserved ones are nobody's", async () => {
    const other = await openTestAccount(cloud, 0);
    assert.equal((await publish('kettles', 'mine', workflow(), other)).status, 409);
    assert.equal((await publish('keyless', 'mine')).status, 400);
    assert.equal((await publish('Kettles', 'mine')).status, 400);
    const all = await Promise.all(Array.from({ length: 4 }, (_, i) => publish('raced', 'list', workflow(), i % 2 ? owner : other)));
    const winners = new Set(all.flatMap(({ status }, i) => (status === 201 ? [i % 2] : [])));
    assert.equal(winners.size, 1, 'one of the two has it');
  });

  test('each publication is a revision; an earlier one can be called again', async () => {
    const called = async () => (await call('kettles/list', consumer)).body.data.length;
    const limited = workflow({ steps: workflow().steps.map((step) => (step.id === 'items' ? { ...step, limit: 1 } : step)) });
    assert.equal((await publish('kettles', 'list', limited)).body.revision, 2);
    assert.equal(await called(), 1);
    const revisions = await cloud.call('GET', '/api/account/publish/kettles/list/revisions', owner);
    assert.deepEqual(
      revisions.body.data.map(({ revision, is_called: isCalled }: { revision: number; is_called: boolean }) => [revision, isCalled]),
      [
        [2, true],
        [1, false],
      ],
    );
    const restored = await cloud.call('POST', '/api/account/publish/kettles/list/restore', owner, { revision: 1 });
    assert.deepEqual([restored.status, restored.body.revision], [200, 1]);
    assert.equal(await called(), 3);
    assert.equal((await cloud.call('POST', '/api/account/publish/kettles/list/restore', owner, { revision: 9 })).status, 404);
    const whole = await cloud.call('GET', '/api/account/publish/kettles/list', owner);
    assert.equal(whole.body.workflow.steps.length, 2);
    assert.equal((await publish('kettles', 'list')).body.revision, 3);
  });

  test('a function that is withdrawn is called no more', async () => {
    await publish('kettles', 'gone');
    assert.equal((await call('kettles/gone', consumer)).status, 200);
    assert.equal((await cloud.call('DELETE', '/api/account/publish/kettles/gone', owner)).status, 204);
    assert.equal((await call('kettles/gone', consumer)).status, 404);
    assert.equal((await cloud.call('DELETE', '/api/account/publish/kettles/gone', owner)).status, 404);
  });

  test('models call functions as tools, by a key of the account', async () => {
    const { token } = (await cloud.call('POST', '/api/account/keys', owner, { name: 'model' })).body;
    const client = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', cloud.baseUrl), { requestInit }));
    const names = (await client.listTools()).tools.map(({ name }) => name);
    assert.ok(names.includes('kettles__list') && names.includes('pots__list'), names.join(' '));
    assert.deepEqual(names, names.toSorted());
    const before = await balance();
    const answer = await client.callTool({ name: 'kettles__list', arguments: {} });
    const told = answer.structuredContent as { data: unknown[]; status: string };
    assert.deepEqual([answer.isError, told.status, told.data.length], [false, 'succeeded', 3]);
    const failed = await client.callTool({ name: 'kettles__list', arguments: { page: 'empty' } });
    assert.deepEqual([failed.isError, (failed.structuredContent as { status: string }).status], [true, 'failed']);
    assert.equal((await balance()).spent - before.spent, 1);
    const stranger = (await cloud.call('POST', '/api/account/keys', await openTestAccount(cloud, 5), { name: 'model' })).body;
    const other = new Client({ name: 'test', version: '1' });
    const headers = { authorization: `Bearer ${stranger.token}` };
    await other.connect(new StreamableHTTPClientTransport(new URL('/mcp', cloud.baseUrl), { requestInit: { headers } }));
    assert.ok(!(await other.listTools()).tools.some(({ name }) => name.includes('__')));
    await assert.rejects(other.callTool({ name: 'kettles__list', arguments: {} }), /no tool/);
    await client.close();
    await other.close();
  });
});
