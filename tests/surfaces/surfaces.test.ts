// Another server on the same kernel, in two processes on one database: what the agent promises holds there too.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { guardCases, sendCase } from '../conformance/guard-cases.ts';
import { BURST, BUSY, CONSUMER, FOREIGN, OWNER, READER, STRANGER } from './settings.ts';

interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

const folder = mkdtempSync(join(tmpdir(), 'weft-surfaces-'));
const children: ChildProcess[] = [];
const ports: number[] = [];

before(async () => {
  for (const name of ['one', 'two']) {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'second-server.ts'), join(folder, 'shelf.db'), name], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    ports.push(Number(line.toString()));
  }
});
after(async () => {
  for (const child of children) {
    child.kill('SIGKILL');
    await once(child, 'close');
  }
  rmSync(folder, { recursive: true });
});

/** Asks the processes in turn. */
async function ask({ method = 'GET', path, token, headers, body }: Asked, turn = 0): Promise<Answered> {
  const port = ports[turn % ports.length] as number;
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  const asked = request({
    port,
    host: '127.0.0.1',
    path,
    method,
    agent: false,
    headers: {
      host: `shelf.test:${port}`,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
  });
  asked.end(text);
  const [answer] = await once(asked, 'response');
  return { status: answer.statusCode, headers: answer.headers, text: (await answer.toArray()).join('') };
}

const create = (title: string, key?: string): Asked => ({
  method: 'POST',
  path: '/api/shelf',
  token: OWNER,
  body: { title },
  ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
});
const booksNow = async () => (JSON.parse((await ask({ path: '/api/count' })).text) as { count: number }).count;

suite('a second server: who comes in', () => {
  for (const guardCase of guardCases({ read: '/api/shelf/none', write: '/api/shelf' }))
    test(guardCase.name, async () => {
      const port = ports[0] as number;
      const answer = await sendCase({ port, host: `shelf.test:${port}`, token: STRANGER }, guardCase);
      // Nobody knows the token: who passes the guard is told so, and nothing more.
      const passed = [401, 429];
      const isRefused = guardCase.status === 403 || Array.isArray(guardCase.status);
      const expected = isRefused ? [guardCase.status].flat() : passed;
      assert.ok(expected.includes(answer.status), `answered ${answer.status}: ${answer.body}`);
      if (answer.status === 403) assert.match(answer.body, /Call http:\/\/shelf\.test/);
    });

  test('its listening address is not one of its names', async () => {
    const answer = await ask({ path: '/api/count', headers: { host: `127.0.0.1:${ports[0]}` } });
    assert.equal(answer.status, 403);
  });
});

suite('a second server: the order of refusals', () => {
  const steps: readonly (readonly [what: string, asked: Asked, status: number])[] = [
    [
      'a size that is too large comes before the host',
      { ...create('x'), headers: { 'content-length': '99999999', host: 'evil.example' }, body: '' },
      413,
    ],
    ['a foreign host before the path', { path: '/nothing', headers: { host: 'evil.example' } }, 403],
    ['a path outside is 404 without a key', { path: '/v1/agent' }, 404],
    ['an unknown one inside asks for a key first', { path: '/api/nothing' }, 401],
    ['and is 404 with one', { path: '/api/nothing', token: READER }, 404],
    ['no key', { path: '/api/shelf/x' }, 401],
    ['a key of a kind that is not taken', { path: '/api/shelf/x', token: FOREIGN }, 401],
    ['a client id where a key is asked for', { path: '/api/shelf/x', headers: { 'x-client-id': 'abcdefghijklmnop' } }, 401],
    ['a scope that does not reach', { ...create('x'), token: READER }, 403],
    ['the method, once the key is known', { method: 'DELETE', path: '/api/shelf/x', token: READER }, 405],
    ['the content type', { ...create('x'), headers: { 'content-type': 'text/plain' } }, 400],
    ['an unknown member', { ...create('x'), body: { title: 'x', more: 1 } }, 400],
    ['what another made', { path: '/api/shelf/none', token: CONSUMER }, 404],
  ];
  for (const [what, asked, status] of steps)
    test(what, async () => {
      const answer = await ask(asked);
      assert.equal(answer.status, status, answer.text);
      assert.equal(answer.headers['www-authenticate'], status === 401 ? 'Bearer' : undefined);
      assert.equal(await booksNow(), 0);
    });

  test('a row that takes nothing at all is served without a key, and to a client id, but not to a wrong one', async () => {
    assert.equal((await ask({ path: '/api/count' })).status, 200);
    assert.equal((await ask({ path: '/api/count', headers: { 'x-client-id': 'abcdefghijklmnop' } })).status, 200);
    assert.equal((await ask({ path: '/api/count', headers: { 'x-client-id': 'short' } })).status, 401);
  });

  test('errors carry what the surface adds', async () => {
    const { status, text } = await ask(create('torn'));
    assert.deepEqual([status, JSON.parse(text)], [409, { error: 'A torn book is not taken.', code: 'conflict', balance: 3 }]);
  });
});

suite('a second server: open routes and JSON-RPC', () => {
  test('a page for people has its own policy for content, and may be come to from another site', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    const page = await ask({ path: '/consent', headers });
    assert.deepEqual([page.status, page.headers['content-security-policy']], [200, "default-src 'none'; form-action 'self'"]);
    assert.equal((await ask({ path: '/consent', headers: { ...headers, 'sec-fetch-mode': 'no-cors' } })).status, 403);
    assert.equal((await ask({ method: 'POST', path: '/consent', headers, body: 'x' })).status, 403);
    assert.equal((await ask({ path: '/lines', headers })).status, 403);
  });

  test('takes a body, refuses other methods, and streams', async () => {
    assert.equal((await ask({ method: 'POST', path: '/consent', body: 'code=1' })).text, '{"sent":"code=1"}');
    assert.equal((await ask({ method: 'DELETE', path: '/consent' })).headers['allow'], 'GET, HEAD, POST');
    assert.equal((await ask({ path: '/lines' })).text, 'line 1\nline 2\nline 3\n');
  });

  test('what is wrong with a JSON-RPC body is told in its form', async () => {
    const call = (body: unknown) => ask({ method: 'POST', path: '/rpc', token: OWNER, body });
    assert.equal((await call({ jsonrpc: '2.0', id: 7, method: 'ping' })).text, '{"jsonrpc":"2.0","id":7,"result":"ping"}');
    for (const [body, code] of [
      ['{', -32_700],
      [{ jsonrpc: '1.0', id: 1, method: 'x' }, -32_600],
    ] as const) {
      const { status, text } = await call(body);
      const answer = JSON.parse(text) as { jsonrpc: string; id: null; error: { code: number } };
      assert.deepEqual([status, answer.jsonrpc, answer.id, answer.error.code], [400, '2.0', null, code]);
    }
  });
});

