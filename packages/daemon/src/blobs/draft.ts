// Writes a content to a file as it comes, counted, hashed, and compressed where that helps.
import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { constants, createZstdCompress, zstdCompressSync } from 'node:zlib';

export interface Draft {
  readonly path: string;
  /** SHA-256 of the content, hex. */
  readonly hash: string;
  readonly bytes: number;
  readonly storedBytes: number;
  readonly encoding: 'identity' | 'zstd';
}

const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };
/** How much of the beginning decides whether compression helps. */
const SAMPLE_BYTES = 65_536;
/** Less is not worth a second way of reading. */
const SAVED_SHARE_MIN = 0.1;

/** Writes `content` to a new file at `path` and makes it durable. The file is removed again when `content` or the disk fails. */
export async function writeDraft(path: string, content: AsyncIterable<Uint8Array>): Promise<Draft> {
  const file = await open(path, 'wx', 0o600);
  try {
    const draft = await writeTo(file, content);
    await file.sync();
    await file.close();
    return { path, ...draft };
  } catch (error) {
    await file.close().catch(() => undefined);
    // What can't be removed now is swept at the next start.
    await rm(path, { force: true }).catch(() => undefined);
    throw error;
  }
}

async function writeTo(file: FileHandle, content: AsyncIterable<Uint8Array>): Promise<Omit<Draft, 'path'>> {
  const { sample, rest, isWhole } = await splitSample(content);
  if (isWhole) return await writeWhole(file, sample);
  const hash = createHash('sha256');
  const counted = { bytes: 0, storedBytes: 0 };
  const isPacked = compress(sample) !== undefined;
  async function* read() {
    for await (const piece of joined(sample, rest)) {
      hash.update(piece);
      counted.bytes += piece.byteLength;
      yield piece;
    }
  }
  for await (const piece of isPacked ? packed(read()) : read()) {
    await writeAll(file, piece);
    counted.storedBytes += piece.byteLength;
  }
  return { ...counted, hash: hash.digest('hex'), encoding: isPacked ? 'zstd' : 'identity' };
}

/** A short content was compressed to see whether that helps: most of what monitors keep is one. */
async function writeWhole(file: FileHandle, content: Uint8Array): Promise<Omit<Draft, 'path'>> {
  const small = compress(content);
  const stored = small ?? content;
  await writeAll(file, stored);
  const hash = createHash('sha256').update(content).digest('hex');
  return { bytes: content.byteLength, storedBytes: stored.byteLength, hash, encoding: small ? 'zstd' : 'identity' };
}

/** The first SAMPLE_BYTES or more, whether that is all, and an iterator over what follows. */
async function splitSample(content: AsyncIterable<Uint8Array>) {
  const rest = content[Symbol.asyncIterator]();
  const sample: Uint8Array[] = [];
  let isWhole = false;
  for (let size = 0; size < SAMPLE_BYTES;) {
    const { done, value } = await rest.next();
    isWhole = done === true;
    if (done) break;
    sample.push(value);
    size += value.byteLength;
  }
  return { sample: Buffer.concat(sample), rest, isWhole };
}

async function* joined(sample: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (sample.byteLength > 0) yield sample;
    for (let step = await rest.next(); !step.done; step = await rest.next()) yield step.value;
  } finally {
    await rest.return?.();
  }
}

/** The beginning compressed; undefined where that does not help: pictures, archives and the like are small already. */
function compress(sample: Uint8Array): Uint8Array | undefined {
  if (sample.byteLength === 0) return undefined;
  const part = sample.subarray(0, SAMPLE_BYTES);
  const small = zstdCompressSync(part, ZSTD);
  return small.byteLength <= part.byteLength * (1 - SAVED_SHARE_MIN) ? small : undefined;
}

function packed(content: AsyncGenerator<Uint8Array>): AsyncIterable<Buffer> {
  const input = Readable.from(content, { objectMode: true, highWaterMark: 1 });
  const output = createZstdCompress(ZSTD);
  input.on('error', (error) => output.destroy(error));
  return input.pipe(output) as AsyncIterable<Buffer>;
}

async function writeAll(file: FileHandle, piece: Uint8Array): Promise<void> {
  for (let at = 0; at < piece.byteLength;) at += (await file.write(piece, at)).bytesWritten;
}
