// A request and an answer as the kernel sees them: what the socket received, and what it will send.
import type { OwnAddress, RawRequest } from './guard.ts';
import { isNamed } from './guard.ts';

/** A value, or a promise of it where a store is far away. */
export type Awaitable<T> = T | Promise<T>;

export interface Incoming extends RawRequest {
  readonly method: string;
  /** The address of the listener that took it. */
  readonly own: OwnAddress;
  /** As the request line says, such as `1.1`. */
  readonly version: string;
  readonly remoteAddress: string;
  /** The body as it arrives; read once. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Aborts when the caller goes away. Made on first use, because most answers are quicker than that. */
  readonly closed: AbortSignal;
}

export interface Outgoing {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream is read no faster than the caller takes it. */
  readonly body?: string | Uint8Array | AsyncIterable<string | Uint8Array>;
  /** Cut off when nothing is taken of it for long: its reader can ask again for what is missing. */
  readonly isCutWhenStalled?: boolean;
}

/** An answer of JSON. */
export function jsonAnswer(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Outgoing {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) };
}

/** The value of the only header of this name; undefined when it is absent or stands twice. */
export function findHeader(request: RawRequest, name: string): string | undefined {
  let found: string | undefined;
  for (let i = 0; i + 1 < request.rawHeaders.length; i += 2) {
    if (!isNamed(request.rawHeaders[i] as string, name)) continue;
    if (found !== undefined) return undefined;
    found = request.rawHeaders[i + 1];
  }
  return found;
}
