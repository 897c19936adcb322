// Node servers in front of the kernel: limits that stop slow and oversized requests, and a shutdown that ends in time.
import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Server as HttpsServer } from 'node:https';
import { isIP, isIPv6 } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CallerLeft, unparsedAnswer } from './errors.ts';
import { valuesOf } from './guard.ts';
import type { OwnAddress } from './guard.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Incoming, Outgoing } from './message.ts';

export interface ListenOptions {
  /** The address to listen on; 127.0.0.1 unless said. */
  readonly address?: string;
  readonly port: number;
  /** Present on the HTTPS twin. */
  readonly tls?: { readonly key: string; readonly cert: string };
  readonly timeouts?: Partial<ServerTimeouts>;
  /** Addresses of proxies that say from where they were called, in `X-Forwarded-For`; nobody else is believed. */
  readonly trustedProxies?: readonly string[];
}

export interface ServerTimeouts {
  /** Until the headers are complete. */
  readonly headersMs: number;
  /** Until the whole request is in, a large upload included; JSON bodies have less time (BODY_MS). Answers may take longer. */
  readonly requestMs: number;
  readonly keepAliveMs: number;
  /** An answer that says so is cut off when nothing is taken of it for this long. */
  readonly stalledMs: number;
  readonly connectionsMax: number;
}

const TIMEOUTS: ServerTimeouts = {
  headersMs: 10_000,
  requestMs: 30 * 60_000,
  keepAliveMs: 65_000,
  stalledMs: 60_000,
  connectionsMax: 2000,
};
const HEADER_BYTES_MAX = 16_384;
const HEADERS_MAX = 200;
const SWEEP_MS = 50;

export interface Listener {
  readonly server: Server | HttpsServer;
  readonly own: OwnAddress;
  readonly port: number;
  /** Stops accepting, lets answers finish for `graceMs`, then closes what is left. */
  close(graceMs: number): Promise<void>;
}

/** Listens on one address. Rejects with the system's error, for example EADDRINUSE. */
export async function listen(kernel: Kernel, options: ListenOptions): Promise<Listener> {
  const { address = '127.0.0.1', trustedProxies = [] } = options;
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const serverOptions = {
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    connectionsCheckingInterval: Math.min(1000, timeouts.headersMs),
    maxHeaderSize: HEADER_BYTES_MAX,
    // The guard answers for a missing Host, so that HTTP/1.0 and 1.1 get the same refusal.
    requireHostHeader: false,
    // Node gives every offer of another protocol away once it knows one; h2c, which some clients always offer, is to be passed over.
    shouldUpgradeCallback: (incoming: IncomingMessage) => incoming.headers.upgrade?.toLowerCase() === 'websocket',
  };
  let own: OwnAddress = { host: '', origin: '' };
  /** The answer that each connection is at. */
  const answers = new WeakMap<Duplex, ServerResponse>();
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    answers.set(request.socket, response);
    // What follows an offer of another protocol in the same packet is lost to Node: the caller must know that nothing else is answered.
    if (request.headers.upgrade !== undefined || request.httpVersionMajor !== 1) response.shouldKeepAlive = false;
    void answer(kernel, incomingOf(request, own, response, trustedProxies), response, timeouts.stalledMs);
  };
  const server = options.tls
    ? createHttpsServer({ ...serverOptions, ...options.tls, minVersion: 'TLSv1.2', ALPNProtocols: ['http/1.1'] }, onRequest)
    : createHttpServer(serverOptions, onRequest);
  server.on('clientError', (error, socket) => refuseUnparsed(error, socket, answers.get(socket)));
  // Node would answer a 417 without a body; the kernel refuses as it does everything else.
  server.on('checkExpectation', onRequest);
  server.maxHeadersCount = HEADERS_MAX;
  server.maxConnections = timeouts.connectionsMax;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: address, port: options.port, exclusive: true }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const host = `${isIPv6(address) ? `[${address}]` : address}:${port}`;
  own = { host, origin: `${options.tls ? 'https' : 'http'}://${host}` };
  return { server, own, port, close: (graceMs) => closeServer(server, graceMs) };
}

