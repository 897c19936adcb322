// A WebSocket client that sends frames byte by byte, for what no client library would send.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

export interface Frame {
  readonly opcode: number;
  readonly payload: Buffer;
}

export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export interface RawWebSocket extends AsyncDisposable {
  /** Status of the answer to the upgrade; 101 when it is open. */
  readonly status: number;
  /** The refusal's body. */
  readonly body: string;
  readonly socket: Socket;
  /** The next frame from the server; undefined once the connection has ended. Never answers a ping by itself. */
  read(): Promise<Frame | undefined>;
  write(bytes: Buffer): void;
}

export interface UpgradeRequest {
  readonly target: string;
  /** Header lines beside those that an upgrade needs; a `Host` here replaces the right one. */
  readonly headers?: readonly string[];
  readonly upgrade?: string;
}

/** Sends one upgrade to 127.0.0.1 and waits for its answer. */
export async function openRawWebSocket(port: number, request: UpgradeRequest): Promise<RawWebSocket> {
  const socket = connect({ host: '127.0.0.1', port });
  const given = request.headers ?? [];
  const host = given.some((line) => /^host:/i.test(line)) ? [] : [`Host: 127.0.0.1:${port}`];
  const lines = [
    `GET ${request.target} HTTP/1.1`,
    ...host,
    'Connection: Upgrade',
    `Upgrade: ${request.upgrade ?? 'websocket'}`,
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    ...given,
  ];
  socket.on('error', () => undefined);
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const stream = chunksOf(socket);
  const head = await stream.until((bytes) => (bytes.indexOf('\r\n\r\n') < 0 ? undefined : bytes.indexOf('\r\n\r\n') + 4));
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head?.toString('latin1') ?? '')?.[1] ?? 0);
  const length = Number(/content-length: (\d+)/i.exec(head?.toString('latin1') ?? '')?.[1] ?? 0);
  const body = status === 101 ? '' : ((await stream.until((bytes) => (bytes.length < length ? undefined : length)))?.toString() ?? '');
  return {
    status,
    body,
    socket,
    write: (bytes) => void socket.write(bytes),
    async read() {
      const bytes = await stream.until(frameLength);
      return bytes && parseFrame(bytes);
    },
    async [Symbol.asyncDispose]() {
      if (socket.destroyed) return;
      const closed = once(socket, 'close');
      socket.destroy();
      await closed;
    },
  };
}

/** The bytes of one frame, masked as clients must, unless said otherwise. */
export function frameBytes(opcode: number, payload: Buffer, { isMasked = true, isFinal = true } = {}): Buffer {
  const length = payload.length;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = (isFinal ? 0x80 : 0) | opcode;
  head[1] = (isMasked ? 0x80 : 0) | (length < 126 ? length : length < 65_536 ? 126 : 127);
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  if (!isMasked) return Buffer.concat([head, payload]);
  const mask = randomBytes(4);
  return Buffer.concat([head, mask, payload.map((byte, i) => byte ^ (mask[i % 4] ?? 0))]);
}

/** The code of a close frame. */
export function closeCode(frame: Frame | undefined): number | undefined {
  return frame?.opcode === OPCODE.close && frame.payload.length >= 2 ? frame.payload.readUInt16BE(0) : undefined;
}

/** Reads from `socket` as much as `lengthOf` wants, once it knows. */
function chunksOf(socket: Socket) {
  let kept = Buffer.alloc(0);
  let isOver = false;
  let wake = () => undefined as void;
  socket.on('data', (chunk: Buffer) => {
    kept = Buffer.concat([kept, chunk]);
    wake();
  });
  socket.on('close', () => {
    isOver = true;
    wake();
  });
  return {
    async until(lengthOf: (bytes: Buffer) => number | undefined): Promise<Buffer | undefined> {
      for (;;) {
        const length = lengthOf(kept);
        if (length !== undefined) {
          const taken = kept.subarray(0, length);
          kept = kept.subarray(length);
          return taken;
        }
        if (isOver) return undefined;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}

/** Length of the unmasked frame that `bytes` begin with, once that can be told and all of it is there. */
function frameLength(bytes: Buffer): number | undefined {
  if (bytes.length < 2) return undefined;
  const short = (bytes[1] ?? 0) & 0x7f;
  const head = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (bytes.length < head) return undefined;
  const length = head + (short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2)));
  return bytes.length < length ? undefined : length;
}

function parseFrame(bytes: Buffer): Frame {
  const short = (bytes[1] ?? 0) & 0x7f;
  return { opcode: (bytes[0] ?? 0) & 0x0f, payload: bytes.subarray(short < 126 ? 2 : short === 126 ? 4 : 10) };
}
