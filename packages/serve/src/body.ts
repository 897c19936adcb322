// Takes a request body in, counted byte by byte.
import { TransportError } from './errors.ts';

/** The body as bytes. Throws TransportError 413 as soon as it passes `bytesMax`. */
export async function readBody(body: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > bytesMax) throw new TransportError(413, `The body is larger than ${bytesMax} bytes.`);
    chunks.push(chunk);
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks, size);
}
