import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite, test } from 'node:test';
import { ApiError, CallTimeoutError, ConnectionError, InsufficientCreditsError, RateLimitedError } from './errors.ts';
import { createTransport } from './transport.ts';

async function startServer(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** F72: what a server or something in front of it may send as the body of an error. */
const BODIES: readonly (readonly [name: string, type: string, body: string, code: string, message: RegExp])[] = [
  ['our JSON', 'application/json', '{"error":"No such run.","code":"not_found"}', 'not_found', /^No such run\.$/],
  ['plain text', 'text/plain', 'Payload too large\n', 'unknown', /answered 404: Payload too large/],
  ['an empty body', 'application/json', '', 'unknown', /answered 404\./],
  ['HTML', 'text/html', '<h1>Bad gateway</h1>', 'unknown', /answered 404: <h1>/],
  ['JSON that is cut off', 'application/json', '{"error":"No su', 'unknown', /answered 404/],
  ['JSON of another shape', 'application/json', '{"message":"x"}', 'unknown', /answered 404/],
  ['a JSON array', 'application/json', '[1]', 'unknown', /answered 404/],
  ['JSON with a code that is no text', 'application/json', '{"error":1,"code":2}', 'unknown', /answered 404/],
];

suite('transport', () => {
  for (const [name, type, body, code, message] of BODIES)
    test(`F72 an error with ${name} becomes an ApiError`, async () => {
      await using server = await startServer((_request, response) =>
        response.writeHead(404, { 'content-type': type, 'x-request-id': 'r1' }).end(body),
      );
      const error = await createTransport(server)
        .send({ method: 'GET', path: '/' })
        .catch((thrown: unknown) => thrown);
      assert.ok(error instanceof ApiError);
      assert.deepEqual([error.status, error.code, error.requestId], [404, code, 'r1']);
      assert.match(error.message, message);
    });

  test('a spent keyless allowance carries its reset time and counters', async () => {
    const body = { error: 'Spent.', code: 'keyless_rate_limited', reset_at: '2026-01-01T00:00:00Z', limit: 50, remaining: 0 };
    await using server = await startServer((_request, response) =>
      response.writeHead(429, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    );
    const error = await createTransport({ ...server, retriesMax: 0 })
      .send({ method: 'GET', path: '/' })
      .catch((thrown: unknown) => thrown);
    assert.ok(error instanceof RateLimitedError);
    assert.deepEqual([error.resetAt, error.limit, error.remaining], ['2026-01-01T00:00:00Z', 50, 0]);
  });

  test('an empty credit pool has its own kind', async () => {
    await using server = await startServer((_request, response) =>
      response.writeHead(402, { 'content-type': 'application/json' }).end('{"error":"Empty.","code":"insufficient_credits"}'),
    );
    await assert.rejects(createTransport(server).send({ method: 'POST', path: '/' }), InsufficientCreditsError);
  });

  /** Method, headers, answers in turn -> how often the server was asked, and the waits between. */
  const RETRIES: readonly (readonly [
    name: string,
    method: string,
    headers: Record<string, string>,
    statuses: readonly number[],
    asked: number,
    waits: readonly number[],
  ])[] = [
    ['a GET is tried again after a 503', 'GET', {}, [503, 200], 2, []],
    ['a GET gives up after two more tries', 'GET', {}, [503, 503, 503, 200], 3, []],
    ['Retry-After is obeyed to the second', 'GET', {}, [429, 200], 2, [7000]],
    ['a POST is not repeated', 'POST', {}, [503, 200], 1, []],
    ['a POST with an Idempotency-Key is', 'POST', { 'idempotency-key': 'k' }, [503, 200], 2, []],
    ['a 409 is an answer', 'GET', {}, [409, 200], 1, []],
    ['a 404 is an answer', 'GET', {}, [404, 200], 1, []],
  ];
  for (const [name, method, headers, statuses, asked, waits] of RETRIES)
    test(name, async () => {
      let count = 0;
      await using server = await startServer((_request, response) =>
        response.writeHead(statuses[count++] ?? 500, { 'retry-after': waits.length > 0 ? '7' : '0' }).end(),
      );
      const slept: number[] = [];
      const transport = createTransport({ ...server, delay: async (ms) => void slept.push(ms) });
      await transport.send({ method, path: '/', headers }).catch((error: unknown) => assert.ok(error instanceof ApiError));
      assert.equal(count, asked);
      if (waits.length > 0) assert.deepEqual(slept, waits);
    });

  test('nobody at the address is a ConnectionError that names it', async () => {
    const { baseUrl } = await startServer(() => undefined).then(async (server) => {
      await server[Symbol.asyncDispose]();
      return server;
    });
    const error = await createTransport({ baseUrl, retriesMax: 0 })
      .send({ method: 'GET', path: '/' })
      .catch((thrown: unknown) => thrown);
    assert.ok(error instanceof ConnectionError);
    assert.match(error.message, new RegExp(baseUrl));
  });

  test('a redirect is never followed with the token', async () => {
    await using server = await startServer((_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end());
    await assert.rejects(createTransport({ ...server, token: 'wlt_x', retriesMax: 0 }).send({ method: 'GET', path: '/' }), ConnectionError);
  });

  test('Retry-After may be a date', async () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    await using server = await startServer((_request, response) => response.writeHead(429, { 'retry-after': date }).end());
    const error = await createTransport(server)
      .send({ method: 'GET', path: '/' })
      .catch((thrown: unknown) => thrown);
    assert.ok(error instanceof ApiError);
    assert.ok((error.retryAfterSeconds ?? 0) > 3000 && (error.retryAfterSeconds ?? 0) <= 3601, String(error.retryAfterSeconds));
  });

  for (const [what, statuses, isGone] of [
    ['a repeated DELETE that meets 404 is done', [500, 404], true],
    ['a DELETE that was refused for being one of too many has done nothing', [429, 404], false],
    ['a first DELETE that meets 404 is an error', [404], false],
  ] as const)
    test(what, async () => {
      let count = 0;
      await using server = await startServer((_request, response) =>
        response.writeHead(statuses[count++] ?? 500, { 'retry-after': '0' }).end(),
      );
      const transport = createTransport({ ...server, delay: async () => undefined });
      const answer = await transport.send({ method: 'DELETE', path: '/', isDoneWhenGone: true }).catch((error: unknown) => error);
      assert.equal(isGone ? answer instanceof Response && answer.status : answer instanceof ApiError && answer.status, isGone ? 204 : 404);
    });

  for (const [what, listener] of [
    ['never answers', () => undefined],
    ['never ends its answer', (_request, response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{')],
    ['always wants a later call', (_request, response) => void response.writeHead(503, { 'retry-after': '50' }).end()],
  ] as const satisfies readonly (readonly [string, RequestListener])[])
    test(`a call ends when its time is over, at a server that ${what}`, async () => {
      await using server = await startServer(listener);
      const sent = createTransport(server).send({ method: 'GET', path: '/v1/agent', timeoutSeconds: 0.2, isWhole: true });
      await assert.rejects(sent, (error) => {
        assert.ok(error instanceof CallTimeoutError);
        assert.match(error.message, /^GET \/v1\/agent was not answered within 0\.2 seconds\. .*"timeoutSeconds"/);
        return true;
      });
    });
});
