// One function that was built and published, called by others: plain requests, the document of the build, and a model, with every credential.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { BuildView } from '@weft/contract';
import { openDatabase } from '../../packages/cloud/src/db/database.ts';
import type { Database } from '../../packages/cloud/src/db/queries.ts';
import { startTestAgent } from '../agent.ts';
import type { TestAgent } from '../agent.ts';
import { openTestAccount, startTestCloud } from '../cloud.ts';
import type { TestAccount, TestCloud } from '../cloud.ts';
import { startTeaShop } from '../sites/tea-shop.ts';
import type { TeaShop } from '../sites/tea-shop.ts';
import { until } from '../until.ts';

const SEARCH = 'search_products';
const OBJECTIVE = 'search products by name';
const WORD = { q: 'white coffee' };

/** What a caller got of each way to the function. */
interface Ways {
  readonly call: number;
  readonly openapi: number;
  readonly mcp: number | 'tool';
}

/** The parts of a document that a generated client goes by. */
interface Document {
  readonly servers: readonly [{ readonly url: string }];
  readonly paths: Readonly<
    Record<
      string,
      { readonly post: { readonly requestBody: { readonly content: { readonly 'application/json': { readonly schema: object } } } } }
    >
  >;
}

async function post(url: string, token: string | undefined, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
  return await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function connect(baseUrl: string, token: string | undefined): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', baseUrl), { requestInit }));
  return client;
}

/** `tool` where the function is one of the tools of the caller and answers; else the status by which the line is refused. */
async function byModel(baseUrl: string, token: string | undefined, tool: string): Promise<number | 'tool'> {
  const ping = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const own = token === undefined ? headers : { ...headers, authorization: `Bearer ${token}` };
  const plain = await fetch(new URL('/mcp', baseUrl), { method: 'POST', headers: own, body: JSON.stringify(ping) });
  await plain.body?.cancel();
  if (plain.status === 401 || plain.status === 403) return plain.status;
  const client = await connect(baseUrl, token);
  try {
    const { isError } = await client.callTool({ name: tool, arguments: WORD });
    return isError === true ? 400 : 'tool';
  } finally {
    await client.close();
  }
}

