// What a socket may send: bodies that lie or never end, odd paths and methods, smuggling, slow clients. Numbers: docs/decisions/0002-conformance-cases.md.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { LIMITS, formatToken } from '@weft/contract';
import type { Operation } from '@weft/contract';
import { listen } from '@weft/serve';
import type { ServerTimeouts } from '@weft/serve';
import { z } from 'zod';
import type { TestAgent } from '../agent.ts';
import { startTestAgent } from '../agent.ts';
import { rawRequest } from '../raw-request.ts';
import { kernelOf } from './kernel.ts';

const TOKEN = formatToken('wlt', 'A'.repeat(43));

interface WireCase {
  readonly name: string;
  /** HOST and TOKEN stand for the agent's own. */
  readonly text: string;
  /** 0: the connection is closed without an answer. */
  readonly status: number | readonly number[];
  readonly allow?: string;
}

const AUTH = 'Host: HOST\r\nAuthorization: Bearer TOKEN\r\nConnection: close\r\n';
const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\n${AUTH}${more}\r\n`;
const call = (method: string, path: string) => `${method} ${path} HTTP/1.1\r\n${AUTH}\r\n`;
const post = (headers: string, body: string) =>
  `POST /v1/keys HTTP/1.1\r\n${AUTH}Content-Type: application/json\r\n${headers}\r\n\r\n${body}`;
const KEY = '{"name":"x","scopes":"read"}';

/** Paths that only look like a route's. */
const OTHER_PATHS: readonly string[] = [
  ['/v1/agent/', '/v1//agent', '//v1/agent', '/v1/./agent', '/v1/../v1/agent', '/v1/%2e%2e/v1/agent', '/v1/agent/..', '/v1/agent/.'],
  ['/v1/agent;x=1', '/v1/agent%00', '/v1/agent%2f', '/v1%2fagent', '/v1/agent%5c', '/v1/agent%', '/v1/agent%zz', '/V1/AGENT', '/v1/Agent'],
  ['/v1/agent.json', '/v1/agent%20', '/v1/runs/%31%2fevents', '/v1\\agent', '/v1/agent\\', '/%76%31/agent', '/v1/%61gent', '/v1/agent#x'],
].flat();

const CASES: readonly WireCase[] = [
  ...OTHER_PATHS.map((path) => ({ name: `F28 ${path} is no route`, text: get(path), status: [400, 401, 404] })),
  { name: 'F28 a query of question marks changes no route', text: get('/v1/keys?limit=1?limit=2'), status: 400 },
  { name: 'F28 an empty query is no query', text: get('/v1/agent?'), status: 200 },
  { name: 'F28 a URL of 20 kB is refused', text: get(`/v1/agent?${'a'.repeat(20_000)}`), status: [414, 431] },
  { name: 'F28 a header of 17 kB is refused', text: get('/v1/agent', `X-Long: ${'a'.repeat(17_000)}\r\n`), status: 431 },
  { name: 'F28 500 header lines are refused', text: get('/v1/agent', 'X: 1\r\n'.repeat(500)), status: 431 },
  {
    name: 'F28 a second Host behind 300 headers is seen',
    text: get('/v1/agent', `${'X: 1\r\n'.repeat(300)}Host: evil.example\r\n`),
    status: [400, 403, 431],
  },
  {
    name: 'F28 an Origin behind 300 headers is seen',
    text: get('/v1/agent', `${'X: 1\r\n'.repeat(300)}Origin: http://evil.example\r\n`),
    status: [403, 431],
  },
  { name: 'F28 150 header lines are served', text: get('/v1/agent', 'X: 1\r\n'.repeat(150)), status: 200 },

  { name: 'F29 a wrong method is 405 with those that are right', text: call('DELETE', '/v1/runs'), status: 405, allow: 'GET, HEAD' },
  { name: 'F29 so is PUT where PATCH would be', text: call('PUT', '/v1/keys'), status: 405, allow: 'GET, HEAD, POST' },
  { name: 'F29 OPTIONS is no exception', text: call('OPTIONS', '/v1/agent'), status: 405, allow: 'GET, HEAD' },
  { name: 'F29 OPTIONS * is refused', text: call('OPTIONS', '*'), status: 403 },
  { name: 'F29 TRACE is refused', text: call('TRACE', '/v1/agent'), status: 405 },
  { name: 'F29 a method that HTTP does not know is refused', text: call('FROB', '/v1/agent'), status: 400 },
  { name: 'F29 a lower-case method is refused', text: call('get', '/v1/agent'), status: 400 },
  { name: 'F29 PROPFIND is 405', text: call('PROPFIND', '/v1/agent'), status: 405 },
  { name: 'F29 CONNECT is closed', text: `CONNECT evil.example:443 HTTP/1.1\r\n${AUTH}\r\n`, status: [0, 400, 403, 405] },
  { name: 'F29 the OpenAPI document takes GET alone', text: call('POST', '/openapi.json'), status: 405, allow: 'GET, HEAD' },

  {
    name: 'F30 length and chunked together',
    text: post('Content-Length: 5\r\nTransfer-Encoding: chunked', '0\r\n\r\nGET /v1/keys HTTP/1.1\r\n\r\n'),
    status: 400,
  },
  { name: 'F30 two lengths', text: post(`Content-Length: ${KEY.length}\r\nContent-Length: 5`, KEY), status: 400 },
  { name: 'F30 two lengths in one header', text: post(`Content-Length: ${KEY.length}, ${KEY.length}`, KEY), status: 400 },
  { name: 'F30 a negative length', text: post('Content-Length: -1', KEY), status: 400 },
  { name: 'F30 a length with a sign', text: post('Content-Length: +28', KEY), status: 400 },
  { name: 'F30 a length in hexadecimal', text: post('Content-Length: 0x1c', KEY), status: 400 },
  { name: 'F30 a length of 2^64', text: post('Content-Length: 18446744073709551616', KEY), status: [400, 413] },
  { name: 'F30 a transfer encoding that is not chunked', text: post('Transfer-Encoding: xchunked', KEY), status: [400, 501] },
  { name: 'F30 chunked before another encoding', text: post('Transfer-Encoding: chunked, identity', '0\r\n\r\n'), status: 400 },
  { name: 'F30 chunked by a hidden character', text: post('Transfer-Encoding: \u000bchunked', '0\r\n\r\n'), status: 400 },
  { name: 'F30 two transfer encodings', text: post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', '0\r\n\r\n'), status: 400 },
  { name: 'F30 a folded header', text: get('/v1/agent', 'X-A: 1\r\n 2\r\n'), status: 400 },
  { name: 'F30 a bare line feed', text: get('/v1/agent', 'X-A: 1\nX-B: 2\r\n'), status: 400 },
  { name: 'F30 a bare carriage return', text: get('/v1/agent', 'X-A: 1\rX-B: 2\r\n'), status: 400 },
  { name: 'F30 a space before the colon', text: get('/v1/agent', 'X-A : 1\r\n'), status: 400 },
  { name: 'F30 a header without a name', text: get('/v1/agent', ': 1\r\n'), status: 400 },
  { name: 'F30 a NUL in a header', text: get('/v1/agent', 'X-A: a\0b\r\n'), status: 400 },
  { name: 'F30 a chunk size with a sign', text: post('Transfer-Encoding: chunked', `+1c\r\n${KEY}\r\n0\r\n\r\n`), status: 400 },
  { name: 'F30 a chunk size that overflows', text: post('Transfer-Encoding: chunked', `fffffffffffffffff\r\n${KEY}`), status: [400, 413] },
  { name: 'F30 a chunk that is longer than it says', text: post('Transfer-Encoding: chunked', `5\r\n${KEY}\r\n0\r\n\r\n`), status: 400 },
  { name: 'F30 HTTP/2 without a word', text: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', status: 400 },
  { name: 'F30 HTTP/0.9', text: 'GET /v1/agent\r\n\r\n', status: [400, 403] },
  { name: 'F30 a version that does not exist', text: `GET /v1/agent HTTP/1.9\r\n${AUTH}\r\n`, status: [400, 505] },
  { name: 'attack 25: a version that only the parser knows', text: `GET /v1/agent HTTP/2.0\r\n${AUTH}\r\n`, status: 400 },
  { name: 'an expectation that nobody meets', text: get('/v1/agent', 'Expect: a miracle\r\n'), status: 417 },
  { name: 'F30 no HTTP at all', text: '\u0016\u0003\u0001\u0000\u0001\u0000', status: 400 },

  { name: 'F23 a declared body of 100 MB is 413 at once', text: post('Content-Length: 104857600', '{"name"'), status: 413 },
  {
    name: 'F23 a body that grows past the limit is 413',
    text: post('Transfer-Encoding: chunked', `${'10000\r\n'}${'a'.repeat(0x10000)}\r\n`.repeat(20)),
    status: 413,
  },
  { name: 'F23 a body that stops before its length is closed', text: post('Content-Length: 1000', KEY), status: [0, 400, 408] },
];

suite('bytes on the wire', () => {
  let agent: TestAgent;
  before(async () => void (agent = await startTestAgent()));
  after(() => agent[Symbol.asyncDispose]());

  for (const { name, text, status, allow } of CASES)
    test(name, async () => {
      const bytes = text.replaceAll('HOST', `127.0.0.1:${agent.port}`).replaceAll('TOKEN', agent.token);
      const answer = await (name.includes('stops before')
        ? halfRequest(agent.port, bytes)
        : rawRequest(agent.port, Buffer.from(bytes, 'latin1')));
      const expected = typeof status === 'number' ? [status] : status;
      assert.ok(expected.includes(answer.status), `answered ${answer.status}: ${answer.body.slice(0, 300)}`);
      if (allow) assert.equal(answer.headers['allow'], allow);
      if ([400, 417, 431].includes(answer.status) && !name.includes('stops before')) {
        assert.equal((JSON.parse(answer.body) as { code: string }).code, 'bad_request');
        assert.match(answer.headers['x-request-id'] ?? '', /^[A-Za-z0-9._-]{1,64}$/);
      }
      assert.equal((await agent.client.keys.list()).count, 0, 'nothing was created');
    });

  test('F29 HEAD is GET without a body', async () => {
    for (const path of ['/v1/agent', '/v1/keys', '/openapi.json', '/v1/runs/999']) {
      const [got, head] = await Promise.all(['GET', 'HEAD'].map((method) => rawRequest(agent.port, own(agent, call(method, path)))));
      assert.deepEqual([head?.status, head?.body], [got?.status, '']);
      assert.deepEqual(Object.keys(head?.headers ?? {}).sort(), Object.keys(got?.headers ?? {}).sort());
    }
  });

  test('F30 what follows a refused request on its connection is not served', async () => {
    const smuggled = `POST /v1/keys HTTP/1.1\r\n${AUTH}Content-Type: application/json\r\nContent-Length: ${KEY.length}\r\n\r\n${KEY}`;
    const text = `POST /v1/keys HTTP/1.1\r\nHost: HOST\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`;
    const answer = await rawRequest(agent.port, own(agent, text));
    assert.deepEqual([answer.status, answer.headers['connection'], /HTTP\/1\.1/.test(answer.body)], [400, 'close', false]);
    assert.equal((await agent.client.keys.list()).count, 0);
  });

  test('attack 25: what follows an offer of another protocol is answered, or the connection says that it is closed', async () => {
    const plain = `GET /v1/agent HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer TOKEN\r\n`;
    const offer = `${plain}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n`;
    const answer = await rawRequest(agent.port, own(agent, `${offer}${plain}Connection: close\r\n\r\n`));
    assert.equal(answer.status, 200);
    assert.ok(answer.headers['connection'] === 'close' || /HTTP\/1\.1 200/.test(answer.body), 'a request was lost in silence');
  });

  test('F23 after 413 the connection is closed, however much more is sent', async () => {
    const socket = connect({ host: '127.0.0.1', port: agent.port });
    socket.on('error', () => undefined);
    socket.write(own(agent, post('Transfer-Encoding: chunked', '')));
    const chunk = Buffer.from(`10000\r\n${'a'.repeat(0x10000)}\r\n`);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.resume();
    let sentBytes = 0;
    const pump = () => {
      while (socket.writable && socket.write(chunk)) sentBytes += chunk.length;
    };
    socket.on('drain', pump);
    pump();
    await closed;
    assert.ok(sentBytes < 200 * LIMITS.bodyBytesMax, `${sentBytes} bytes were taken`);
  });
});

const SLOW: Operation = {
  id: 'test.row',
  method: 'POST',
  path: '/v1/test',
  summary: 'takes a body, answers megabytes',
  scopes: ['read'],
  body: z.unknown(),
  replies: { 200: { description: 'text', content: { 'text/csv': 'text' } } },
};
const QUICK: Partial<ServerTimeouts> = { headersMs: 600, requestMs: 1200, keepAliveMs: 600, connectionsMax: 60 };

suite('F31 slow clients', () => {
  const SLOW_CLIENTS: readonly (readonly [name: string, text: string, statuses: readonly number[]])[] = [
    ['that never end their headers', 'POST /v1/test HTTP/1.1\r\nHost: HOST\r\nX-A: ', [0, 408]],
    ['that never begin', '', [0, 408]],
    [
      'that never end their body',
      `POST /v1/test HTTP/1.1\r\n${AUTH}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
      [0, 400, 408],
    ],
    [
      'that never end their chunks',
      `POST /v1/test HTTP/1.1\r\n${AUTH}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`,
      [0, 400, 408],
    ],
  ];
  for (const [name, text, statuses] of SLOW_CLIENTS)
    test(`fifty clients ${name} are dropped, and others are answered meanwhile`, async () => {
      await using server = await startSlow();
      const slow = Array.from({ length: 50 }, () => halfRequest(server.port, server.own(text), false));
      assert.equal((await server.ask()).status, 200);
      for (const answer of await Promise.all(slow)) assert.ok(statuses.includes(answer.status), String(answer.status));
      assert.equal((await server.ask()).status, 200);
    });

  test('clients that never read hold a part of their answer, and others are answered meanwhile', async () => {
    await using server = await startSlow();
    const sockets = await Promise.all(Array.from({ length: 20 }, () => server.askWithoutReading()));
    assert.equal((await server.ask()).status, 200);
    // Each could take 64 MB; what the system buffers for a socket that nobody reads is a few.
    assert.ok(server.produced() < sockets.length * 16_000_000, `${server.produced()} bytes made`);
    for (const socket of sockets) socket.destroy();
  });

  test('more connections than allowed are dropped, and the next one after that is answered', async () => {
    await using server = await startSlow();
    const idle = await Promise.all(Array.from({ length: 60 }, () => openSocket(server.port)));
    const extra = connect({ host: '127.0.0.1', port: server.port });
    extra.on('error', () => undefined);
    extra.resume();
    await new Promise((resolve) => extra.once('close', resolve));
    for (const socket of idle) socket.destroy();
    let status = 0;
    while (status !== 200) status = (await server.ask()).status;
  });
});

const PART = 'a'.repeat(64 * 1024);

/** A listener that gives up on clients soon; a body of `"much"` is answered with 64 MB, any other with three letters. */
async function startSlow() {
  let produced = 0;
  async function* much() {
    for (let i = 0; i < 1000; i++) {
      produced += PART.length;
      yield PART;
    }
  }
  const kernel = kernelOf(SLOW, ({ body }) => ({ status: 200, type: 'text/csv', body: body === 'much' ? much() : 'a,b' }), {
    now: () => (clockMs += 1000),
  });
  const listener = await listen(kernel, { port: 0, timeouts: QUICK });
  const own = (text: string) => text.replaceAll('HOST', listener.own.host).replaceAll('TOKEN', TOKEN);
  const request = (body: string) =>
    own(`POST /v1/test HTTP/1.1\r\n${AUTH}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  return {
    port: listener.port,
    own,
    produced: () => produced,
    ask: () => rawRequest(listener.port, request('"few"')),
    async askWithoutReading(): Promise<Socket> {
      const socket = await openSocket(listener.port);
      socket.pause();
      socket.write(request('"much"'));
      return socket;
    },
    [Symbol.asyncDispose]: () => listener.close(0),
  };
}

let clockMs = 0;

async function openSocket(port: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Sends a part of a request; then ends its side, or leaves it open and waits to be dropped. */
function halfRequest(
  port: number,
  text: string,
  isEnded = true,
): Promise<{ status: number; body: string; headers: Record<string, string> }> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
    let answer = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (answer += chunk));
    socket.on('error', () => undefined);
    socket.on('end', () => socket.end());
    socket.on('close', () => resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0), body: answer, headers: {} }));
    if (text !== '') socket.write(text, 'latin1');
    if (isEnded) socket.end();
  });
}

function own(agent: TestAgent, text: string): Buffer {
  return Buffer.from(text.replaceAll('HOST', `127.0.0.1:${agent.port}`).replaceAll('TOKEN', agent.token), 'latin1');
}
