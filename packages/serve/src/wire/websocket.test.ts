import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { LIMITS } from '@weft/contract';
import type { Operation } from '@weft/contract';
import { kernelOf } from '../../../../tests/conformance/kernel.ts';
import { rawRequest, requestText } from '../../../../tests/raw-request.ts';
import { OPCODE, closeCode, frameBytes, openRawWebSocket } from '../../../../tests/raw-websocket.ts';
import { until } from '../../../../tests/until.ts';
import { listen } from './listen.ts';
import { createStreamRegistry } from '../kernel/streams.ts';
import { attachWebSocket } from './websocket.ts';

const OPERATION: Operation = {
  id: 'test.row',
  method: 'GET',
  path: '/v1/test',
  summary: 'for the listener',
  scopes: ['read'],
  replies: { 204: { description: 'nothing', content: {} } },
};

/** A listener whose sockets take any ticket that begins with `good`, once. */
async function startSockets(options: { readonly pingMs?: number; readonly nowMs?: () => number } = {}) {
  const streams = createStreamRegistry();
  const spent = new Set<string>();
  const listener = await listen(
    kernelOf(OPERATION, () => ({ status: 204 })),
    { port: 0 },
  );
  attachWebSocket(listener, {
    policy: {},
    spendTicket(ticket) {
      if (!ticket.startsWith('good') || spent.has(ticket)) return undefined;
      spent.add(ticket);
      return { id: 'key_1', family: 'wlk', scopes: ['run'] };
    },
    streams,
    serve: () => undefined,
    now: options.nowMs ?? (() => 0),
    closeMs: 10,
    ...(options.pingMs === undefined ? {} : { pingMs: options.pingMs }),
  });
  return {
    port: listener.port,
    streams,
    spent,
    listener,
    async [Symbol.asyncDispose]() {
      streams.endAll();
      await listener.close(0);
    },
  };
}

const open = (port: number, ticket = 'good') => openRawWebSocket(port, { target: `/ws?ticket=${ticket}` });

