// What outsiders found when they attacked the agent, each as it was tried. Numbers: docs/cases.md.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXTRACT_SELECTORS } from '@weft/contract';
import { until } from '../until.ts';
import { silentFetcher, startKernelAgent } from './kernel.ts';
import { PAGE_URL, STUCK_URL, twoPages } from './ways.ts';

interface DocumentedBody {
  readonly properties: Readonly<Record<string, { readonly type?: string; readonly pattern?: string }>>;
  readonly oneOf?: readonly object[];
  /** Rules that are no types: what they do not hold for is refused by `else`. */
  readonly if?: { readonly allOf: readonly { readonly oneOf: readonly { readonly required?: readonly string[] }[] }[] };
  readonly else?: object;
}

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, DocumentedBody>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
}

interface DocumentedOperation {
  readonly parameters?: readonly { readonly name: string; readonly schema: { readonly pattern?: string } }[];
  readonly requestBody?: { readonly required?: boolean };
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly schema: { readonly type?: string } }>> }>
  >;
}

test('attack e: a merge patch is taken under its own media type too', async () => {
  await using agent = await startKernelAgent({ fetcher: twoPages() });
  await agent.json('POST', '/v1/crawl/definitions', { url: STUCK_URL, slug: 'one' });
  const patch = (type: string) =>
    agent.call({
      method: 'PATCH',
      target: '/v1/crawl/definitions/one',
      token: agent.token,
      headers: ['Content-Type', type],
      body: JSON.stringify({ limit: 7 }),
    });
  assert.equal((await patch('application/merge-patch+json')).status, 200);
  assert.equal((await patch('application/json-patch+json')).status, 400);
});

test('attack 11: a user name or a password in an address is refused wherever one is taken, kept nowhere and shown to nobody', async () => {
  await using agent = await startKernelAgent({ fetcher: twoPages() });
  for (const url of ['http://user:hunter2@site.test/', 'https://user@site.test/', 'http://:hunter2@site.test/'])
    for (const [target, body] of [
      ['/v1/crawl', { url, limit: 1 }],
      ['/v1/crawl', { url }],
      ['/v1/crawl/definitions', { url, slug: 'secret' }],
      ['/x/map', { url }],
      ['/x/extract', { url, css: 'h1' }],
      ['/x/extract', { html: '<h1>x</h1>', base_url: url, css: 'h1' }],
      ['/x/crawl/explain', { options: { url }, urls: ['http://site.test/'] }],
    ] as const) {
      const { status, body: answer } = await agent.json('POST', target, body);
      assert.deepEqual([status, (answer as { code: string }).code], [400, 'bad_request'], target);
      assert.match((answer as { error: string }).error, /carries a user name or password/);
      assert.doesNotMatch(JSON.stringify(answer), /hunter2/);
    }
  assert.deepEqual([agent.rowCounts()['run'], agent.rowCounts()['crawl_definition']], [0, 0]);
});

test('attack 14: a page that is cancelled closes its ledger', async () => {
  await using agent = await startKernelAgent({ fetcher: silentFetcher });
  const { id } = (await agent.json('POST', '/v1/crawl', { url: STUCK_URL, limit: 1 })).body as { id: number };
  const counts = async () => ((await agent.json('GET', `/v1/crawl/${id}`)).body as { counts: Record<string, number> }).counts;
  await until(async () => (await counts())['discovered'] === 1);
  assert.equal((await agent.json('POST', `/v1/crawl/${id}/cancel`)).status, 200);
  await until(async () => (await counts())['pending'] === 0);
  assert.deepEqual(await counts(), { discovered: 1, fetched: 0, reused: 0, failed: 0, skipped: 1, pending: 0 });
});

test('attack 12: a run key cancels and sees no run of another token', async () => {
  await using agent = await startKernelAgent({ fetcher: silentFetcher });
  const { id } = (await agent.json('POST', '/v1/crawl', { url: STUCK_URL, limit: 1 })).body as { id: number };
  const { token } = await agent.mint('run');
  for (const target of [`/v1/runs/${id}/cancel`, `/v1/crawl/${id}/cancel`]) {
    const answer = await agent.call({ method: 'POST', target, token });
    assert.equal(answer.status, 404);
    assert.doesNotMatch(await answer.text(), /site\.test/);
  }
  assert.equal(((await agent.json('GET', `/v1/runs/${id}`)).body as { status: string }).status, 'running');
});

test('attack 12: max_age answers a run key with runs of its own alone', async () => {
  await using agent = await startKernelAgent({ fetcher: twoPages() });
  await agent.json('POST', '/v1/crawl/definitions', { url: PAGE_URL, limit: 1, slug: 'shelf' });
  const target = '/v1/crawl/definitions/shelf/run';
  const ask = async (token: string) => {
    const answer = await agent.call({ method: 'POST', target, token, body: { max_age: 600, wait: true } });
    const { id, reused } = (await answer.json()) as { readonly id: number; readonly reused?: boolean };
    return [id, reused === true];
  };
  const [first, { token }, reader] = [await ask(agent.token), await agent.mint('run'), await agent.mint('read,run')];
  assert.deepEqual(
    [first, await ask(token), await ask(token)],
    [
      [1, false],
      [2, false],
      [2, true],
    ],
  );
  // The newest that whoever sees all may have.
  assert.deepEqual(
    [await ask(reader.token), await ask(agent.token)],
    [
      [2, true],
      [2, true],
    ],
  );
});

