// Reads contents from the disk, each held against its hash, and remembers which were found good or damaged.
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import type { BlobRow } from './store.ts';
import { DamagedContent, verified } from './verified.ts';

export interface ByteRange {
  readonly start: number;
  /** Inclusive. */
  readonly end: number;
}

/** What a look at contents found. */
export interface VerifiedContents {
  /** How many were read. */
  readonly contents: number;
  readonly bytes: number;
  /** Hashes of those that are damaged or gone. */
  readonly damaged: readonly string[];
}

const PIECE_BYTES = 65_536;

/** The contents in the files that `placeOf` names. */
export class BlobContents {
  private readonly placeOf: (hash: string) => string;
  private readonly good = new Set<string>();
  private readonly bad = new Set<string>();

  constructor(placeOf: (hash: string) => string) {
    this.placeOf = placeOf;
  }

  /** The bytes of `range`. Throws DamagedContent before the last piece of a content, and before the first of a part of one. */
  read(row: BlobRow, range: ByteRange): AsyncGenerator<Uint8Array> {
    return range.start === 0 && range.end >= row.bytes - 1 ? this.readWhole(row) : this.readPart(row, range);
  }

  /** Reads each of `rows` to its end. */
  async verify(rows: readonly BlobRow[], signal: AbortSignal): Promise<VerifiedContents> {
    const damaged: string[] = [];
    for (const row of rows) {
      try {
        for await (const _piece of this.readWhole(row)) signal.throwIfAborted();
      } catch (error) {
        if (!(error instanceof DamagedContent)) throw error;
        damaged.push(row.hash);
      }
    }
    return { contents: rows.length, bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0), damaged };
  }

  /** Hashes of contents that were found damaged so far. */
  damaged(): readonly string[] {
    return [...this.bad];
  }

  /** Forgets a content that was deleted. */
  forget(hash: string): void {
    this.good.delete(hash);
    this.bad.delete(hash);
  }

  private async *readWhole(row: BlobRow): AsyncGenerator<Uint8Array> {
    try {
      yield* verified(this.stored(row, { start: 0, end: row.bytes - 1 }), row);
      this.good.add(row.hash);
      this.bad.delete(row.hash);
    } catch (error) {
      if (error instanceof DamagedContent) this.bad.add(row.hash);
      throw error;
    }
  }

  /** A part can't be held against the hash, so the whole was once. */
  private async *readPart(row: BlobRow, range: ByteRange): AsyncGenerator<Uint8Array> {
    if (!this.good.has(row.hash)) for await (const _piece of this.readWhole(row));
    yield* this.stored(row, range);
  }

  private stored({ hash, encoding }: BlobRow, range: ByteRange): AsyncGenerator<Uint8Array> {
    return encoding === 'zstd' ? readPacked(this.placeOf(hash), range) : readPlain(this.placeOf(hash), range);
  }
}

async function* readPlain(path: string, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
  if (end < start) return;
  // Where `end` lies behind the end of the file, the stream ends there.
  yield* createReadStream(path, { start, end, highWaterMark: PIECE_BYTES }) as AsyncIterable<Uint8Array>;
}

/** Compressed content is read from its beginning; what stands before the range is passed over. */
async function* readPacked(path: string, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
  const plain = pipeline(createReadStream(path, { highWaterMark: PIECE_BYTES }), createZstdDecompress(), () => undefined);
  let at = 0;
  for await (const piece of plain as AsyncIterable<Buffer>) {
    const part = piece.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at));
    at += piece.byteLength;
    if (part.byteLength > 0) yield part;
    if (at > end) return;
  }
}
