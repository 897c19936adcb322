// A proxy of a test's own: CONNECT over TCP or TLS, or SOCKS5, on a free loopback port.
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { TlsOptions } from 'node:tls';

/** A running proxy, and what it was asked for. */
export interface TestProxy {
  readonly url: string;
  /** `address:port`, in the order asked; with the login in front where one came. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** Leads every connection to `to`. With `login` (`user:password`) it refuses others. */
export async function startProxy(
  kind: 'http' | 'https' | 'socks5',
  to: () => number,
  login?: string,
  tls?: TlsOptions,
): Promise<TestProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const onConnection = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    const join = (reply: Buffer | string) => {
      const onward = connect(to(), '127.0.0.1');
      onward.on('error', () => socket.destroy());
      sockets.add(onward);
      socket.write(reply);
      socket.pipe(onward).pipe(socket);
    };
    void (kind === 'socks5' ? speakSocks(socket, asked, login, join) : speakHttp(socket, asked, login, join));
  };
  const server: Server = tls ? createTlsServer(tls, onConnection) : createServer(onConnection);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `${kind}://${tls ? 'localhost' : '127.0.0.1'}:${(server.address() as AddressInfo).port}`,
    asked,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function speakHttp(socket: Socket, asked: string[], login: string | undefined, join: (reply: string) => void): Promise<void> {
  const head = (await once(socket)).toString('latin1');
  const given = /^proxy-authorization: basic (.*)$/im.exec(head)?.[1]?.trim();
  const user = given === undefined ? undefined : Buffer.from(given, 'base64').toString();
  asked.push([user, /^CONNECT (\S+)/.exec(head)?.[1]].filter(Boolean).join('@'));
  if (user === login) join('HTTP/1.1 200 OK\r\n\r\n');
  else socket.end('HTTP/1.1 407 No\r\n\r\n');
}

async function speakSocks(socket: Socket, asked: string[], login: string | undefined, join: (reply: Buffer) => void): Promise<void> {
  await once(socket);
  let user: string | undefined;
  if (login !== undefined) {
    socket.write(Buffer.from([5, 2]));
    const given = await once(socket);
    const length = given[1] ?? 0;
    user = `${given.toString('utf8', 2, 2 + length)}:${given.toString('utf8', 3 + length)}`;
    socket.write(Buffer.from([1, user === login ? 0 : 1]));
    if (user !== login) return void socket.end();
  } else socket.write(Buffer.from([5, 0]));
  const wanted = await once(socket);
  const isFour = wanted[3] === 1;
  const address = isFour ? wanted.subarray(4, 8).join('.') : `[${wanted.toString('hex', 4, 20)}]`;
  asked.push([user, `${address}:${wanted.readUInt16BE(isFour ? 8 : 20)}`].filter(Boolean).join('@'));
  join(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
}

/** The next bytes; on loopback each small message comes whole. */
function once(socket: Socket): Promise<Buffer> {
  return new Promise((resolve) => socket.once('data', (bytes: Buffer) => resolve(bytes)));
}
