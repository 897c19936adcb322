// Who may call what: tokens, scopes, deleted keys and tickets. Case numbers: docs/decisions/0002-conformance-cases.md.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { DAEMON_TABLE, EXTRA_TABLE, LIMITS, formatToken, listOperations } from '@weft/contract';
import type { Operation, Scope, Ticket } from '@weft/contract';
import type { TestAgent } from '../agent.ts';
import { startTestAgent } from '../agent.ts';
import { closeCode, openRawWebSocket } from '../raw-websocket.ts';
import type { KernelAgent } from './kernel.ts';
import { startKernelAgent } from './kernel.ts';
import { REACH } from './reach.ts';
import { STUCK_URL, twoPages } from './ways.ts';

const OPERATIONS = [...listOperations(DAEMON_TABLE), ...listOperations(EXTRA_TABLE)];
/** Well-formed, with a right checksum, and known to nobody. */
const UNKNOWN = (family: 'wlt' | 'wlk' | 'wlo' | 'wt' | 'csk') => formatToken(family, 'A'.repeat(43));

/** Ways to present a token that must not work; TOKEN stands for one that would. */
const NOT_PRESENTED: readonly (readonly [name: string, target: string, headers: readonly string[]])[] = [
  ['A17 Basic', '', ['Authorization', 'Basic TOKEN']],
  ['A17 Bearer and nothing', '', ['Authorization', 'Bearer ']],
  ['A17 Bearer without a space', '', ['Authorization', 'BearerTOKEN']],
  ['A17 the token alone', '', ['Authorization', 'TOKEN']],
  ['A17 two Authorization headers', '', ['Authorization', 'Bearer TOKEN', 'Authorization', 'Bearer TOKEN']],
  ['A17 two tokens in one header', '', ['Authorization', 'Bearer TOKEN, Bearer TOKEN']],
  ['A17 a token with a space inside', '', ['Authorization', 'Bearer TO KEN']],
  ['A17 a quoted token', '', ['Authorization', 'Bearer "TOKEN"']],
  ['A17 the query', '?token=TOKEN', []],
  ['A17 the query by its standard name', '?access_token=TOKEN', []],
  ['A17 a cookie', '', ['Cookie', 'token=TOKEN']],
  ['A17 a header of another name', '', ['X-Api-Key', 'TOKEN']],
  ['A17 Proxy-Authorization', '', ['Proxy-Authorization', 'Bearer TOKEN']],
  ['A18 a cloud key', '', ['Authorization', `Bearer ${UNKNOWN('wt')}`]],
  ['A18 a consumer key of the cloud', '', ['Authorization', `Bearer ${UNKNOWN('csk')}`]],
  ['an unknown runtime token', '', ['Authorization', `Bearer ${UNKNOWN('wlt')}`]],
  ['an unknown key', '', ['Authorization', `Bearer ${UNKNOWN('wlk')}`]],
  ['an unknown OAuth token', '', ['Authorization', `Bearer ${UNKNOWN('wlo')}`]],
  ['a token of 10 kB', '', ['Authorization', `Bearer wlt_${'A'.repeat(10_000)}`]],
];

