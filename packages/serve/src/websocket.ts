// The WebSocket at /ws: opened with a single-use ticket, bounded, and closed with the token that minted it (D17).
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { LIMITS } from '@weft/contract';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import type { Actor } from './actor.ts';
import type { OwnAddress } from './guard.ts';
import { passesGuard } from './guard.ts';
import type { Listener } from './listen.ts';
import { incomingOf } from './listen.ts';
import { createRateLimiter } from './rate.ts';
import type { StreamRegistry } from './streams.ts';

export interface SocketOptions {
  /** Spends a ticket; undefined when it is unknown, used or expired. */
  spendTicket(ticket: string): Actor | undefined;
  readonly streams: StreamRegistry;
  /** Serves one open socket; resolves when it is done. `signal` aborts when the socket must close. */
  serve(socket: WebSocket, actor: Actor, signal: AbortSignal): void;
  now(): number;
  readonly pingMs?: number;
}

const PING_MS = 30_000;
const PINGS_UNANSWERED_MAX = 2;
const POLICY_VIOLATION = 1008;
const GOING_AWAY = 1001;

/** Serves upgrades on a listener. Refusals are plain HTTP answers before the handshake. */
export function attachWebSocket(listener: Listener, options: SocketOptions): void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: LIMITS.wsFrameBytesMax, perMessageDeflate: false });
  listener.server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const decision = decideUpgrade(incoming, listener.own, options);
    if (typeof decision === 'number') return refuse(socket, decision);
    sockets.handleUpgrade(incoming, socket, head, (webSocket) => hold(webSocket, decision, options));
  });
}

/** The actor of an acceptable upgrade, or the status that refuses it. */
function decideUpgrade(incoming: IncomingMessage, own: OwnAddress, options: SocketOptions): Actor | 401 | 403 | 404 {
  if (!passesGuard(incomingOf(incoming, own), own)) return 403;
  const url = URL.parse(incoming.url ?? '', own.origin);
  if (url?.pathname !== '/ws') return 404;
  return options.spendTicket(url.searchParams.get('ticket') ?? '') ?? 401;
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
  socket.on('error', () => socket.terminate());
  socket.on('message', () => {
    if (!frames.take('frames', policy).allowed) socket.close(POLICY_VIOLATION, 'too many frames');
  });
  signal.addEventListener('abort', () => socket.close(GOING_AWAY, 'the token ended or the agent stops'), { once: true });
  socket.on('close', () => {
    clearInterval(ping);
    closed.abort();
  });
  options.serve(socket, actor, closed.signal);
}
