// Holds the bytes of a content against its hash while they are read, so that what a disk has lost or turned is never served as good.
import { createHash } from 'node:crypto';

/** A content whose bytes on disk are no longer what was put there. */
export class DamagedContent extends Error {
  constructor(hash: string, wrong: string) {
    super(`The content ${hash} is damaged: ${wrong}.`);
    this.name = 'DamagedContent';
  }
}

/**
 * The pieces of a content of `bytes` bytes, the last one held back until all of them have the `hash`: who counts what arrives can't take a
 * damaged content for a whole one. Throws DamagedContent.
 */
export async function* verified(
  pieces: AsyncIterable<Uint8Array>,
  { hash, bytes }: { readonly hash: string; readonly bytes: number },
): AsyncGenerator<Uint8Array> {
  const digest = createHash('sha256');
  let size = 0;
  let held: Uint8Array | undefined;
  try {
    for await (const piece of pieces) {
      digest.update(piece);
      size += piece.byteLength;
      if (held) yield held;
      held = piece;
    }
  } catch (error) {
    throw isUnreadable(error) ? new DamagedContent(hash, (error as Error).message) : error;
  }
  if (size !== bytes) throw new DamagedContent(hash, `${size} of ${bytes} bytes can be read`);
  if (digest.digest('hex') !== hash) throw new DamagedContent(hash, 'its bytes have another hash');
  if (held) yield held;
}

/** The decompressor and the disk name what they could not read. */
function isUnreadable(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return code.startsWith('ZSTD_') || code.startsWith('Z_') || code === 'EIO' || code === 'ENOENT';
}