suite('tokens', () => {
  let agent: KernelAgent;
  before(async () => void (agent = await startKernelAgent({ fetcher: twoPages() })));
  after(() => agent[Symbol.asyncDispose]());

  test('A18 a token of another server is told which one is asked for here', async () => {
    const response = await agent.call({ target: '/v1/agent', token: UNKNOWN('wt') });
    assert.match(((await response.json()) as { error: string }).error, /of this agent.*weft token show/);
  });

  test('A16 every operation asks for a token first', async () => {
    for (const { id } of OPERATIONS) {
      const response = await agent.call(REACH[id]?.base ?? { target: '/' });
      assert.deepEqual([response.status, ((await response.json()) as { code: string }).code], [401, 'unauthorized'], id);
    }
  });

  test('A16 so does every path below /v1 and /x that nothing serves, and no other path', async () => {
    for (const target of ['/v1', '/v1/', '/v1/nothing', '/x', '/x/nothing', '/v1/agent/', '/v1//agent', '/v1/%61gent'])
      assert.equal((await agent.call({ target })).status, 401, target);
    for (const target of ['/', '/nothing', '/v10/agent', '/V1/agent', '/mcp-not', '/.env'])
      assert.equal((await agent.call({ target })).status, 404, target);
  });

  for (const [name, query, headers] of NOT_PRESENTED)
    test(`${name} is no token`, async () => {
      agent.clock.advance(1000);
      const own = (text: string) =>
        text.replaceAll('TOKEN', agent.token).replace('TO KEN', `${agent.token.slice(0, 9)} ${agent.token.slice(9)}`);
      const response = await agent.call({ target: `/v1/keys${own(query)}`, headers: headers.map(own) });
      assert.equal(response.status, 401);
      assert.doesNotMatch(await response.text(), /wlt_[A-Za-z0-9_-]{20}/);
    });

  test('A17 a token in the body is no token', async () => {
    const response = await agent.call({ method: 'POST', target: '/v1/keys', body: { name: 'x', scopes: 'read', token: agent.token } });
    assert.equal(response.status, 401);
  });

  test('the scheme is case-insensitive (RFC 9110, 11.1)', async () => {
    for (const scheme of ['bearer', 'BEARER', 'Bearer '])
      assert.equal((await agent.call({ target: '/v1/agent', headers: ['Authorization', `${scheme} ${agent.token}`] })).status, 200);
  });

  test('each wrong character of a token makes it unknown', async () => {
    for (let i = 0; i < agent.token.length; i++) {
      agent.clock.advance(1000);
      const wrong = agent.token.slice(0, i) + (agent.token[i] === 'A' ? 'B' : 'A') + agent.token.slice(i + 1);
      assert.equal((await agent.call({ target: '/v1/agent', token: wrong })).status, 401, `character ${i}`);
    }
  });

  test('more than ten wrong tokens a second are answered 429, and a right one still works', async () => {
    agent.clock.advance(60_000);
    const wrong = async () => (await agent.call({ target: '/v1/agent', token: UNKNOWN('wlk') })).status;
    for (let i = 0; i < LIMITS.authFailuresPerSecond; i++) assert.equal(await wrong(), 401);
    assert.equal(await wrong(), 429);
    assert.equal((await agent.call({ target: '/v1/agent', token: agent.token })).status, 200);
    agent.clock.advance(1000);
    assert.equal(await wrong(), 401);
  });

  test('the token that is stored is only a hash', () => {
    const rows = agent.database.fast.prepare('SELECT * FROM api_key').all();
    assert.doesNotMatch(JSON.stringify(rows), /wlk_/);
  });
});

const SCOPES: readonly string[] = ['read', 'run', 'admin', 'read,run', 'read,admin', 'run,admin', 'read,run,admin'];

/** What decides over what others call. */
const OF_ADMIN: ReadonlySet<string> = new Set(['builds.publish', 'builds.update', 'builds.accept', 'builds.decline']);

/** D15 by example: what a key with these scopes may call. Rows that a caller owns are another test's. */
function mayCall(scopes: string, { id, method }: Operation): boolean {
  const has = (scope: Scope) => scopes.split(',').includes(scope);
  if (/^recordings\.|^runs\.screen$/.test(id)) return false;
  if (['keys.create', 'token.rotate', 'oauth.approve', 'vault.rotate', 'personas.exportStorageState'].includes(id)) return false;
  if (has('admin')) return true;
  if (/^(keys|oauth)\./.test(id)) return false;
  // Builds are of who starts them; what others call is published by an admin alone.
  if (id.startsWith('builds.')) return (has('run') && !OF_ADMIN.has(id)) || (has('read') && (method === 'GET' || id === 'builds.verify'));
  if (method === 'GET')
    return has('read') || (has('run') && (/^(agent|runs|crawl)\./.test(id) || /^workflows\.(list|read|export)$/.test(id)));
  return has('run') && /\.(call|cancel|start|run|explain|answer)$|^(wsTicket|mcp)\./.test(id);
}

