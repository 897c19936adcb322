// Many small texts as few pieces of bytes.
import { breathe } from './row.ts';

const CHUNK_CHARS = 65_536;
const encoder = new TextEncoder();

/** UTF-8 of the texts in pieces of about 64 KB, each in memory of its own, so that it can be handed to another thread. */
export async function* inChunks(texts: Iterable<string>): AsyncGenerator<Uint8Array> {
  let gathered = '';
  for (const text of texts) {
    gathered += text;
    if (gathered.length < CHUNK_CHARS) continue;
    yield encoder.encode(gathered);
    gathered = '';
    await breathe();
  }
  if (gathered !== '') yield encoder.encode(gathered);
}
