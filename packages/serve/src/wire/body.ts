// Takes a request body in, counted byte by byte and against the clock.
import { TransportError } from './errors.ts';

/** Until a JSON body is in. An upload has the listener's own, longer time. */
export const BODY_MS = 30_000;

/** The body as bytes. Throws TransportError 413 as soon as it passes `bytesMax`, 408 when it is not in after `bodyMs`. */
export async function readBody(body: AsyncIterable<Uint8Array>, bytesMax: number, bodyMs = BODY_MS): Promise<Uint8Array> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new TransportError(408, `The body was not in after ${bodyMs} ms.`)), bodyMs);
  try {
    return await Promise.race([collect(body, bytesMax), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function collect(body: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > bytesMax) throw new TransportError(413, `The body is larger than ${bytesMax} bytes.`);
    chunks.push(chunk);
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks, size);
}
