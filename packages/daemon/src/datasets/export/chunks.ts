// Many small texts as few pieces of bytes.
import { breathe } from './row.ts';

const CHUNK_CHARS = 65_536;
const encoder = new TextEncoder();

/**
 * UTF-8 of the texts in pieces of about 64 KB, each in memory of its own, so that it can be handed to another thread. A text of megabytes is
 * handed over in parts: whole, it would be held once more for each piece that is made ahead of its reader. Bytes between the texts stay as
 * they are.
 */
export async function* inChunks(texts: Iterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  let gathered = '';
  for (const text of texts) {
    if (typeof text !== 'string') {
      if (gathered !== '') yield encoder.encode(gathered);
      gathered = '';
      yield text;
      await breathe();
      continue;
    }
    let at = 0;
    while (gathered.length + text.length - at >= CHUNK_CHARS) {
      const end = wholeCharacters(text, at + CHUNK_CHARS - gathered.length);
      yield encoder.encode(gathered + text.slice(at, end));
      gathered = '';
      at = end;
      await breathe();
    }
    gathered += text.slice(at);
  }
  if (gathered !== '') yield encoder.encode(gathered);
}

/** `end`, or one more where it would part the halves of a character of `text`. */
export function wholeCharacters(text: string, end: number): number {
  return (text.codePointAt(end - 1) ?? 0) > 0xffff ? end + 1 : end;
}
