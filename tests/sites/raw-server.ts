// A fixture server that writes raw bytes: it can break HTTP in every way that a real server does.
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { TlsOptions } from 'node:tls';

/** One request as it came: `head` is everything before the empty line, `path` is taken from its first line. */
export interface RawRequest {
  readonly head: string;
  readonly path: string;
  readonly body: string;
}

/** What a route answers: bytes to write before the connection is closed, or a function that does what it likes with the socket. */
export type RawAnswer = string | Uint8Array | ((socket: Socket, request: RawRequest) => void);

/** A running fixture server and what it has seen. */
export interface RawServer {
  readonly port: number;
  /** `http://127.0.0.1:port`, or https with a certificate. */
  readonly origin: string;
  /** Every request, in the order received. */
  readonly requests: readonly RawRequest[];
  /** Connections accepted so far. */
  readonly connectionCount: () => number;
  close(): Promise<void>;
}

/** Answers by path, or by whatever of the request a function looks at. */
export type RawRoutes = Readonly<Record<string, RawAnswer>> | ((request: RawRequest) => RawAnswer | undefined);

/** Serves `routes` on a free loopback port; what they don't know answers 404. With `tls` it speaks HTTPS. */
export async function startRawServer(routes: RawRoutes, tls?: TlsOptions): Promise<RawServer> {
  const find = typeof routes === 'function' ? routes : (request: RawRequest) => routes[request.path];
  const sockets = new Set<Socket>();
  const requests: RawRequest[] = [];
  let connectionCount = 0;
  const onConnection = (socket: Socket) => {
    connectionCount += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // A client that hangs up is part of many cases.
    socket.on('error', () => undefined);
    readRequests(socket, (request) => {
      requests.push(request);
      answer(socket, request, find(request) ?? reply({ status: '404 Not Found', body: 'not found' }));
    });
  };
  const server = tls ? createTlsServer(tls, onConnection) : createServer(onConnection);
  server.on('tlsClientError', () => undefined);
  const port = await listen(server);
  return {
    port,
    origin: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    requests,
    connectionCount: () => connectionCount,
    close: () => closeAll(server, sockets),
  };
}

/** A well-formed answer with Content-Length. A header value that is a list repeats its line. */
export function reply(answerParts: {
  readonly status?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
}): Uint8Array {
  const body = Buffer.from(answerParts.body ?? '');
  const given = Object.entries(answerParts.headers ?? {}).flatMap(([name, value]) => [value].flat().map((each) => `${name}: ${each}`));
  const isLengthGiven = given.some((line) => /^content-length:/i.test(line));
  const lines = [`HTTP/1.1 ${answerParts.status ?? '200 OK'}`, ...given, ...(isLengthGiven ? [] : [`Content-Length: ${body.length}`])];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

/** A redirect to `location`. */
export function redirect(location: string, status = 302): Uint8Array {
  return reply({ status: `${status} Moved`, headers: { Location: location } });
}

/** Writes `bytes` and then says nothing more, with the connection open. */
export function hang(bytes: string | Uint8Array = ''): RawAnswer {
  return (socket) => void socket.write(bytes);
}

/** Writes `bytes`, waits until they are out, and resets the connection. */
export function reset(bytes: string | Uint8Array = ''): RawAnswer {
  return (socket) => void socket.write(bytes, () => setImmediate(() => socket.resetAndDestroy()));
}

/** Writes `head` and then `piece` again and again, as fast as the reader takes it, for ever. */
export function endless(head: string, piece: string | Uint8Array): RawAnswer {
  return (socket) => {
    const pump = () => {
      while (socket.writable && socket.write(piece));
    };
    socket.on('drain', pump);
    socket.write(head, pump);
  };
}

/** Writes `bytes` and keeps the connection open for the next request. */
export function keepAlive(bytes: string | Uint8Array): RawAnswer {
  return (socket) => void socket.write(bytes);
}

function answer(socket: Socket, request: RawRequest, route: RawAnswer): void {
  if (typeof route === 'function') route(socket, request);
  else socket.end(route);
}

function readRequests(socket: Socket, onRequest: (request: RawRequest) => void): void {
  let pending = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    for (;;) {
      const headEnd = pending.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const head = pending.toString('latin1', 0, headEnd);
      const bodyBytes = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
      const end = headEnd + 4 + bodyBytes;
      if (pending.length < end) return;
      onRequest({ head, path: head.split(' ')[1] ?? '', body: pending.toString('utf8', headEnd + 4, end) });
      pending = pending.subarray(end);
    }
  });
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function closeAll(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy();
  return new Promise((resolve) => server.close(() => resolve()));
}
