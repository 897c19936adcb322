// The one way out for a browser's traffic: a proxy on loopback that asks the address gate before each connection.
import { createServer, request as sendRequest } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { PageError } from '../../errors.ts';
import type { NameMemory } from '../../ports.ts';
import type { AddressGate, CheckedTarget, Visit } from '../gate/gate.ts';
import type { DialTo } from '../http/connections.ts';
import { hostAndPort } from '../../url/named-targets.ts';
import { HOP_BY_HOP } from '../http/hop-by-hop.ts';
import { connectThrough } from '../proxy/connect.ts';
import type { ProxyServer } from '../proxy/connect.ts';
import { toPageError } from '../http/failure.ts';
import type { HopPhase } from '../http/failure.ts';
import { DEFAULT_LIMITS } from '../http/limits.ts';

/** What a way out needs. */
export interface EgressOptions {
  readonly gate: AddressGate;
  readonly dialTo?: DialTo | undefined;
  /** Private addresses that may be reached until `closePrivate`; empty means public ones only, undefined means none at all. */
  readonly privateTargets: readonly string[] | undefined;
  /** Told of each look-up, and asked before what it found is dialled. */
  readonly names?: NameMemory | undefined;
  /** True when the page that will be opened is itself at a private address that its caller named. */
  readonly mayReachPrivate: boolean;
  /** Every connection is made by way of it. */
  readonly proxy?: ProxyServer | undefined;
}

/** The way out of one browser context, on a port of its own. */
export interface Egress {
  /** For the browser's proxy setting. */
  readonly proxyUrl: string;
  /** A public page has been opened: from now on nothing private is reached, over open tunnels neither. */
  closePrivate(): void;
  /** True once `closePrivate` has been called, by the proxy itself too. */
  isPrivateClosed(): boolean;
  /** Why the last connection for the host of `url` was not made; undefined when none failed. */
  failureOf(url: string): PageError | undefined;
  /** True for an answer that the proxy gave itself. */
  isOwnAnswer(headers: Readonly<Record<string, string>>): boolean;
  close(): Promise<void>;
}

/** What stays the same over all connections of one way out. */
interface Way extends EgressOptions {
  readonly failures: Map<string, PageError>;
  readonly privateSockets: Set<Duplex>;
  readonly mark: string;
  readonly closing: AbortController;
  isPrivateOpen: boolean;
}

const CONNECT_MS = DEFAULT_LIMITS.connectMs;
const FAILURES_MAX = 200;
/** For one answer or tunnel; a page that pulls more is cut. */
const BYTES_MAX = 250_000_000;
const MARK_HEADER = 'x-egress';