suite('a second server: two processes', () => {
  test('a key that is sent sixteen times to both at once has one effect', async () => {
    const books = await booksNow();
    const answers = await Promise.all(Array.from({ length: 16 }, (_, i) => ask(create('one', 'k'), i)));
    assert.deepEqual(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1, answers.map(({ text }) => text).join('\n'));
    assert.equal(answers[0]?.status, 201);
    assert.equal(await booksNow(), books + 1);
    assert.equal((await ask(create('another', 'k'), 1)).status, 409);
  });

  test('an effect that fails leaves its key free, in both', async () => {
    assert.equal((await ask(create('torn', 'free'), 0)).status, 409);
    assert.equal((await ask(create('whole', 'free'), 1)).status, 201);
  });

  test('a rate is one for both', async () => {
    const answers = await Promise.all(Array.from({ length: 2 * BURST }, (_, i) => ask({ path: '/api/nothing', token: BUSY }, i)));
    // A path that is not there costs nothing; one that is does.
    assert.ok(answers.every(({ status }) => status === 404));
    const counted = await Promise.all(Array.from({ length: 2 * BURST }, (_, i) => ask({ path: '/api/shelf/none', token: BUSY }, i)));
    assert.equal(counted.filter(({ status }) => status === 429).length, BURST);
  });
});
