// Values that a caller may send: numbers at their bounds, names that languages treat oddly, texts that break others. Numbers: docs/decisions/0002-conformance-cases.md.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Key } from '@weft/contract';
import { LIMITS } from '@weft/contract';
import fc from 'fast-check';
import type { KernelAgent } from './kernel.ts';
import { startKernelAgent } from './kernel.ts';
import { PAGE_URL, STUCK_URL, twoPages } from './ways.ts';

interface InputCase {
  readonly name: string;
  readonly method?: string;
  readonly target: string;
  readonly body?: unknown;
  readonly status: number;
}

const crawl = (name: string, members: object, status = 400): InputCase => ({
  name,
  method: 'POST',
  target: '/v1/crawl',
  body: { url: PAGE_URL, ...members },
  status,
});
const key = (name: string, members: object, status = 400): InputCase => ({
  name,
  method: 'POST',
  target: '/v1/keys',
  body: { name: 'x', scopes: 'read', ...members },
  status,
});
const list = (query: string, status = 400): InputCase => ({ name: `F59 runs?${query} is ${status}`, target: `/v1/runs?${query}`, status });

const CASES: readonly InputCase[] = [
  ...[0, 3601, 1.5, 'abc', -1, '', null, '10', [10], true, 1e9].map((timeout) =>
    crawl(`F13 a timeout of ${JSON.stringify(timeout)} is refused`, { wait: true, timeout }),
  ),
  // Without `wait`: whether a second is enough is not the question.
  crawl('F13 a timeout of 1 is accepted', { limit: 1, timeout: 1 }, 202),
  crawl('F13 a timeout of 3600 is accepted', { limit: 1, wait: true, timeout: 3600 }, 200),
  ...['yes', 1, 'true', null].map((wait) => crawl(`F13 wait as ${JSON.stringify(wait)} is refused`, { wait })),

  ...[
    'limit=0',
    'limit=501',
    'limit=-1',
    'limit=1.5',
    'limit=',
    'limit=abc',
    'limit=1e2',
    'limit=0x10',
    'limit=%201',
    'limit=1000000000',
  ].map((query) => list(query)),
  ...['offset=-1', 'offset=1.5', 'offset=', 'offset=99999999999999999999', 'limit=1&limit=2', 'cursor=1', 'kind=other', 'status=done'].map(
    (query) => list(query),
  ),
  ...['kind=workflow&kind=crawl', '__proto__=1', 'constructor=1', 'limit[]=1', 'Limit=1', 'a', '=', '%00=1', 'limit=%F1'].map((query) =>
    list(query),
  ),
  ...['limit=1', 'limit=500', 'offset=0', 'limit=007', 'kind=workflow', 'status=failed&kind=crawl', ''].map((query) => list(query, 200)),

  ...['abc', '-1', '0', '1.0', '01', '1e3', '0x1', '%31.', 'NaN', '99999999999999999999', 'null', 'workflow-x', '+1'].map((id) => ({
    name: `F25 the run id ${id} is refused`,
    target: `/v1/runs/${id}`,
    status: 400,
  })),
  { name: 'F25 a feed id names the row id to use (D7)', target: '/v1/runs/workflow-12', status: 400 },
  { name: 'F25 an id that nothing has is 404', target: '/v1/runs/999999999999999', status: 404 },
  { name: 'F25 an escaped digit is a digit', target: '/v1/runs/%39', status: 404 },

  ...[0, -1, 1.5, 1_000_001, '1', null, true, [], {}].map((limit) =>
    crawl(`F25 a page limit of ${JSON.stringify(limit)} is refused`, { limit }),
  ),
  crawl('F25 -0 where nothing is allowed is nothing', { delay_ms: -0, wait: true, limit: 1 }, 200),
  ...[-1, 0.5, 600_001].map((delay_ms) => crawl(`F25 a delay of ${delay_ms} is refused`, { delay_ms })),

  ...[
    '',
    'site.test',
    '/page',
    '//site.test',
    'ftp://site.test/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://',
  ].map((url) => crawl(`F27 the address ${JSON.stringify(url)} is refused`, { url })),
  ...['http:// site.test/', 'http://[::1', 'http://site.test:99999/', 7, null, ['http://site.test/'], { href: PAGE_URL }].map((url) =>
    crawl(`F27 the address ${JSON.stringify(url)} is refused`, { url }),
  ),
  crawl('F27 an address that is too long is refused', { url: `http://site.test/${'a'.repeat(LIMITS.urlLengthMax)}` }),
  crawl('D4 an unknown member is refused', { colour: 'red' }),
  crawl(
    'ten thousand unknown members are refused in one short sentence',
    Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`m${i}`, 1])),
  ),
  crawl('D27 a member in camelCase is refused', { maxDepth: 1 }),
  crawl('F24 constructor is a name like any other, and unknown', { constructor: { prototype: { polluted: 1 } } }),
  crawl('F24 toString too', { toString: 1 }),
  ...[null, [], 'text', 7, true].map((body) => ({
    name: `a body of ${JSON.stringify(body)} is refused`,
    method: 'POST',
    target: '/v1/crawl',
    body: JSON.stringify(body),
    status: 400,
  })),
  ...['', ' ', '\t\n', 'x'.repeat(201), 7, null, ['x'], {}].map((name) =>
    key(`F27 a key name of ${JSON.stringify(name).slice(0, 20)} is refused`, { name }),
  ),
  { name: 'a body where none belongs is refused', method: 'POST', target: '/v1/ws-ticket', body: { a: 1 }, status: 400 },
  { name: 'an empty object where no body belongs is nothing', method: 'POST', target: '/v1/ws-ticket', body: {}, status: 201 },
];