suite('A19 scopes of every operation', () => {
  let agent: KernelAgent;
  before(async () => void (agent = await startKernelAgent({ fetcher: twoPages() })));
  after(() => agent[Symbol.asyncDispose]());

  for (const scopes of SCOPES)
    test(`a key with ${scopes} passes where the rules say, and is refused with 403 elsewhere`, async () => {
      const { token } = await agent.mint(scopes);
      for (const operation of OPERATIONS) {
        agent.clock.advance(1000);
        const { status } = await agent.call({ ...(REACH[operation.id]?.base ?? { target: '/' }), token });
        assert.equal(status !== 403, mayCall(scopes, operation), `${operation.id} answered ${status}`);
      }
    });

  test('a key with run reads the run and the crawl that it started, and no other', async () => {
    const [own, other] = [await agent.mint('run'), await agent.mint('run')];
    const start = async (token: string) =>
      (await (await agent.call({ method: 'POST', target: '/v1/crawl', token, body: { url: STUCK_URL } })).json()) as { id: number };
    const { id } = await start(own.token);
    const { id: otherId } = await start(other.token);
    for (const path of ['/v1/runs/ID', '/v1/crawl/ID'])
      for (const [asked, status] of [
        [id, 200],
        [otherId, 404],
      ] as const)
        assert.equal((await agent.call({ target: path.replace('ID', String(asked)), token: own.token })).status, status, path);
    for (const [target, count] of [
      ['/v1/runs', 1],
      ['/v1/crawl', 1],
    ] as const) {
      const list = (await (await agent.call({ target, token: own.token })).json()) as { data: readonly { id: unknown }[]; count: number };
      assert.equal(list.count, count, target);
    }
    assert.equal((await agent.call({ target: `/v1/runs/${otherId}/events`, token: own.token })).status, 404);
  });

  test('D16 a key with run may not leave robots rules aside', async () => {
    const { token } = await agent.mint('run');
    const body = { url: STUCK_URL, respect_robots: false };
    assert.equal((await agent.call({ method: 'POST', target: '/v1/crawl', token, body })).status, 403);
    assert.equal((await agent.call({ method: 'POST', target: '/v1/crawl', token: agent.token, body })).status, 202);
  });

  test('A20 a key with admin can not mint a key', async () => {
    const { token } = await agent.mint('admin');
    const before = agent.rowCounts();
    const response = await agent.call({ method: 'POST', target: '/v1/keys', token, body: { name: 'wider', scopes: 'admin' } });
    assert.equal(response.status, 403);
    assert.deepEqual(agent.rowCounts(), before);
  });

  const BAD_SCOPES: readonly unknown[] = [
    'admin,owner',
    '',
    'READ',
    'read,read',
    'read,',
    ',read',
    ['read'],
    null,
    7,
    'read;run',
    'runtime',
    'read run',
    'admin\u0000',
  ];
  for (const scopes of BAD_SCOPES)
    test(`A21 refuses the scopes ${JSON.stringify(scopes)}`, async () => {
      const before = agent.rowCounts();
      assert.equal((await agent.json('POST', '/v1/keys', { name: 'x', scopes })).status, 400);
      assert.deepEqual(agent.rowCounts(), before);
    });
});

suite('A22 a deleted key', () => {
  test('is unknown at once', async () => {
    await using agent = await startKernelAgent();
    const { id, token } = await agent.mint('read');
    assert.equal((await agent.call({ target: '/v1/agent', token })).status, 200);
    await agent.json('DELETE', `/v1/keys/${id}`);
    assert.equal((await agent.call({ target: '/v1/agent', token })).status, 401);
  });

  test('ends its open event streams, and no other stream', async () => {
    await using agent = await startKernelAgent({ fetcher: twoPages() });
    const { id: run } = (await agent.json('POST', '/v1/crawl', { url: STUCK_URL })).body as { id: number };
    const { id, token } = await agent.mint('read');
    const open = async (bearer: string) =>
      (await agent.call({ target: `/v1/runs/${run}/events`, token: bearer })).body as ReadableStream<Uint8Array>;
    const [deleted, other] = [(await open(token)).getReader(), (await open(agent.token)).getReader()];
    assert.equal(agent.services.streams.count(), 2);
    await agent.json('DELETE', `/v1/keys/${id}`);
    while (!(await deleted.read()).done);
    assert.equal(agent.services.streams.count(), 1);
    await other.cancel();
  });

  test('has a dead ticket and a closed socket', async () => {
    await using agent = await startTestAgent();
    const { id, token } = await agent.client.keys.create({ name: 'x', scopes: 'run' });
    const [first, second] = [await mintTicket(agent, token), await mintTicket(agent, token)];
    await using socket = await open(agent, first);
    assert.equal(socket.status, 101);
    await agent.client.keys.delete({ id });
    assert.equal(closeCode(await socket.read()), 1001);
    await using late = await open(agent, second);
    assert.equal(late.status, 401);
  });
});

