// The WebSocket at /ws: opened with a single-use ticket, bounded, and closed with the token that minted it (D17).
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { LIMITS } from '@weft/contract';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import type { Actor } from '../kernel/actor.ts';
import type { OwnAddress } from './guard.ts';
import { passesGuard, splitTarget } from './guard.ts';
import type { Listener } from './listen.ts';
import { incomingOf } from './listen.ts';
import { createRateLimiter } from '../kernel/rate.ts';
import type { Awaitable } from './message.ts';
import type { Policy } from '../kernel/policy.ts';
import type { StreamRegistry } from '../kernel/streams.ts';

export interface SocketOptions {
  readonly policy: Pick<Policy, 'addressesOf'>;
  /** Spends a ticket; undefined when it is unknown, used or expired. */
  spendTicket(ticket: string): Awaitable<Actor | undefined>;
  readonly streams: StreamRegistry;
  /** Serves one open socket; resolves when it is done. `signal` aborts when the socket must close. */
  serve(socket: WebSocket, actor: Actor, signal: AbortSignal): void;
  now(): number;
  readonly pingMs?: number;
  /** How long a peer may take to answer a close before it is dropped. */
  readonly closeMs?: number;
}

const PING_MS = 30_000;
const CLOSE_MS = 1000;
const PINGS_UNANSWERED_MAX = 2;
const POLICY_VIOLATION = 1008;
const GOING_AWAY = 1001;

/** Serves upgrades on a listener. Refusals are plain HTTP answers before the handshake. */
export function attachWebSocket(listener: Listener, options: SocketOptions): void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: LIMITS.wsFrameBytesMax, perMessageDeflate: false });
  const upgrade = async (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    const decision = await decideUpgrade(incoming, listener.own, options);
    if (typeof decision === 'number') refuse(socket, decision);
    else sockets.handleUpgrade(incoming, socket, head, (webSocket) => hold(webSocket, decision, options));
  };
  listener.server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    // A ticket that can't be looked up opens nothing.
    upgrade(incoming, socket, head).catch(() => socket.destroy());
  });
}

/** The actor of an acceptable upgrade, or the status that refuses it. */
async function decideUpgrade(incoming: IncomingMessage, own: OwnAddress, options: SocketOptions): Promise<Actor | 401 | 403 | 404> {
  if (!passesGuard(incomingOf(incoming, own), options.policy.addressesOf?.(own) ?? [own])) return 403;
  // As received: a URL parser would fold other paths into this one.
  const [path, search = ''] = splitTarget(incoming.url ?? '');
  if (path !== '/ws') return 404;
  return (await options.spendTicket(new URLSearchParams(search).get('ticket') ?? '')) ?? 401;
}

function refuse(socket: Duplex, status: 401 | 403 | 404): void {
  const code = { 401: 'unauthorized', 403: 'forbidden', 404: 'not_found' }[status];
  const body = JSON.stringify({ error: 'The WebSocket was refused: open it at /ws with a fresh ticket from POST /v1/ws-ticket.', code });
  socket.end(
    `HTTP/1.1 ${status} Refused\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function hold(socket: WebSocket, actor: Actor, options: SocketOptions): void {
  const closed = new AbortController();
  const signal = options.streams.signalFor(actor.id, closed.signal);
  const frames = createRateLimiter(options.now);
  const policy = { perSecond: LIMITS.wsFramesPerSecond, burst: LIMITS.wsFramesPerSecond };
  let unanswered = 0;
  const ping = setInterval(() => {
    if (++unanswered > PINGS_UNANSWERED_MAX) socket.terminate();
    else socket.ping();
  }, options.pingMs ?? PING_MS);
  ping.unref();
  socket.on('pong', () => (unanswered = 0));
  const dropSoon = () => void setTimeout(() => socket.terminate(), options.closeMs ?? CLOSE_MS).unref();
  const close = (code: number, reason: string) => {
    socket.close(code, reason);
    dropSoon();
  };
  // The library has sent the close frame that names the fault by then.
  socket.on('error', dropSoon);
  const countFrame = () => {
    if (!frames.take('frames', policy).allowed) close(POLICY_VIOLATION, 'too many frames');
  };
  socket.on('message', countFrame);
  socket.on('ping', countFrame);
  signal.addEventListener('abort', () => close(GOING_AWAY, 'the token ended or the server stops'), { once: true });
  socket.on('close', () => {
    clearInterval(ping);
    closed.abort();
  });
  options.serve(socket, actor, closed.signal);
}