suite('callers of what was built', { timeout: 600_000 }, () => {
  let shop: TeaShop;
  let agent: TestAgent;
  let cloud: TestCloud;
  let owner: TestAccount;
  let database: Database;
  let local: BuildView;
  let remote: BuildView;
  before(async () => {
    shop = await startTeaShop();
    agent = await startTestAgent();
    cloud = await startTestCloud({ privateTargets: [new URL(shop.origin).host] });
    database = await openDatabase(cloud.database.url);
    owner = await openTestAccount(cloud, 1000);
    const built = await agent.client.builds.start({ url: `${shop.origin}/`, objective: OBJECTIVE, wait: true });
    await agent.client.builds.publish({ id: built.build_id, slug: 'teas', functions: [SEARCH] });
    local = await agent.client.builds.read({ id: built.build_id });
    const { body } = await cloud.call('POST', '/api/v1/website-to-api', owner, { url: shop.origin, objective: OBJECTIVE, slug: 'teas' });
    await until(async () => (await database.rows('SELECT 1 FROM build WHERE is_live')).length === 0);
    // The answer of the poll is a build view of the cloud.
    remote = (await cloud.call('GET', `/api/v1/website-to-api/${body.build_id}`, owner)).body as BuildView;
  });
  after(async () => {
    await database.close();
    await agent[Symbol.asyncDispose]();
    await cloud[Symbol.asyncDispose]();
    await shop.close();
    assert.deepEqual([agent.logged, cloud.logged], [[], []]);
  });
  const truth = () => shop.products.filter(({ title }) => title.startsWith('White Coffee')).map(({ title }) => title);
  // What the document is, the tests here show.
  const documentOf = (view: BuildView) => view.openapi as unknown as Document;
  const schemaIn = (document: Document, path: string) => document.paths[path]?.post.requestBody.content['application/json'].schema;
  const addressIn = (view: BuildView, path: string) => `${documentOf(view).servers[0].url}${path}`;
  const inputsOf = (view: BuildView) => view.functions?.find(({ name }) => name === SEARCH)?.inputs;

  test('one JSON Schema stands in the view, the document, the tool and the workflow, on both surfaces', async () => {
    const asModel = await connect(agent.baseUrl, agent.token);
    const { tools } = await asModel.listTools();
    await asModel.close();
    const workflow = await agent.client.workflows.list({ q: 'teas' });
    const whole = await agent.client.workflows.read({ id: workflow.data[0]?.id ?? 0 });
    const tool = tools.find(({ name }) => name === 'teas-search-products')?.inputSchema;
    const inputs = inputsOf(local);
    assert.ok(inputs);
    for (const other of [schemaIn(documentOf(local), '/teas-search-products'), tool, whole.inputs]) assert.deepEqual(other, inputs);
    const { body: key } = await cloud.call('POST', '/api/account/keys', owner, { name: 'model' });
    const remoteModel = await connect(cloud.baseUrl, key.token as string);
    const listed = (await remoteModel.listTools()).tools;
    await remoteModel.close();
    const { body: published } = await cloud.call('GET', '/api/account/publish/teas/search-products', owner);
    const remoteTool = listed.find(({ name }) => name === 'teas__search_products')?.inputSchema;
    for (const other of [schemaIn(documentOf(remote), '/search-products'), remoteTool, published.workflow.inputs, published.inputs])
      assert.deepEqual(other, inputsOf(remote));
  });

  test('the address in the document answers the rows, with its plain inputs as the body', async () => {
    const { body: key } = await cloud.call('POST', '/api/account/consumer-keys', owner, { name: 'a café', slug: 'teas' });
    const answers = [
      await post(addressIn(local, '/teas-search-products'), agent.token, WORD),
      await post(addressIn(remote, '/search-products'), key.token as string, WORD),
    ];
    for (const answer of answers) {
      const { data, status } = (await answer.json()) as { data: { title: string }[]; status: string };
      assert.deepEqual([answer.status, status, data.map(({ title }) => title)], [200, 'succeeded', truth()]);
    }
    const wrong = await post(addressIn(local, '/teas-search-products'), agent.token, { word: 'tea' });
    assert.deepEqual([wrong.status, ((await wrong.json()) as { code: string }).code], [400, 'bad_request']);
  });

  test('on the agent every credential gets what it may', async () => {
    const mint = async (...scopes: ('admin' | 'run' | 'read')[]) =>
      (await agent.client.keys.create({ name: scopes.join(), scopes: scopes.join() })).token;
    const credentials: readonly (readonly [string | undefined, Ways])[] = [
      [agent.token, { call: 200, openapi: 200, mcp: 'tool' }],
      [await mint('admin'), { call: 200, openapi: 200, mcp: 'tool' }],
      [await mint('run'), { call: 200, openapi: 404, mcp: 'tool' }],
      [await mint('read'), { call: 403, openapi: 200, mcp: 403 }],
      [undefined, { call: 401, openapi: 401, mcp: 401 }],
      ['wk_nothing', { call: 401, openapi: 401, mcp: 401 }],
    ];
    for (const [token, ways] of credentials) {
      const call = await post(addressIn(local, '/teas-search-products'), token, WORD);
      await call.body?.cancel();
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const openapi = await fetch(`${agent.baseUrl}/x/builds/${local.build_id}`, { headers });
      await openapi.body?.cancel();
      const got = { call: call.status, openapi: openapi.status, mcp: await byModel(agent.baseUrl, token, 'teas-search-products') };
      assert.deepEqual(got, ways, token?.slice(0, 6) ?? 'nobody');
    }
  });

  test('on the cloud every credential gets what it may', async () => {
    const mint = async (path: string, body: object) => (await cloud.call('POST', path, owner, body)).body.token as string;
    await cloud.call('POST', '/api/account/publish', owner, {
      slug: 'other',
      path: 'rows',
      workflow: { name: 'rows', format: 1, steps: [{ id: 'open', type: 'navigate', url: shop.origin }] },
    });
    const other = await openTestAccount(cloud, 10);
    const credentials: readonly (readonly [string, string | undefined, Ways])[] = [
      ['owner', owner.token, { call: 401, openapi: 200, mcp: 403 }],
      ['api key', await mint('/api/account/keys', { name: 'api' }), { call: 401, openapi: 200, mcp: 'tool' }],
      ['key of the slug', await mint('/api/account/consumer-keys', { name: 'one', slug: 'teas' }), { call: 200, openapi: 401, mcp: 401 }],
      [
        'key of another path',
        await mint('/api/account/consumer-keys', { name: 'two', slug: 'teas', paths: ['list-products'] }),
        { call: 403, openapi: 401, mcp: 401 },
      ],
      [
        'key of another slug',
        await mint('/api/account/consumer-keys', { name: 'three', slug: 'other' }),
        { call: 403, openapi: 401, mcp: 401 },
      ],
      ['another account', other.token, { call: 401, openapi: 404, mcp: 403 }],
      ['nobody', undefined, { call: 401, openapi: 401, mcp: 401 }],
    ];
    for (const [name, token, ways] of credentials) {
      const call = await post(addressIn(remote, '/search-products'), token, WORD);
      await call.body?.cancel();
      const { status: openapi } = await cloud.call(
        'GET',
        `/api/v1/website-to-api/${remote.build_id}`,
        token === undefined ? undefined : { token },
      );
      assert.deepEqual({ call: call.status, openapi, mcp: await byModel(cloud.baseUrl, token, 'teas__search_products') }, ways, name);
    }
  });
});
