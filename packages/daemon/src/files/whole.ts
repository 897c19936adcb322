// A file that was uploaded, read whole.
import { AppError } from '@weft/contract';
import type { Files } from './file.ts';

/** Its bytes. Throws AppError `not_found`, `bad_request` for one of more than `bytesMax`. */
export async function readWholeFile(id: string, bytesMax: number, files: Files): Promise<Uint8Array> {
  const { file, read } = files.requireContent(id);
  if (file.bytes > bytesMax) throw new AppError('bad_request', `File "${id}" has ${file.bytes} bytes; at most ${bytesMax} are read.`);
  return file.bytes === 0 ? new Uint8Array() : await readWhole(read({ start: 0, end: file.bytes - 1 }));
}

/** All pieces as one. */
export async function readWhole(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const piece of pieces) parts.push(piece);
  return Buffer.concat(parts);
}