/** Texts that are harmless here and have broken others: markup, SQL, shells, formats, encodings, directions. */
const NAUGHTY: readonly string[] = [
  'undefined',
  'null',
  'NaN',
  'true',
  '0',
  '-1',
  '1E+02',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  `'; DROP TABLE api_key; --`,
  `" OR 1=1 --`,
  '${7*7}',
  '{{7*7}}',
  '%s%n%x',
  '$(touch /tmp/x)',
  '`id`',
  '../../etc/passwd',
  'C:\\con',
  '<script>alert(1)</script>',
  '<!--',
  ']]>',
  '=1+1',
  '@SUM(1)',
  '\\u0041',
  '\\',
  '"',
  "'",
  'a\u0000b',
  '\u0001\u001f\u007f',
  '\ufeffmark',
  '\ufffe\uffff',
  '\u202eesrever',
  'Z\u0351\u036b\u0343algo',
  '\u200bzero\u200dwidth',
  'e\u0301 \u00e9',
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  '\u{1d7d8}\u0661\uff12',
  '\u0130stanbul \u0131',
  'ﷺ',
  '田中さん',
  'مرحبا',
  'a\r\nSet-Cookie: x=1',
  'a\u2028b\u2029c',
  '\u{10ffff}',
];

suite('values of a caller', () => {
  let agent: KernelAgent;
  before(async () => void (agent = await startKernelAgent({ fetcher: twoPages() })));
  after(() => agent[Symbol.asyncDispose]());

  for (const { name, status, method = 'GET', target, body } of CASES)
    test(name, async () => {
      agent.clock.advance(1000);
      const before = agent.rowCounts();
      const response = await agent.call({ method, target, token: agent.token, body });
      const text = await response.text();
      assert.equal(response.status, status, text);
      if (status < 400) return;
      const refusal = JSON.parse(text) as { error: string; code: string };
      assert.deepEqual(Object.keys(refusal).sort(), ['code', 'error']);
      assert.ok(refusal.error.length < 500 && !/[\u0000-\u001f]/.test(refusal.error), refusal.error);
      assert.deepEqual(agent.rowCounts(), before);
    });

  test('the refusal of a feed id names the number', async () => {
    const { body } = await agent.json('GET', '/v1/runs/workflow-12');
    assert.match((body as { error: string }).error, /12/);
  });

  for (const name of NAUGHTY)
    test(`F27 the name ${JSON.stringify(name)} is kept as it is`, async () => {
      agent.clock.advance(1000);
      const { status, body } = await agent.json('POST', '/v1/keys', { name, scopes: 'read' });
      assert.equal(status, 201);
      assert.equal((body as Key).name, name.trim());
      const read = await agent.json('GET', `/v1/keys/${(body as Key).id}`);
      assert.equal((read.body as Key).name, name.trim());
    });

  for (const text of NAUGHTY)
    test(`F27 ${JSON.stringify(text)} in a path and in a query is answered without a fault`, async () => {
      agent.clock.advance(1000);
      const escaped = encodeURIComponent(text);
      for (const target of [`/v1/keys/${escaped}`, `/v1/runs/${escaped}`, `/v1/runs?kind=${escaped}`, `/v1/keys?${escaped}=1`]) {
        const { status } = await agent.call({ target, token: agent.token });
        assert.ok(status === 400 || status === 404, `${target} answered ${status}`);
      }
    });

  test('any name survives being written and read', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }), async (name) => {
        fc.pre(name.trim() !== '' && name.isWellFormed());
        agent.clock.advance(1000);
        const { status, body } = await agent.json('POST', '/v1/keys', { name, scopes: 'read' });
        assert.equal(status, 201);
        assert.equal((body as Key).name, name.trim());
      }),
      { numRuns: 50 },
    );
  });

  test('F24 what every object inherits is as it was', () =>
    assert.deepEqual([Object.keys(Object.prototype), 'polluted' in {}], [[], false]));

  test('nothing of all this was a fault of the agent', () => assert.deepEqual(agent.logged, []));
});

