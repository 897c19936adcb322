// Node servers in front of the kernel: limits that stop slow and oversized requests, and a shutdown that ends in time.
import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Server as HttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { OwnAddress } from './guard.ts';
import type { Connection, Kernel } from './kernel.ts';

export interface ListenOptions {
  readonly port: number;
  /** Present on the HTTPS twin. */
  readonly tls?: { readonly key: string; readonly cert: string };
  readonly timeouts?: Partial<ServerTimeouts>;
}

export interface ServerTimeouts {
  /** Until the headers are complete. */
  readonly headersMs: number;
  /** Until the whole request is in; answers may take longer. */
  readonly requestMs: number;
  readonly keepAliveMs: number;
  readonly connectionsMax: number;
}

const TIMEOUTS: ServerTimeouts = { headersMs: 10_000, requestMs: 30_000, keepAliveMs: 65_000, connectionsMax: 2000 };
const HEADER_BYTES_MAX = 16_384;
const HEADERS_MAX = 200;

export interface Listener {
  readonly server: Server | HttpsServer;
  readonly own: OwnAddress;
  readonly port: number;
  /** Stops accepting, lets answers finish for `graceMs`, then closes what is left. */
  close(graceMs: number): Promise<void>;
}

/** Listens on 127.0.0.1 only. Rejects with the system's error, for example EADDRINUSE. */
export async function listen(kernel: Kernel, options: ListenOptions): Promise<Listener> {
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
  const scheme = options.tls ? 'https' : 'http';
  let own: OwnAddress = { host: '', origin: '' };
  const onRequest = requestListener(kernel, () => own);
  const server = options.tls
    ? createHttpsServer({ ...serverOptions, ...options.tls, minVersion: 'TLSv1.2', ALPNProtocols: ['http/1.1'] }, onRequest)
    : createHttpServer(serverOptions, onRequest);
  server.maxHeadersCount = HEADERS_MAX;
  server.maxConnections = timeouts.connectionsMax;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: options.port, exclusive: true }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  own = { host: `127.0.0.1:${port}`, origin: `${scheme}://127.0.0.1:${port}` };
  return { server, own, port, close: (graceMs) => closeServer(server, graceMs) };
}

/** Everything that the kernel must know of the socket's side of a request. */
export function connectionOf(incoming: IncomingMessage, own: OwnAddress): Connection {
  return { target: incoming.url ?? '', rawHeaders: incoming.rawHeaders, own, remoteAddress: incoming.socket.remoteAddress ?? '' };
}

function requestListener(kernel: Kernel, own: () => OwnAddress): RequestListener {
  const connections = new WeakMap<object, Connection>();
  const listener = getRequestListener(
    async (request, { incoming }) => await kernel.handle(request, connections.get(incoming) as Connection),
    {
      overrideGlobalObjects: false,
    },
  );
  return (incoming, outgoing) => {
    connections.set(incoming, connectionOf(incoming, own()));
    // The adapter would parse these two into a URL that the kernel never reads; the kernel judges them as they were received.
    incoming.url = '/';
    incoming.headers.host = own().host;
    // Neither has a Request in the fetch standard.
    if (incoming.method === 'TRACE' || incoming.method === 'CONNECT') {
      outgoing.writeHead(405, { 'content-type': 'text/plain', connection: 'close' }).end('This method is not served.\n');
      return;
    }
    void listener(incoming, outgoing);
  };
}

function closeServer(server: Server | HttpsServer, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
    // A kept-alive connection that is busy now becomes idle later; asking once would miss it.
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    server.close(() => {
      clearTimeout(deadline);
      clearInterval(sweep);
      resolve();
    });
    server.closeIdleConnections();
  });
}