/** Opens a way out on a free loopback port. */
export async function openEgress(options: EgressOptions): Promise<Egress> {
  const way: Way = {
    ...options,
    failures: new Map(),
    privateSockets: new Set(),
    mark: randomUUID(),
    closing: new AbortController(),
    isPrivateOpen: options.mayReachPrivate,
  };
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => void forward(way, request, response));
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  // A WebSocket comes as a tunnel too; an upgrade outside of one is none of a browser's.
  server.on('upgrade', (_request, socket) => socket.destroy());
  server.on('connect', (request, socket: Duplex, head: Buffer) => void tunnel(way, request, socket, head));
  server.on('clientError', (_error, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  return {
    proxyUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    closePrivate: () => closePrivate(way),
    isPrivateClosed: () => !way.isPrivateOpen,
    failureOf: (url) => way.failures.get(hostOf(url)),
    isOwnAnswer: (headers) => headers[MARK_HEADER] === way.mark,
    async close() {
      way.closing.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** One request for an http address, as proxies get it: with the whole address in its first line. */
async function forward(way: Way, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = request.url ?? '';
  if (!/^http:\/\//i.test(url)) return void response.writeHead(400, { connection: 'close' }).end();
  let phase: HopPhase = 'resolve';
  try {
    const target = await checkTarget(way, url, (request.headers.accept ?? '').startsWith('text/html'));
    phase = 'headers';
    const socket = await dial(way, target);
    // The caller may have gone while the connection was made.
    if (response.destroyed) return void socket.destroy();
    await exchange(request, response, target, socket);
  } catch (error) {
    const failure = keepFailure(way, url, error, phase);
    if (response.headersSent) response.destroy();
    else response.writeHead(failure.code === 'address' ? 403 : 502, { [MARK_HEADER]: way.mark, connection: 'close' }).end(failure.code);
  }
}

function exchange(request: IncomingMessage, response: ServerResponse, target: CheckedTarget, socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    const upstream = sendRequest({
      createConnection: () => socket,
      method: request.method,
      path: target.url.href.slice(target.url.origin.length),
      headers: endToEnd(request.rawHeaders),
      setHost: false,
    });
    upstream.once('error', reject);
    upstream.once('response', (answer) => {
      answer.once('error', reject);
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, endToEnd(answer.rawHeaders));
      limitBytes(answer, () => answer.destroy(new Error('The answer is too large.')));
      answer.pipe(response).once('finish', resolve);
    });
    response.once('close', () => {
      upstream.destroy();
      resolve();
    });
    request.pipe(upstream);
  });
}

/** A tunnel to `host:port`, for https and for WebSockets. */
async function tunnel(way: Way, request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
  client.on('error', () => client.destroy());
  const url = `https://${request.url ?? ''}/`;
  let phase: HopPhase = 'resolve';
  try {
    const target = await checkTarget(way, url, false);
    phase = 'headers';
    const socket = await dial(way, target);
    socket.on('error', () => client.destroy());
    socket.once('close', () => client.destroy());
    client.once('close', () => socket.destroy());
    if (client.destroyed) return void socket.destroy();
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (head.length > 0) socket.write(head);
    limitBytes(socket, () => socket.destroy());
    socket.pipe(client).pipe(socket);
  } catch (error) {
    const failure = keepFailure(way, url, error, phase);
    client.end(`HTTP/1.1 ${failure.code === 'address' ? '403 Forbidden' : '502 Bad Gateway'}\r\nConnection: close\r\n\r\n`);
  }
}

async function checkTarget(way: Way, url: string, isDocument: boolean): Promise<CheckedTarget> {
  if (way.privateTargets === undefined) throw new PageError('address', 'The browser itself asks for nothing.');
  const { privateTargets, names } = way;
  const visit: Visit = way.isPrivateOpen ? { privateTargets, names, from: 'caller' } : { names, from: 'public' };
  const target = await way.gate.check(url, visit, way.closing.signal);
  // A named host that is public now may be pointed at a private address next.
  if (target.reach === 'public' && (isDocument || way.privateTargets.includes(hostAndPort(target.url)))) closePrivate(way);
  // While the name was looked up, a public page may have been opened.
  if (target.reach === 'private' && visit.from === 'caller' && !way.isPrivateOpen) return await checkTarget(way, url, isDocument);
  return target;
}

function closePrivate(way: Way): void {
  way.isPrivateOpen = false;
  for (const socket of way.privateSockets) socket.destroy();
  way.privateSockets.clear();
}

/** A socket to one of the addresses that the gate has answered, and to no other. */
function dial(way: Way, target: CheckedTarget): Promise<Socket> {
  if (way.proxy) return dialThrough(way, way.proxy, target);
  const to = target.addresses.map((address) => way.dialTo?.(address, target.port) ?? { address, port: target.port });
  const [first] = to;
  if (!first) return Promise.reject(new Error('No address.'));
  const socket = connect({
    // A name makes Node ask `lookup`, which knows the checked addresses only.
    host: 'checked.invalid',
    port: first.port,
    autoSelectFamily: true,
    lookup: (_host, _options, callback) =>
      callback(
        null,
        to.map(({ address }) => ({ address, family: address.includes(':') ? 6 : 4 })),
      ),
    signal: way.closing.signal,
  });
  keepPrivate(way, target, socket);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(connectTimeout()), CONNECT_MS);
    socket.once('error', reject);
    socket.once('close', () => clearTimeout(timer));
    socket.once('connect', () => {
      clearTimeout(timer);
      resolve(socket);
    });
  });
}

async function dialThrough(way: Way, proxy: ProxyServer, target: CheckedTarget): Promise<Socket> {
  const [address = ''] = target.addresses;
  const socket = await connectThrough(proxy, { address, port: target.port }, CONNECT_MS, way.closing.signal);
  // The way to private addresses may have been closed meanwhile.
  if (target.reach === 'private' && !way.isPrivateOpen) socket.destroy();
  keepPrivate(way, target, socket);
  return socket;
}

function keepPrivate(way: Way, target: CheckedTarget, socket: Socket): void {
  if (target.reach !== 'private') return;
  way.privateSockets.add(socket);
  socket.once('close', () => way.privateSockets.delete(socket));
}

function connectTimeout(): Error {
  return Object.assign(new Error('Connecting took too long.'), { code: 'UND_ERR_CONNECT_TIMEOUT' });
}

function limitBytes(stream: NodeJS.ReadableStream, cut: () => void): void {
  let left = BYTES_MAX;
  stream.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) cut();
  });
}

function endToEnd(rawHeaders: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (!HOP_BY_HOP.has(name.toLowerCase())) kept.push(name, rawHeaders[at + 1] ?? '');
  }
  return kept;
}

function keepFailure(way: Way, url: string, error: unknown, phase: HopPhase): PageError {
  const failure = toPageError(error, url, phase, DEFAULT_LIMITS, way.closing.signal);
  way.failures.delete(hostOf(url));
  way.failures.set(hostOf(url), failure);
  const oldest = way.failures.keys().next();
  if (way.failures.size > FAILURES_MAX && !oldest.done) way.failures.delete(oldest.value);
  return failure;
}

/** Host and port: a tunnel's scheme is not known to the proxy, and an http address has its port here too. */
function hostOf(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? `${parsed.hostname}:${parsed.port || (parsed.protocol === 'http:' || parsed.protocol === 'ws:' ? '80' : '443')}` : url;
}
