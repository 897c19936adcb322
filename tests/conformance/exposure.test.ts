// What can be reached of the agent from other addresses, users, programs and names. Case numbers: docs/decisions/0002-conformance-cases.md.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { checkServerIdentity } from 'node:tls';
import type { ConnectionOptions, PeerCertificate } from 'node:tls';
import { discoverAgent } from '@weft/client/node';
import type { Ticket } from '@weft/contract';
import { prepareHome } from '../../packages/daemon/src/home.ts';
import type { TestAgent } from '../agent.ts';
import { startTestAgent, testClock } from '../agent.ts';
import { fuzzGuard } from './fuzz.ts';
import { freePorts, startProgram } from './program.ts';

suite('A28 addresses', () => {
  const others = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ address }) => address !== '127.0.0.1')
    .map(({ address, scopeid }) => (scopeid ? `${address}%${scopeid}` : address));

  let agent: TestAgent;
  before(async () => void (agent = await startTestAgent({ hasTls: true })));
  after(() => agent[Symbol.asyncDispose]());

  for (const address of new Set(['::1', '127.0.0.2', ...others]))
    test(`nothing listens at ${address}`, async () => {
      for (const url of [agent.baseUrl, agent.httpsUrl ?? '']) {
        const code = await connectError(address, Number(new URL(url).port));
        assert.ok(['ECONNREFUSED', 'EADDRNOTAVAIL', 'ENETUNREACH', 'EINVAL', 'EHOSTUNREACH'].includes(code), `${address}: ${code}`);
      }
    });
});

