// One request and one answer on the wire: no redirects, no cookies, no policy.
import type { Dispatcher } from 'undici';
import type { OriginConnections } from './connections.ts';
import { bodyTooLarge, decompressBody } from './decompress.ts';
import { Exchange } from './exchange.ts';

/** One request as it goes out, with the time that its phases may take. */
export interface HopRequest {
  readonly url: URL;
  readonly method: Dispatcher.HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  readonly headersMs: number;
  readonly idleMs: number;
}

/** The head of an answer; its body still waits on the wire. */
export interface HopAnswer {
  readonly status: number;
  /** Lower-case names, in the order received. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Absent when an open socket was used. */
  readonly connectMs: number | undefined;
  /** From the open connection to the response headers. */
  readonly firstByteMs: number;
  /** Its body is not asked for yet: pass the answer to `readBody` or `discardBody`. */
  readonly exchange: Exchange;
}

/** What is read of a body that nobody wants, to keep its socket. */
const DISCARDED_BYTES_MAX = 65_536;

/** Sends `request` and waits for the response headers. Rejects with undici's and Node's own errors. */
export async function sendHop(origin: OriginConnections, request: HopRequest, signal: AbortSignal): Promise<HopAnswer> {
  for (;;) {
    const openedBefore = origin.openedCount();
    try {
      return await sendOnce(origin, request, signal);
    } catch (error) {
      // A server may close an idle socket in the moment we use it. Nothing was answered, so asking once more is safe for a GET.
      if (!isStaleSocket(error, origin, openedBefore) || request.method !== 'GET' || signal.aborted) throw error;
    }
  }
}

async function sendOnce(origin: OriginConnections, request: HopRequest, signal: AbortSignal): Promise<HopAnswer> {
  const openedBefore = origin.openedCount();
  const startedMs = performance.now();
  const exchange = new Exchange(signal);
  origin.pool.dispatch(
    {
      // Not pathname and search: those lose a "?" with nothing behind it.
      path: request.url.href.slice(request.url.origin.length),
      method: request.method,
      headers: request.headers,
      body: request.body ?? null,
      headersTimeout: request.headersMs,
      bodyTimeout: request.idleMs,
    },
    exchange,
  );
  const { status, rawHeaders } = await exchange.head;
  const connectMs = origin.openedCount() > openedBefore ? origin.lastConnectMs() : undefined;
  return {
    status,
    headers: headerPairs(rawHeaders),
    connectMs,
    firstByteMs: Math.max(performance.now() - startedMs - (connectMs ?? 0), 0),
    exchange,
  };
}

/** The whole body, decompressed, in a buffer of its own that can be transferred to a worker. Throws PageError `body_too_large`, `truncated` or `bad_response`, and undici's own errors. */
export async function readBody(
  answer: HopAnswer,
  bytesMax: number,
  url: string,
  check?: (piece: Uint8Array) => Error | undefined,
): Promise<Uint8Array> {
  if (announcedBytes(answer) > bytesMax) {
    discardBody(answer);
    throw bodyTooLarge(bytesMax, url);
  }
  const encoding = answer.headers.filter(([name]) => name === 'content-encoding').map(([, value]) => value);
  const body = await answer.exchange.body(bytesMax, () => bodyTooLarge(bytesMax, url), encoding.length === 0 ? check : undefined);
  return encoding.length === 0 ? body : withOwnBuffer(await decompressBody(body, encoding.join(','), bytesMax, url));
}

/** The first `bytesMax` bytes of the body, decompressed where they are the whole of it; nothing of a compressed one that is cut. Never throws. */
export async function readExcerpt(answer: HopAnswer, bytesMax: number, url: string): Promise<Uint8Array> {
  const excerpt = await answer.exchange.excerpt(bytesMax);
  const encoding = answer.headers.filter(([name]) => name === 'content-encoding').map(([, value]) => value);
  return await decompressBody(excerpt, encoding.join(','), bytesMax, url).catch(() => new Uint8Array());
}

/** Lets a short body run out, so that its socket can be used again, and cuts a long one. */
export function discardBody(answer: HopAnswer): void {
  answer.exchange.discard(DISCARDED_BYTES_MAX, announcedBytes(answer));
}

function announcedBytes(answer: HopAnswer): number {
  return Number(headerOf(answer, 'content-length') ?? 0);
}

/** The first value of a header, by its lower-case name. */
export function headerOf(answer: Pick<HopAnswer, 'headers'>, wanted: string): string | undefined {
  return answer.headers.find(([name]) => name === wanted)?.[1];
}

/** zlib's small results are slices of a buffer that they share with others. */
function withOwnBuffer(bytes: Uint8Array): Uint8Array {
  const isAlone = bytes.byteLength === bytes.buffer.byteLength;
  return isAlone ? new Uint8Array(bytes.buffer) : new Uint8Array(bytes);
}

function headerPairs(raw: readonly string[]): readonly (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) pairs.push([raw[i]?.toLowerCase() ?? '', raw[i + 1] ?? '']);
  return pairs;
}

/** True of a socket that was closed without an answer and had been open before the request. */
function isStaleSocket(error: unknown, origin: OriginConnections, openedBefore: number): boolean {
  if (origin.openedCount() === openedBefore) return isClosedSocket(error);
  // Others have opened some meanwhile: undici tells which one it was, where the other side has ended it.
  return (origin.openedAs(error) ?? Number.POSITIVE_INFINITY) <= openedBefore;
}

function isClosedSocket(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE';
}
