// Takes a request body in, counted byte by byte.
import { TransportError } from './errors.ts';

/** The body as bytes. Throws TransportError 413 as soon as it passes `bytesMax`. */
export async function readBody(request: Request, bytesMax: number): Promise<Uint8Array> {
  const reader = request.body?.getReader();
  if (!reader) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength;
    if (size > bytesMax) {
      await reader.cancel().catch(() => undefined);
      throw new TransportError(413, `The body is larger than ${bytesMax} bytes.`);
    }
    chunks.push(part.value);
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks, size);
}