suite('F15 Idempotency-Key', () => {
  const start = (agent: KernelAgent, idempotencyKey: string | readonly string[], url: string) =>
    agent.call({
      method: 'POST',
      target: '/v1/crawl',
      token: agent.token,
      headers: [idempotencyKey].flat().flatMap((value) => ['Idempotency-Key', value]),
      body: { url },
    });

  test('a hundred calls at once with one key and one body have one effect, and all are answered with it', async () => {
    await using agent = await startKernelAgent({ fetcher: twoPages() });
    const answers = await Promise.all(Array.from({ length: 100 }, () => start(agent, 'k', STUCK_URL)));
    const ids = await Promise.all(answers.map(async (answer) => ((await answer.json()) as { id: number }).id));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]));
    assert.equal(new Set(ids).size, 1);
    assert.equal(agent.rowCounts()['run'], 1);
  });

  test('a hundred calls at once with one key and two bodies have one effect, and the others are 409', async () => {
    await using agent = await startKernelAgent({ fetcher: twoPages() });
    const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => start(agent, 'k', i % 2 === 0 ? STUCK_URL : PAGE_URL)));
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual([statuses.filter((status) => status === 202).length, statuses.filter((status) => status === 409).length], [50, 50]);
    assert.equal(agent.rowCounts()['run'], 1);
  });

  test('a minted token is never shown again: one 201, then 409', async () => {
    await using agent = await startKernelAgent();
    const mint = () =>
      agent.call({
        method: 'POST',
        target: '/v1/keys',
        token: agent.token,
        headers: ['Idempotency-Key', 'k'],
        body: { name: 'x', scopes: 'read' },
      });
    const statuses = (await Promise.all(Array.from({ length: 20 }, mint))).map(({ status }) => status).sort();
    assert.deepEqual(statuses, [201, ...Array.from({ length: 19 }, () => 409)]);
    assert.equal(agent.rowCounts()['api_key'], 1);
    assert.doesNotMatch(JSON.stringify(agent.database.fast.prepare('SELECT * FROM idempotency').all()), /wlk_/);
  });

  test('another key, another token and a day later are other calls', async () => {
    await using agent = await startKernelAgent({ fetcher: twoPages() });
    const { token } = await agent.mint('run');
    await start(agent, 'k', STUCK_URL);
    await start(agent, 'other', STUCK_URL);
    await agent.call({ method: 'POST', target: '/v1/crawl', token, headers: ['Idempotency-Key', 'k'], body: { url: STUCK_URL } });
    agent.clock.advance(LIMITS.idempotencyHours * 3_600_000);
    await start(agent, 'k', STUCK_URL);
    assert.equal(agent.rowCounts()['run'], 4);
  });

  test('one key on two paths is two calls, and a path with nothing there stays 404', async () => {
    await using agent = await startKernelAgent({ fetcher: twoPages() });
    const post = (target: string, body: unknown, headers: readonly string[] = []) =>
      agent.call({ method: 'POST', target, token: agent.token, headers, body });
    for (const slug of ['one', 'two']) assert.equal((await post('/v1/crawl/definitions', { url: STUCK_URL, slug })).status, 201);
    const run = (slug: string) => post(`/v1/crawl/definitions/${slug}/run`, {}, ['Idempotency-Key', 'k']);
    const ids = await Promise.all(['one', 'two'].map(async (slug) => ((await (await run(slug)).json()) as { id: number }).id));
    assert.equal(new Set(ids).size, 2);
    assert.equal(((await (await run('one')).json()) as { id: number }).id, ids[0]);
    assert.equal((await run('none')).status, 404);
  });

  test('a refused call leaves its key free', async () => {
    await using agent = await startKernelAgent({ fetcher: twoPages() });
    assert.equal((await start(agent, 'k', 'not a url')).status, 400);
    assert.equal((await start(agent, 'k', STUCK_URL)).status, 202);
  });

  for (const [name, keys] of [
    ['an empty one', ''],
    ['one of 256 characters', 'k'.repeat(256)],
    ['one with a space', 'a b'],
    ['one that is not ASCII', 'k\u00e9'],
    ['two of them', ['a', 'b']],
  ] as const)
    test(`${name} is refused, because a call that only seems safe to repeat is worse`, async () => {
      await using agent = await startKernelAgent({ fetcher: twoPages() });
      assert.equal((await start(agent, keys, STUCK_URL)).status, 400);
      assert.equal(agent.rowCounts()['run'], 0);
    });
});
