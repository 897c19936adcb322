// Keeps sockets open per origin, each dialled to an address that the gate has checked and to no other.
import { getCACertificates } from 'node:tls';
import type { Socket } from 'node:net';
import { Pool, buildConnector, errors } from 'undici';
import type { CheckedTarget } from '../gate/gate.ts';
import { connectThrough } from '../proxy/connect.ts';
import type { FindProxy } from '../proxy/connect.ts';
import { requireProxy } from '../proxy/finder.ts';
import type { HttpLimits } from './limits.ts';

/** Where a checked address is really dialled. A program leaves it out; tests put a fixture server behind a public address. */
export type DialTo = (address: string, port: number) => { readonly address: string; readonly port: number };

/** How sockets are opened. */
export interface ConnectionOptions {
  readonly limits: HttpLimits;
  /** PEM certificates of authorities to trust besides the built-in ones. */
  readonly trustedCertificates?: readonly string[];
  readonly dialTo?: DialTo;
  /** Knows the proxies that requests name. */
  readonly findProxy?: FindProxy | undefined;
}

/** The sockets of one origin and one reach. */
export interface OriginConnections {
  readonly pool: Pool;
  /** Sockets opened so far; unchanged over a request, it tells that an old socket was used. */
  readonly openedCount: () => number;
  /** Which of them failed with `error`; undefined where that is not said, or it has been closed for long. */
  readonly openedAs: (error: unknown) => number | undefined;
  /** Milliseconds that the last opened socket took, TLS included. */
  readonly lastConnectMs: () => number;
}

/** The open sockets of one fetcher. */
export interface Connections {
  /** The sockets to use for `target`, by way of `proxy` where one is named; new ones are dialled to its addresses. */
  to(target: CheckedTarget, proxy?: string): OriginConnections;
  /** Cuts every socket. */
  close(): Promise<void>;
}

interface Entry extends OriginConnections {
  addresses: readonly string[];
}

const ORIGINS_MAX = 256;
const SOCKETS_PER_ORIGIN = 8;
/** Some of them may have been closed, and what came of it not be told yet. */
const PORTS_KEPT = 2 * SOCKETS_PER_ORIGIN;

/** An empty set of connections; at most 256 origins keep sockets, the one unused longest gives way. */
export function createConnections(options: ConnectionOptions): Connections {
  const entries = new Map<string, Entry>();
  return {
    to(target, proxy) {
      // Reach is in the key: a socket to a private address must never serve a request that may see public ones only.
      const key = `${target.reach} ${target.url.origin} ${proxy ?? ''}`;
      const entry = entries.get(key) ?? openEntry(target, options, proxy);
      entry.addresses = target.addresses;
      entries.delete(key);
      entries.set(key, entry);
      closeOldest(entries);
      return entry;
    },
    async close() {
      const open = [...entries.values()];
      entries.clear();
      await Promise.all(open.map((entry) => entry.pool.destroy()));
    },
  };
}

function openEntry(target: CheckedTarget, options: ConnectionOptions, proxy: string | undefined): Entry {
  let openedCount = 0;
  let lastConnectMs = 0;
  const ports = new Map<number, number>();
  const { limits } = options;
  const connector = buildConnector({
    allowH2: false,
    timeout: limits.connectMs,
    autoSelectFamily: true,
    ...(options.trustedCertificates ? { ca: [...getCACertificates('default'), ...options.trustedCertificates] } : {}),
    lookup: (_host, _options, callback) => callback(null, [...dialled(entry.addresses, target.port, options.dialTo)]),
  });
  const connect: buildConnector.connector = (request, callback) => {
    const startedMs = performance.now();
    const place = ++openedCount;
    const connected: buildConnector.Callback = (...result) => {
      lastConnectMs = performance.now() - startedMs;
      notePort(ports, result[1]?.localPort, place);
      callback(...result);
    };
    if (proxy === undefined) connector({ ...request, ...fixedDestination(target, options.dialTo) }, connected);
    else
      proxied(proxy, entry.addresses[0], target.port, options).then(
        (httpSocket) => (request.protocol === 'https:' ? connector({ ...request, httpSocket }, connected) : connected(null, httpSocket)),
        (error: unknown) => connected(error instanceof Error ? error : new Error('No connection.'), null),
      );
  };
  const pool = new Pool(target.url.origin, {
    connect,
    connections: SOCKETS_PER_ORIGIN,
    pipelining: 1,
    maxHeaderSize: limits.headerBytesMax,
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.idleMs,
  });
  const entry: Entry = {
    pool,
    addresses: target.addresses,
    openedCount: () => openedCount,
    openedAs: (error) => ports.get((error instanceof errors.SocketError ? error.socket?.localPort : undefined) ?? 0),
    lastConnectMs: () => lastConnectMs,
  };
  return entry;
}

function notePort(ports: Map<number, number>, port: number | undefined, place: number): void {
  if (port === undefined) return;
  ports.delete(port);
  ports.set(port, place);
  const [oldest] = ports.keys();
  if (ports.size > PORTS_KEPT && oldest !== undefined) ports.delete(oldest);
}

async function proxied(name: string, address = '', port: number, { findProxy, limits }: ConnectionOptions): Promise<Socket> {
  const server = await requireProxy(findProxy, name);
  return await connectThrough(server, { address, port }, limits.connectMs);
}

/** A name goes through `lookup`, which knows the checked addresses only; a literal was checked and is dialled as it is. */
function fixedDestination(target: CheckedTarget, dialTo: DialTo | undefined): { hostname?: string; port?: string } {
  const first = target.addresses[0];
  if (!dialTo || first === undefined) return { hostname: target.host };
  const { address, port } = dialTo(first, target.port);
  return { hostname: first === target.host ? address : target.host, port: String(port) };
}

function dialled(addresses: readonly string[], port: number, dialTo: DialTo | undefined): { address: string; family: 4 | 6 }[] {
  return addresses
    .map((address) => (dialTo ? dialTo(address, port).address : address))
    .map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
}

function closeOldest(entries: Map<string, Entry>): void {
  if (entries.size <= ORIGINS_MAX) return;
  const oldest = entries.entries().next();
  if (oldest.done) return;
  const [key, entry] = oldest.value;
  entries.delete(key);
  // Requests in flight finish first; a failure to close has nobody to tell.
  entry.pool.close().catch(() => undefined);
}