suite('tickets', () => {
  test('A24 the one of a rotated runtime token is dead, and its socket is closed', async () => {
    await using agent = await startTestAgent();
    const [first, second] = [await mintTicket(agent), await mintTicket(agent)];
    await using socket = await open(agent, first);
    await fetch(`${agent.baseUrl}/x/token/rotate`, { method: 'POST', headers: { authorization: `Bearer ${agent.token}` } });
    assert.equal(closeCode(await socket.read()), 1001);
    await using late = await open(agent, second);
    assert.equal(late.status, 401);
    const old = await fetch(`${agent.baseUrl}/v1/agent`, { headers: { authorization: `Bearer ${agent.token}` } });
    assert.equal(old.status, 401);
  });

  const LIFE_MS = LIMITS.ticketSeconds * 1000;
  for (const [name, advanceMs, jumpMs, status] of [
    ['opens a socket just before it expires', LIFE_MS - 1, 0, 101],
    ['is dead once it expired', LIFE_MS, 0, 401],
    ['lives as long when the clock was put back', LIFE_MS - 1, -3_600_000, 101],
    ['is dead, not immortal, when the clock was put back', LIFE_MS, -3_600_000, 401],
    ['lives as long when the clock was put forward', LIFE_MS - 1, 3_600_000, 101],
  ] as const)
    test(`A24 one ${name}`, async () => {
      await using agent = await startTestAgent();
      const ticket = await mintTicket(agent);
      agent.clock.advance(advanceMs);
      agent.clock.jump(jumpMs);
      await using socket = await open(agent, ticket);
      assert.equal(socket.status, status);
    });

  test('A25 fifty upgrades at once with one ticket open exactly one socket', async () => {
    await using agent = await startTestAgent();
    const ticket = await mintTicket(agent);
    const sockets = await Promise.all(Array.from({ length: 50 }, () => open(agent, ticket)));
    const opened = sockets.filter(({ status }) => status === 101).length;
    const refused = sockets.filter(({ status }) => status === 401).length;
    await Promise.all(sockets.map((socket) => socket[Symbol.asyncDispose]()));
    assert.deepEqual([opened, refused], [1, 49]);
  });

  test('a socket carries the events of the runs that its token may see', async () => {
    await using agent = await startTestAgent({ fetcher: twoPages() });
    const { token } = await agent.client.keys.create({ name: 'x', scopes: 'run' });
    await using own = await open(agent, await mintTicket(agent, token));
    await using all = await open(agent, await mintTicket(agent));
    const { id } = await agent.client.crawl.start({ url: STUCK_URL, limit: 1 });
    const first = JSON.parse((await all.read())?.payload.toString() ?? '{}') as { run_id: number };
    assert.equal(first.run_id, id);
    await fetch(`${agent.baseUrl}/v1/crawl`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: STUCK_URL, limit: 1 }),
    });
    const seen = JSON.parse((await own.read())?.payload.toString() ?? '{}') as { run_id: number };
    assert.equal(seen.run_id, id + 1, 'the run of another is not shown');
    assert.deepEqual(agent.logged, []);
  });
});

async function mintTicket(agent: TestAgent, token = agent.token): Promise<string> {
  const answer = await fetch(`${agent.baseUrl}/v1/ws-ticket`, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
  return ((await answer.json()) as Ticket).ticket;
}

function open(agent: TestAgent, ticket: string) {
  return openRawWebSocket(agent.port, { target: `/ws?ticket=${ticket}` });
}