suite('A29 files', () => {
  test('every folder of a home is 0700 and every file 0600, whatever the umask was', async () => {
    const umask = process.umask(0);
    try {
      await using agent = await startTestAgent({ hasTls: true, clock: testClock(Date.now()) });
      await agent.client.keys.create({ name: 'x', scopes: 'read' });
      const modes = listTree(agent.home).map((path) => [path, (lstatSync(path).mode & 0o777).toString(8)] as const);
      const wrong = modes.filter(([path, mode]) => mode !== (lstatSync(path).isDirectory() ? '700' : '600'));
      assert.deepEqual(wrong, []);
      assert.ok(modes.length > 8);
    } finally {
      process.umask(umask);
    }
  });

  test('attack 26: what others could read of a home from before is theirs no longer after a start', () => {
    const home = mkdtempSync(join(tmpdir(), 'weft-modes-'));
    try {
      prepareHome(home);
      const compiled = join('cache', 'compile', 'v24');
      mkdirSync(join(home, compiled), { recursive: true });
      const files = ['token', 'runtime.json', 'config.json', 'weft.db', 'weft.db-wal', 'weft.db-shm', 'logs/agent.log', 'cache/one'];
      for (const name of files) writeFileSync(join(home, name), '');
      const all = [...files, 'logs', 'cache', 'blobs', 'backups', 'browser', 'cache/compile', compiled];
      for (const name of all) chmodSync(join(home, name), lstatSync(join(home, name)).isDirectory() ? 0o755 : 0o644);
      symlinkSync('/etc/hostname', join(home, 'elsewhere'));
      prepareHome(home);
      const modes = all.map((name) => [name, (lstatSync(join(home, name)).mode & 0o777).toString(8)]);
      assert.deepEqual(
        modes.filter(([, mode]) => mode !== '600' && mode !== '700'),
        [],
      );
    } finally {
      rmSync(home, { recursive: true });
    }
  });

  test('a home that is a link is refused', () => {
    const folder = mkdtempSync(join(tmpdir(), 'weft-link-'));
    try {
      mkdirSync(join(folder, 'real'));
      symlinkSync(join(folder, 'real'), join(folder, 'link'));
      assert.throws(() => prepareHome(join(folder, 'link')), /symbolic link/);
      writeFileSync(join(folder, 'file'), '');
      assert.throws(() => prepareHome(join(folder, 'file')), /can't be used|not a folder/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  const isRoot = process.getuid?.() === 0;
  test('another user can read nothing', { skip: isRoot ? false : 'only root can become another user' }, async () => {
    await using agent = await startTestAgent({ hasTls: true, clock: testClock(Date.now()) });
    for (const path of ['runtime.json', 'token', 'weft.db', 'tls/ca.key', 'logs', '.'].map((name) => join(agent.home, name))) {
      const { status, stderr } = spawnSync('/bin/ls', ['-l', join(path, '')], { uid: 65_534, gid: 65_534, encoding: 'utf8' });
      assert.notEqual(status, 0, path);
      assert.match(stderr, /Permission denied/);
    }
  });
});

suite('A30 a squatted port', () => {
  for (const which of ['HTTP', 'HTTPS'] as const)
    test(`an agent whose ${which} port is taken says so, exits with 1 and leaves no runtime file`, async () => {
      await using squatter = await startSquatter();
      await using program = await startProgram({ port: which === 'HTTP' ? squatter.port : squatter.port - 1 });
      const { code, stderr } = await program.exit;
      assert.equal(code, 1, stderr);
      assert.match(stderr, new RegExp(`could not start: .*EADDRINUSE.*${squatter.port}`));
      assert.ok(!readdirSync(program.home).includes('runtime.json'));
      assert.deepEqual(squatter.heard, []);
    });

  test('a client that finds a squatter where its runtime file points sends it no token', async () => {
    await using squatter = await startSquatter();
    const home = mkdtempSync(join(tmpdir(), 'weft-squat-'));
    try {
      let runtime: object;
      {
        await using agent = await startTestAgent();
        runtime = JSON.parse(readFileSync(join(agent.home, 'runtime.json'), 'utf8')) as object;
      }
      const baseUrl = `http://127.0.0.1:${squatter.port}`;
      writeFileSync(join(home, 'runtime.json'), JSON.stringify({ ...runtime, base_url: baseUrl }));
      await assert.rejects(discoverAgent({ env: { SERVICE_HOME: home, HOME: home } }), /does not answer as the agent that wrote it/);
      assert.equal(squatter.heard.length, 1);
      assert.doesNotMatch(squatter.heard.join(''), /authorization|wlt_|cookie/i);
    } finally {
      rmSync(home, { recursive: true });
    }
  });

  test('a runtime file that points beyond this machine is not even asked', async () => {
    const home = mkdtempSync(join(tmpdir(), 'weft-squat-'));
    try {
      const runtime = { base_url: 'http://192.0.2.1:8131', token: 't', instance_id: 'i', probe_secret: 's' };
      writeFileSync(join(home, 'runtime.json'), JSON.stringify(runtime));
      await assert.rejects(discoverAgent({ env: { SERVICE_HOME: home, HOME: home } }), /must be https, or http on 127.0.0.1/);
    } finally {
      rmSync(home, { recursive: true });
    }
  });
});

suite('A32 a name that is rebound', () => {
  test('a name that leads elsewhere first and to loopback then is refused by its Host', async () => {
    await using agent = await startTestAgent();
    await using dns = await startNameServer(['192.0.2.7', '127.0.0.1']);
    const resolver = new Resolver();
    resolver.setServers([`127.0.0.1:${dns.port}`]);
    assert.deepEqual(await resolver.resolve4('evil.test'), ['192.0.2.7']);
    const [address = ''] = await resolver.resolve4('evil.test');
    assert.equal(address, '127.0.0.1');
    for (const host of ['evil.test', `evil.test:${agent.port}`]) {
      const headers = { host, authorization: `Bearer ${agent.token}` };
      const { status, headers: answered } = await answerOf(request, { host: address, port: agent.port, path: '/v1/keys', headers });
      assert.equal(status, 403);
      assert.ok(!Object.keys(answered).some((name) => name.startsWith('access-control-')));
    }
  });

  for (const name of ['evil.test', 'localhost', '127.0.0.2', 'evil.127.0.0.1.test'])
    test(`the certificate of the HTTPS twin is not one for ${name}`, async () => {
      await using agent = await startTestAgent({ hasTls: true, clock: testClock(Date.now()) });
      const port = Number(new URL(agent.httpsUrl ?? '').port);
      const ca = readFileSync(join(agent.home, 'tls', 'ca.pem'));
      const options = { host: '127.0.0.1', port, path: '/v1/agent', ca, headers: { host: name }, agent: false as const };
      const identity =
        name === '127.0.0.2'
          ? { checkServerIdentity: (_host: string, certificate: PeerCertificate) => checkServerIdentity(name, certificate) }
          : { servername: name };
      await assert.rejects(answerOf(httpsRequest, { ...options, ...identity }), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
      const { status } = await answerOf(httpsRequest, {
        ...options,
        servername: name === '127.0.0.2' ? '' : name,
        rejectUnauthorized: false,
      });
      assert.equal(status, 403, 'a client that does not look is refused by its Host');
    });

  test('the HTTPS twin is open by its own address', async () => {
    await using agent = await startTestAgent({ hasTls: true, clock: testClock(Date.now()) });
    const { hostname, port } = new URL(agent.httpsUrl ?? '');
    const ca = readFileSync(join(agent.home, 'tls', 'ca.pem'));
    const headers = { authorization: `Bearer ${agent.token}` };
    assert.equal((await answerOf(httpsRequest, { host: hostname, port, path: '/v1/agent', ca, headers, agent: false })).status, 200);
    const http = { ...headers, host: new URL(agent.baseUrl).host };
    assert.equal((await answerOf(httpsRequest, { host: hostname, port, path: '/v1/agent', ca, headers: http, agent: false })).status, 403);
  });

  test('attack 24: a ticket minted over HTTPS opens over wss at the twin, one minted over HTTP over ws', async () => {
    await using agent = await startTestAgent({ hasTls: true, clock: testClock(Date.now()) });
    const ca = readFileSync(join(agent.home, 'tls', 'ca.pem'));
    for (const [ask, origin] of [
      [httpsRequest, agent.httpsUrl],
      [request, agent.baseUrl],
    ] as const) {
      const { hostname, port, host } = new URL(origin ?? '');
      const headers = { authorization: `Bearer ${agent.token}` };
      const { status, body } = await answerOf(ask, {
        host: hostname,
        port,
        method: 'POST',
        path: '/v1/ws-ticket',
        ca,
        headers,
        agent: false,
      });
      assert.equal(status, 201);
      assert.ok((JSON.parse(body) as Ticket).url.startsWith(`${ask === httpsRequest ? 'wss' : 'ws'}://${host}/ws?ticket=`), body);
    }
  });
});

suite('A33 random triples', () => {
  test('5,000 of them are all refused, and the agent is alive', async (context) => {
    await using agent = await startTestAgent();
    const seed = Math.floor(Math.random() * 2 ** 31);
    context.diagnostic(`seed ${seed}`);
    const counts = await fuzzGuard({ port: agent.port, count: 5000, seed });
    assert.equal(
      Object.values(counts).reduce((sum, count) => sum + count, 0),
      5000,
    );
    assert.ok((counts[403] ?? 0) > 3000, JSON.stringify(counts));
    assert.equal((await agent.client.agent.status()).name, 'weft');
    assert.deepEqual(agent.logged, []);
  });
});

/** The code with which a connection fails; empty when it is accepted. */
async function connectError(host: string, port: number): Promise<string> {
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect');
    return '';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? '';
  } finally {
    socket.destroy();
  }
}

function listTree(folder: string): string[] {
  return [folder, ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))];
}

/** A program that has the port already: it answers everything and remembers what it heard. */
async function startSquatter() {
  const heard: string[] = [];
  const server = createServer((incoming, outgoing) => {
    heard.push(`${incoming.method} ${incoming.url} ${incoming.rawHeaders.join(' ')}`);
    outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{"instance_id":"x","base_url":"x","proof":"x"}');
  });
  // The HTTPS port is the one after the HTTP port, and the one before this must be free for a program that starts there.
  server.listen((await freePorts()) + 1, '127.0.0.1');
  await once(server, 'listening');
  return {
    heard,
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Answers each question for an address with the next of `addresses`, to be forgotten at once. */
async function startNameServer(addresses: readonly string[]) {
  const socket = createSocket('udp4');
  let asked = 0;
  socket.on('message', (question, peer) => {
    const address = addresses[Math.min(asked++, addresses.length - 1)] ?? '';
    socket.send(nameAnswer(question, address), peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    port: socket.address().port,
    async [Symbol.asyncDispose]() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

/** RFC 1035, 4.1: the question's header and name again, then one A record with a time to live of 0. */
function nameAnswer(question: Buffer, address: string): Buffer {
  const nameEnd = question.indexOf(0, 12) + 1;
  const header = Buffer.from(question.subarray(0, 12));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(1, 6);
  header.writeUInt32BE(0, 8);
  const record = Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]);
  return Buffer.concat([header, question.subarray(12, nameEnd + 4), record]);
}

type TlsOptions = Pick<ConnectionOptions, 'ca' | 'servername' | 'rejectUnauthorized' | 'checkServerIdentity'>;
type Requester = typeof request | typeof httpsRequest;

async function answerOf(requester: Requester, options: RequestOptions & TlsOptions) {
  const sent = requester(options).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const pieces = await Array.fromAsync(response as AsyncIterable<Buffer>);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(pieces).toString() };
}
