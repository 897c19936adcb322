// Connects through a proxy that the user runs or rents: to the address that the gate has checked, and to no other.
import { connect as connectTcp, isIPv6 } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { PageError } from '../../errors.ts';

/** A proxy, as the program's settings name it. */
export interface ProxyServer {
  /** `http://`, `https://` or `socks5://` with host and port, nothing else. */
  readonly url: string;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** PEM certificates to trust besides the built-in ones, for `https://`. */
  readonly trustedCertificates?: readonly string[] | undefined;
}

/** The proxy of a name. Throws PageError `connect` for a name that is none. */
export type FindProxy = (name: string) => Promise<ProxyServer>;

/** A checked address. */
export interface ProxyTarget {
  readonly address: string;
  readonly port: number;
}

const HEAD_BYTES_MAX = 16_384;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443, 'socks5:': 1080 };
/** RFC 1928, section 6. */
const SOCKS_REPLIES = [
  '',
  'general failure',
  'not allowed',
  'network unreachable',
  'host unreachable',
  'connection refused',
  'TTL expired',
  'command not supported',
  'address type not supported',
];

/** A socket to `target` by way of `proxy`. Throws PageError `connect` where the proxy does not make it, and Node's own errors. */
export async function connectThrough(proxy: ProxyServer, target: ProxyTarget, timeoutMs: number, signal?: AbortSignal): Promise<Socket> {
  const url = URL.parse(proxy.url);
  const port = url && DEFAULT_PORTS[url.protocol];
  if (!url || port === undefined) throw new PageError('connect', 'The proxy is no http, https or socks5 address.', { next: 'drop' });
  const at = { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || port) };
  const ca = proxy.trustedCertificates;
  const socket =
    url.protocol === 'https:'
      ? connectTls({ ...at, ...(isName(at.host) ? { servername: at.host } : {}), ...(ca ? { ca: [...ca] } : {}) })
      : connectTcp(at);
  const failed = Promise.withResolvers<never>();
  const end = (error: Error) => {
    failed.reject(error);
    socket.destroy();
  };
  const timer = setTimeout(() => end(refused('it did not answer in time')), timeoutMs);
  const onAbort = () => end(new Error('Aborted.', { cause: signal?.reason }));
  signal?.addEventListener('abort', onAbort, { once: true });
  const onError = (error: Error) => end(refused('no connection to it', error));
  const onClose = () => end(refused('it closed the connection'));
  socket.once('error', onError).once('close', onClose);
  try {
    if (signal?.aborted === true) onAbort();
    const bytes = new Incoming(socket);
    await Promise.race([
      url.protocol === 'socks5:' ? askSocks(socket, bytes, proxy, target) : askHttp(socket, bytes, proxy, target),
      failed.promise,
    ]);
    bytes.release();
    return socket;
  } catch (error) {
    socket.on('error', () => undefined);
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    socket.off('error', onError).off('close', onClose);
    failed.promise.catch(() => undefined);
  }
}

function isName(host: string): boolean {
  return !isIPv6(host) && !/^[\d.]+$/.test(host);
}

function refused(why: string, cause?: unknown): PageError {
  return new PageError('connect', `The proxy did not make the connection: ${why}.`, cause === undefined ? {} : { cause });
}

/** RFC 9110, section 9.3.6. */
async function askHttp(
  socket: Socket,
  bytes: Incoming,
  { username, password }: ProxyServer,
  { address, port }: ProxyTarget,
): Promise<void> {
  const authority = `${isIPv6(address) ? `[${address}]` : address}:${port}`;
  const login =
    username === undefined ? [] : [`Proxy-Authorization: Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}`];
  socket.write([`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`, ...login, '', ''].join('\r\n'));
  const head = (await bytes.until('\r\n\r\n', HEAD_BYTES_MAX)).toString('latin1');
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1]);
  if (status === 407) throw refused('it wants another user or password (407)');
  if (!(status >= 200 && status < 300)) throw refused(`it answered ${Number.isNaN(status) ? 'no HTTP' : status}`);
}

/** RFC 1928, and RFC 1929 for user and password. */
async function askSocks(
  socket: Socket,
  bytes: Incoming,
  { username, password }: ProxyServer,
  { address, port }: ProxyTarget,
): Promise<void> {
  socket.write(username === undefined ? Buffer.from([5, 1, 0]) : Buffer.from([5, 2, 0, 2]));
  const [version, method] = await bytes.take(2);
  if (version !== 5) throw refused('it does not speak SOCKS5');
  if (method === 2 && username !== undefined) {
    const [user, secret] = [Buffer.from(username), Buffer.from(password ?? '')];
    if (user.length > 255 || secret.length > 255) throw refused('its user or password is too long for SOCKS5');
    socket.write(Buffer.concat([Buffer.from([1, user.length]), user, Buffer.from([secret.length]), secret]));
    const [, outcome] = await bytes.take(2);
    if (outcome !== 0) throw refused('it wants another user or password');
  } else if (method !== 0) throw refused('it wants a user and a password');
  const to = addressBytes(address);
  socket.write(Buffer.concat([Buffer.from([5, 1, 0, to.length === 4 ? 1 : 4]), to, Buffer.from([port >> 8, port & 255])]));
  const [, reply = 1, , kind] = await bytes.take(4);
  if (reply !== 0) throw refused(SOCKS_REPLIES[reply] ?? `it answered ${reply}`);
  const length = kind === 1 ? 4 : kind === 4 ? 16 : ((await bytes.take(1))[0] ?? 0);
  await bytes.take(length + 2);
}

function addressBytes(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number));
  const [before = '', after] = address.replace(/%.*/s, '').split('::');
  const groups = (part: string) =>
    part.split(':').flatMap((group) => (group.includes('.') ? dotted(group) : group === '' ? [] : [Number.parseInt(group, 16)]));
  const [head, tail] = [groups(before), after === undefined ? [] : groups(after)];
  const all = [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 255]));
}

function dotted(address: string): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return [(a << 8) | b, (c << 8) | d];
}

/** What a socket has brought that nobody has taken yet. What is left goes back to it, and it waits for its next reader as if it were new. */
class Incoming {
  private readonly socket: Socket;
  private buffer = Buffer.alloc(0);
  private wake: (() => void) | undefined;
  private readonly onReadable = () => {
    // A socket without an encoding brings bytes.
    for (let chunk = this.socket.read() as Buffer | null; chunk; chunk = this.socket.read() as Buffer | null)
      this.buffer = Buffer.concat([this.buffer, chunk]);
    this.wake?.();
  };

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('readable', this.onReadable);
  }

  async take(count: number): Promise<Buffer> {
    while (this.buffer.length < count) await this.more();
    const taken = this.buffer.subarray(0, count);
    this.buffer = this.buffer.subarray(count);
    return taken;
  }

  async until(end: string, max: number): Promise<Buffer> {
    for (;;) {
      const at = this.buffer.indexOf(end);
      if (at >= 0) return await this.take(at + end.length);
      if (this.buffer.length > max) throw refused('its answer has no end');
      await this.more();
    }
  }

  release(): void {
    this.socket.off('readable', this.onReadable);
    if (this.buffer.length > 0) this.socket.unshift(this.buffer);
  }

  private more(): Promise<void> {
    return new Promise((resolve) => (this.wake = resolve));
  }
}
