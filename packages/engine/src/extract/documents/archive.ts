// Opens a ZIP archive without trusting it: entries are counted, and sizes are checked as declared and as they come out.
import { PageError } from '../../errors.ts';

/** One file of an archive as its central directory names it. */
export interface ArchiveEntry {
  readonly name: string;
  /** Bytes as the directory declares them. */
  readonly compressedBytes: number;
  readonly declaredBytes: number;
  /** 0 stored, 8 deflated. */
  readonly method: number;
  readonly headerOffset: number;
}

/** An archive with more entries is refused. */
export const ENTRIES_MAX = 10_000;
/** An archive whose wanted entries are larger, declared or real, is refused. */
export const UNPACKED_BYTES_MAX = 64_000_000;

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_ENTRY = 0x04034b50;
/** Deflate grows at most 1032-fold, so one slice can't exceed 4 MB before it is counted. */
const SLICE_BYTES = 4096;

/** True when `body` begins as a ZIP archive does. */
export function isArchive(body: Uint8Array): boolean {
  return body[0] === 0x50 && body[1] === 0x4b && body[2] === 0x03 && body[3] === 0x04;
}

/** What the directory says where there are more entries than it can count (APPNOTE 4.4.1.4). */
const UNCOUNTED = 0xffff;

/** The central directory (APPNOTE 4.3.12); undefined when `body` is not a readable archive. Throws PageError above `entriesMax`. */
export function listEntries(body: Uint8Array, entriesMax = ENTRIES_MAX): readonly ArchiveEntry[] | undefined {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const end = findEnd(view);
  if (end === undefined) return undefined;
  const count = view.getUint16(end + 10, true);
  const refuse = () => new PageError('page_too_complex', `The archive has more than ${entriesMax} entries.`);
  if (count > entriesMax) throw refuse();
  const entries: ArchiveEntry[] = [];
  let at = view.getUint32(end + 16, true);
  for (let i = 0; i < count || count === UNCOUNTED; i++) {
    if (at + 46 > body.length || view.getUint32(at, true) !== DIRECTORY_ENTRY) return count === UNCOUNTED ? entries : undefined;
    if (i >= entriesMax) throw refuse();
    const nameBytes = view.getUint16(at + 28, true);
    entries.push({
      name: new TextDecoder().decode(body.subarray(at + 46, at + 46 + nameBytes)),
      method: view.getUint16(at + 10, true),
      compressedBytes: view.getUint32(at + 20, true),
      declaredBytes: view.getUint32(at + 24, true),
      headerOffset: view.getUint32(at + 42, true),
    });
    at += 46 + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

/** The end record stands last, before a comment of at most 65,535 bytes (APPNOTE 4.3.16). */
function findEnd(view: DataView): number | undefined {
  const lowest = Math.max(0, view.byteLength - 22 - 0xffff);
  for (let at = view.byteLength - 22; at >= lowest; at--) if (view.getUint32(at, true) === END_OF_DIRECTORY) return at;
  return undefined;
}

/**
 * A new archive with the `entries` that `isWanted` names, stored without compression, so that a library can read it without a limit
 * of its own. Throws PageError `body_too_large` above `bytesMax` and `page_unreadable` for damaged entries.
 */
export async function repackArchive(
  body: Uint8Array,
  entries: readonly ArchiveEntry[],
  isWanted: (name: string) => boolean,
  bytesMax = UNPACKED_BYTES_MAX,
): Promise<Uint8Array<ArrayBuffer>> {
  const { zipSync } = await import('fflate');
  return zipSync(Object.fromEntries(await unpackEntries(body, entries, isWanted, bytesMax)), { level: 0 });
}

/** The bytes of the `entries` that `isWanted` names, by their names; of two of one name the last. Throws PageError, likewise. */
export async function unpackEntries(
  body: Uint8Array,
  entries: readonly ArchiveEntry[],
  isWanted: (name: string) => boolean,
  bytesMax = UNPACKED_BYTES_MAX,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const wanted = entries.filter((entry) => isWanted(entry.name));
  let bytesLeft = bytesMax;
  if (wanted.reduce((sum, entry) => sum + entry.declaredBytes, 0) > bytesMax) throw tooLarge(bytesMax);
  const { Inflate } = await import('fflate');
  const files = new Map<string, Uint8Array>();
  for (const entry of wanted) {
    const packed = packedBytes(body, entry);
    const bytes = entry.method === 0 ? packed : inflate(packed, bytesLeft, Inflate);
    bytesLeft -= bytes.length;
    if (bytesLeft < 0) throw tooLarge(bytesMax);
    files.set(entry.name, bytes);
  }
  return files;
}

function packedBytes(body: Uint8Array, entry: ArchiveEntry): Uint8Array {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const at = entry.headerOffset;
  const isReadable = (entry.method === 0 || entry.method === 8) && at + 30 <= body.length && view.getUint32(at, true) === LOCAL_ENTRY;
  if (!isReadable) throw unreadable(entry.name);
  const start = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  if (start + entry.compressedBytes > body.length) throw unreadable(entry.name);
  return body.subarray(start, start + entry.compressedBytes);
}

/** Inflates slice by slice and stops as soon as more than `bytesMax` came out. */
function inflate(packed: Uint8Array, bytesMax: number, Inflate: typeof import('fflate').Inflate): Uint8Array {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const stream = new Inflate((chunk) => {
    bytes += chunk.length;
    if (bytes > bytesMax) throw tooLarge(bytesMax);
    chunks.push(chunk);
  });
  for (let at = 0; at < packed.length; at += SLICE_BYTES)
    stream.push(packed.subarray(at, at + SLICE_BYTES), at + SLICE_BYTES >= packed.length);
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

function tooLarge(bytesMax: number): PageError {
  return new PageError('body_too_large', `The archive unpacks to more than ${bytesMax} bytes.`);
}

function unreadable(name: string): PageError {
  return new PageError('page_unreadable', `The archive entry ${name} is damaged.`);
}