suite('upgrades', () => {
  const REFUSED: readonly (readonly [name: string, target: string, headers: readonly string[], status: number])[] = [
    ['without a ticket', '/ws', [], 401],
    ['with an unknown ticket', '/ws?ticket=bad', [], 401],
    ['with two tickets, the first unknown', '/ws?ticket=bad&ticket=good', [], 401],
    ['of another path', '/v1/test?ticket=good', [], 404],
    ['of a path below', '/ws/x?ticket=good', [], 404],
    ['of a path that folds to the right one', '/x/../ws?ticket=good', [], 404],
    ['of a path that folds to the right one by an escape', '/x/%2e%2e/ws?ticket=good', [], 404],
    ['of a path with two slashes', '//ws?ticket=good', [], 404],
    ['of a path with a backslash', '/\\ws?ticket=good', [], 404],
    ['in absolute form', 'http://127.0.0.1/ws?ticket=good', [], 403],
    ['with another Host', '/ws?ticket=good', ['Host: evil.example'], 403],
    ['with two Hosts', '/ws?ticket=good', ['Host: 127.0.0.1:1', 'Host: evil.example'], 403],
    ['from another Origin', '/ws?ticket=good', ['Origin: http://evil.example'], 403],
    ['from the Origin null', '/ws?ticket=good', ['Origin: null'], 403],
    ['from a cross-site page', '/ws?ticket=good', ['Sec-Fetch-Site: cross-site'], 403],
    ['with a version that does not exist', '/ws?ticket=good', ['Sec-WebSocket-Version: 99'], 400],
  ];
  for (const [name, target, headers, status] of REFUSED)
    test(`refuses one ${name}`, async () => {
      await using server = await startSockets();
      await using socket = await openRawWebSocket(server.port, { target, headers });
      assert.equal(socket.status, status);
      assert.equal(server.streams.count(), 0);
      if (status !== 400) assert.deepEqual([...server.spent], [], 'the ticket is still good');
    });

  test('a ticket in a plain GET opens nothing and stays good (A24)', async () => {
    await using server = await startSockets();
    const headers = [`Host: 127.0.0.1:${server.port}`];
    assert.equal((await rawRequest(server.port, requestText({ target: '/ws?ticket=good', headers }))).status, 404);
    await using socket = await open(server.port);
    assert.equal(socket.status, 101);
  });

  test('a ticket that opened a socket does not open another (A24)', async () => {
    await using server = await startSockets();
    await using first = await open(server.port);
    await using second = await open(server.port);
    assert.deepEqual([first.status, second.status], [101, 401]);
  });

  test('a request that offers another protocol is served as if it had not (h2c)', async () => {
    await using server = await startSockets();
    const headers = [`Host: 127.0.0.1:${server.port}`, 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA'];
    const answer = await rawRequest(server.port, requestText({ target: '/v1/test', headers: [...headers, 'Connection: Upgrade'] }));
    assert.equal(answer.status, 401);
  });
});

const CLOSING: readonly (readonly [name: string, frames: () => readonly Buffer[], code: number])[] = [
  ['a frame over the limit', () => [frameBytes(OPCODE.text, Buffer.alloc(LIMITS.wsFrameBytesMax + 1, 'a'))], 1009],
  [
    'fragments that pass the limit together',
    () => [
      frameBytes(OPCODE.text, Buffer.alloc(40_000, 'a'), { isFinal: false }),
      frameBytes(OPCODE.continuation, Buffer.alloc(40_000, 'a')),
    ],
    1009,
  ],
  ['text that is not UTF-8', () => [frameBytes(OPCODE.text, Buffer.from([0xc3, 0x28]))], 1007],
  ['an unmasked frame', () => [frameBytes(OPCODE.text, Buffer.from('hi'), { isMasked: false })], 1002],
  ['a reserved opcode', () => [frameBytes(3, Buffer.from('hi'))], 1002],
  ['a continuation of nothing', () => [frameBytes(OPCODE.continuation, Buffer.from('hi'))], 1002],
  ['a ping that is too long', () => [frameBytes(OPCODE.ping, Buffer.alloc(126))], 1002],
  [
    'a flood of messages',
    () => Array.from({ length: LIMITS.wsFramesPerSecond + 1 }, () => frameBytes(OPCODE.text, Buffer.from('a'))),
    1008,
  ],
];

suite('frames (A26)', () => {
  for (const [name, frames, code] of CLOSING)
    test(`${name} closes the socket with ${code}`, async () => {
      await using server = await startSockets();
      await using socket = await open(server.port);
      socket.write(Buffer.concat(frames()));
      let frame = await socket.read();
      while (frame && frame.opcode !== OPCODE.close) frame = await socket.read();
      assert.equal(closeCode(frame), code);
      await until(() => server.streams.count() === 0);
    });

  test('pings count as frames', async () => {
    await using server = await startSockets();
    await using socket = await open(server.port);
    for (let i = 0; i < LIMITS.wsFramesPerSecond; i++) {
      socket.write(frameBytes(OPCODE.ping, Buffer.from('a')));
      assert.equal((await socket.read())?.opcode, OPCODE.pong);
    }
    socket.write(frameBytes(OPCODE.ping, Buffer.from('a')));
    let frame = await socket.read();
    if (frame?.opcode === OPCODE.pong) frame = await socket.read();
    assert.equal(closeCode(frame), 1008);
  });

  test('a burst of pings that nobody reads the answers of drops the socket', async () => {
    await using server = await startSockets();
    await using socket = await open(server.port);
    socket.write(Buffer.concat(Array.from({ length: 10_000 }, () => frameBytes(OPCODE.ping, Buffer.from('a')))));
    await until(() => socket.socket.closed);
    await until(() => server.streams.count() === 0);
  });

  test('as many frames as allowed leave the socket open', async () => {
    await using server = await startSockets();
    await using socket = await open(server.port);
    for (let i = 0; i < LIMITS.wsFramesPerSecond - 1; i++) socket.write(frameBytes(OPCODE.text, Buffer.from('a')));
    socket.write(frameBytes(OPCODE.ping, Buffer.from('still here')));
    assert.deepEqual(await socket.read(), { opcode: OPCODE.pong, payload: Buffer.from('still here') });
  });

  test('a peer that answers no ping is dropped after two', async () => {
    await using server = await startSockets({ pingMs: 5 });
    await using socket = await open(server.port);
    const seen: (number | undefined)[] = [];
    for (let frame = await socket.read(); frame; frame = await socket.read()) seen.push(frame.opcode);
    assert.deepEqual(seen, [OPCODE.ping, OPCODE.ping]);
    await until(() => server.streams.count() === 0);
  });

  test('a token that ends says so to its socket', async () => {
    await using server = await startSockets();
    await using socket = await open(server.port);
    server.streams.endOf('key_1');
    assert.equal(closeCode(await socket.read()), 1001);
  });

  test('a peer that never answers the close is dropped, so that a shutdown ends', async () => {
    const server = await startSockets();
    await using socket = await open(server.port);
    await server[Symbol.asyncDispose]();
    await until(() => socket.socket.closed);
    await until(() => server.streams.count() === 0);
  });
});