/** Bytes that are no request get an answer in the form of all others, and the end of their connection. */
function refuseUnparsed(error: NodeJS.ErrnoException, socket: Duplex, answer: ServerResponse | undefined): void {
  // A request that broke off has its answer, and behind one that has begun another would be taken for a part of it.
  const isAnswered = answer?.headersSent === true && !(answer.writableFinished && answer.req.complete);
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswered) socket.destroy();
  else socket.end(unparsedAnswer(error.code ?? '', randomUUID()));
}

/** Everything that the kernel must know of a request; nothing is parsed yet. */
export function incomingOf(
  request: IncomingMessage,
  own: OwnAddress,
  response?: ServerResponse,
  trustedProxies: readonly string[] = [],
): Incoming {
  let closed: AbortController | undefined;
  return {
    method: request.method ?? '',
    target: request.url ?? '',
    version: request.httpVersion,
    rawHeaders: request.rawHeaders,
    own,
    remoteAddress: callerAddress(request, trustedProxies),
    body: bodyOf(request),
    get closed() {
      if (!closed) {
        closed = new AbortController();
        // Who asks late may ask for a caller that has left already.
        if (response?.closed) closed.abort();
        else response?.once('close', () => closed?.abort());
      }
      return closed.signal;
    },
  };
}

/** Who called: the last address that a trusted proxy was called from. What stands before that anybody may have written. */
function callerAddress({ socket, rawHeaders }: IncomingMessage, trustedProxies: readonly string[]): string {
  let address = socket.remoteAddress ?? '';
  if (trustedProxies.length === 0) return address;
  const forwarded = valuesOf(rawHeaders, 'x-forwarded-for')
    .join(',')
    .split(',')
    .map((hop) => hop.trim());
  const isTrusted = () => trustedProxies.includes(address.replace(/^::ffff:/i, ''));
  while (isTrusted() && forwarded.length > 0) {
    const hop = forwarded.pop() ?? '';
    // What is no address says nothing of who called.
    if (isIP(hop) === 0) break;
    address = hop;
  }
  return address;
}

/** The body as it comes; a connection that ends in the middle of it is its caller's doing. */
async function* bodyOf(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* request as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw request.complete || !request.destroyed ? error : new CallerLeft();
  }
}

async function answer(kernel: Kernel, incoming: Incoming, response: ServerResponse, stalledMs: number): Promise<void> {
  const outgoing = await kernel.handle(incoming);
  const isHead = incoming.method === 'HEAD';
  try {
    if (outgoing.isCutWhenStalled) cutWhenStalled(response, stalledMs);
    await send(outgoing, response, isHead);
  } catch {
    // The caller left in the middle, or a stream failed after its headers: the connection says so.
    response.destroy();
  }
}

async function send({ status, headers, body }: Outgoing, response: ServerResponse, isHead: boolean): Promise<void> {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) {
    response.writeHead(status, body === undefined ? headers : withLength(headers, Buffer.byteLength(body)));
    response.end(isHead ? undefined : body);
    return;
  }
  response.writeHead(status, headers);
  if (isHead) response.end();
  // One part at a time: the next is asked for when the system has taken the last.
  else await pipeline(body, response);
}

/** The system's timer of a connection runs while nothing is taken of what waits; an idle stream has nothing that waits. */
function cutWhenStalled(response: ServerResponse, stalledMs: number): void {
  response.setTimeout(stalledMs, () => {
    if (response.writableNeedDrain) response.destroy();
  });
}

/** Names and values in turn, which Node writes without another copy. */
function withLength(headers: Outgoing['headers'], length: number): string[] {
  const flat: string[] = [];
  for (const name in headers) flat.push(name, headers[name] ?? '');
  flat.push('content-length', String(length));
  return flat;
}

function closeServer(server: Server | HttpsServer, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
    // A kept-alive connection that is busy now becomes idle later; asking once would miss it.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
    server.close(() => {
      clearTimeout(deadline);
      clearInterval(sweep);
      resolve();
    });
    server.closeIdleConnections();
  });
}