test('attack 22: who was told of the end of a run is told 204, on which an EventSource does not come back', async () => {
  await using agent = await startKernelAgent({ fetcher: twoPages() });
  const { id } = (await agent.json('POST', '/v1/crawl', { url: PAGE_URL, limit: 1, wait: true })).body as { id: number };
  const events = (lastId?: string) =>
    agent.call({ target: `/v1/runs/${id}/events`, token: agent.token, headers: lastId === undefined ? [] : ['Last-Event-ID', lastId] });
  const ids = [...(await (await events()).text()).matchAll(/^id: (\d+)$/gm)].map(([, seq]) => seq);
  assert.ok(ids.length > 1);
  assert.deepEqual(await Promise.all([events(ids.at(-1)), events(ids.at(-2))].map(async (answer) => (await answer).status)), [204, 200]);
});

test('attack a: a crawl of several pages tells its step, its numbers and its rows', async () => {
  await using agent = await startKernelAgent({ fetcher: twoPages() });
  const { id } = (await agent.json('POST', '/v1/crawl', { url: PAGE_URL, limit: 5, wait: true })).body as { id: number };
  const text = await (await agent.call({ target: `/v1/runs/${id}/events`, token: agent.token })).text();
  const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as { type: string; status?: string });
  assert.deepEqual(
    events.map(({ type, status }) => (type === 'step' ? `${type} ${status}` : type)),
    ['snapshot', 'step started', 'progress', 'step succeeded', 'data', 'finished'],
  );
});

test('attack 15: the document requires no body to run a saved crawl, and tells an export as JSON as the list that it is', async () => {
  await using agent = await startKernelAgent();
  const document = (await (await agent.call({ target: '/openapi.json' })).json()) as Document;
  assert.equal(document.paths['/v1/crawl/definitions/{ref}/run']?.['post']?.requestBody?.required, false);
  const { schema } = document.paths['/v1/datasets/{id}/export']?.['get']?.responses['200']?.content['application/json'] ?? {};
  assert.equal(schema?.type, 'array');
});

test('attack 15: what an agent refuses of a body or a header, its documents tell', async () => {
  await using agent = await startKernelAgent();
  const [specified, extra] = await Promise.all(
    ['/openapi.json', '/openapi-extra.json'].map(async (target) => (await (await agent.call({ target })).json()) as Document),
  );
  const bodies = { ...specified?.components.schemas, ...extra?.components.schemas };
  const eitherOf = (...names: string[]) => names.map((name) => ({ required: [name] }));
  assert.deepEqual(bodies['FileFromData']?.oneOf, eitherOf('dataset_id', 'workflow_id'));
  const { if: rules, else: otherwise } = bodies['ExtractParts'] ?? {};
  const requiredBy = (rule: number) => rules?.allOf[rule]?.oneOf.map(({ required }) => required?.join());
  assert.deepEqual(otherwise, { not: {} });
  assert.deepEqual(requiredBy(0), ['url', 'html']);
  assert.deepEqual(requiredBy(1)?.slice(0, EXTRACT_SELECTORS.length), EXTRACT_SELECTORS);
  assert.equal(bodies['CrawlDefinitionPatch']?.properties['url']?.type, 'string');
  const scopes = new RegExp(bodies['MintKey']?.properties['scopes']?.pattern ?? '');
  for (const [list, isOne] of [
    ['read', true],
    ['admin, run,read', true],
    ['', false],
    ['write', false],
    ['read,', false],
  ] as const) {
    assert.equal(scopes.test(list), isOne, list);
    assert.equal((await agent.json('POST', '/v1/keys', { name: 'x', scopes: list })).status, isOne ? 201 : 400, list);
  }
  const parameters = specified?.paths['/v1/crawl']?.['post']?.parameters ?? [];
  const key = new RegExp(parameters.find(({ name }) => name === 'Idempotency-Key')?.schema.pattern ?? '');
  assert.deepEqual(
    ['a', '~'.repeat(255), '', 'a b', 'é', 'x'.repeat(256)].map((value) => key.test(value)),
    [true, true, false, false, false, false],
  );
});

test('attack 20: an object of endless names is refused, and one of many long strings is read', async () => {
  const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`name ${i}`, 'x']));
  await using agent = await startKernelAgent();
  const ask = async (body: unknown) => (await agent.json('POST', '/x/extract', body)) as { status: number; body: { error: string } };
  const many = await ask(members(20_000));
  assert.deepEqual([many.status, many.body.error], [400, 'An object of the body has more than 10000 members; send less at once.']);
  assert.equal((await ask({ html: `<h1>${'x'.repeat(900_000)}</h1>`, css: 'h1' })).status, 200);
});

for (const instant of ['2026-01-31T09:00:00Z', '2026-01-31T10:00:00+01:00', '2026-01-31T09:00:00.123456Z', '2026-01-31T09:00:00.5-00:30'])
  test(`every instant of RFC 3339 is one in a query: ${instant}`, async () => {
    await using agent = await startKernelAgent();
    const target = `/v1/datasets/search?q=x&since=${encodeURIComponent(instant)}`;
    assert.equal((await agent.call({ target, token: agent.token })).status, 200);
  });
