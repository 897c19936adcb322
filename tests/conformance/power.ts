// What a power cut leaves of a database in WAL mode: everything up to the last fsync, and of what was written behind it anything.
// Formats: https://sqlite.org/fileformat2.html#the_write_ahead_log and https://sqlite.org/walformat.html#the_wal_index_file_format
import { closeSync, openSync, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs';

/** A text that one acknowledged and synced commit wrote, and the generation of the WAL at that time. */
export interface SyncedText {
  readonly text: string;
  readonly generation: string;
}

/** How the writes behind the last fsync ended. */
export type Damage = 'cut' | 'torn' | 'scattered';

/** What was done to the files. */
export interface PowerCut {
  readonly damage: Damage;
  /** Bytes of the WAL that an fsync is known to have covered. */
  readonly syncedBytes: number;
  /** Bytes of the WAL before the cut, since it began anew. */
  readonly walBytes: number;
  /** Pages of the database that were being written when the power went. */
  readonly tornPages: number;
}

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** What a disk writes at once at least, and what a file system writes at once. */
const SECTOR_BYTES = 512;
const BLOCK_BYTES = 4096;

/** The salts of the WAL of the database at `path`, which change each time it begins anew. */
export function generationOf(path: string): string {
  return saltsOf(readHeader(`${path}-wal`), 16);
}

/** Whether a checkpoint is copying frames of the WAL to the database at `path` right now. */
export function isCheckpointing(path: string): boolean {
  const { done, attempted } = checkpointOf(readFileSync(`${path}-shm`), readHeader(`${path}-wal`));
  return done < attempted;
}

/**
 * Damages the files of the database at `path`, which no process may have open, as a power cut would: an fsync is known to have covered
 * what a checkpoint began with, and the commits of `synced`. `old` is the WAL as it was some time before.
 */
export function cutPower(path: string, synced: readonly SyncedText[], old: Buffer, random: () => number): PowerCut {
  const wal = writtenPart(readFileSync(`${path}-wal`));
  const frameBytes = frameBytesOf(wal);
  const checkpoint = checkpointOf(readFileSync(`${path}-shm`), wal);
  const frames = Math.max(checkpoint.attempted, ...synced.map((text) => framesUpTo(wal, text, frameBytes)));
  const syncedBytes = Math.min(wal.byteLength, HEADER_BYTES + frames * frameBytes);
  const damage = (['cut', 'torn', 'scattered'] as const)[Math.floor(random() * 3)] ?? 'cut';
  writeFileSync(`${path}-wal`, damagedTail(wal, syncedBytes, old, damage, random));
  const torn = range(checkpoint.done, checkpoint.attempted).map((frame) => wal.readUInt32BE(HEADER_BYTES + frame * frameBytes));
  tearPages(path, torn, frameBytes - FRAME_HEADER_BYTES, random);
  return { damage, syncedBytes, walBytes: wal.byteLength, tornPages: torn.length };
}

function readHeader(path: string): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  const file = openSync(path, 'r');
  readSync(file, header, 0, HEADER_BYTES, 0);
  closeSync(file);
  return header;
}

function frameBytesOf(wal: Buffer): number {
  return FRAME_HEADER_BYTES + wal.readUInt32BE(8);
}

/** The WAL since it began anew; frames of before may still stand behind. */
function writtenPart(wal: Buffer): Buffer {
  const frameBytes = frameBytesOf(wal);
  let end = HEADER_BYTES;
  while (end + frameBytes <= wal.byteLength && saltsOf(wal, end + 8) === saltsOf(wal, 16)) end += frameBytes;
  return wal.subarray(0, end);
}

function saltsOf(bytes: Buffer, at: number): string {
  return bytes.toString('hex', at, at + 8);
}

/** Frames that were copied to the database, and those that a checkpoint has begun to copy; none of a WAL that has begun anew since. */
function checkpointOf(shm: Buffer, wal: Buffer): { readonly done: number; readonly attempted: number } {
  if (shm.byteLength < 136 || saltsOf(shm, 32) !== saltsOf(wal, 16)) return { done: 0, attempted: 0 };
  const number = (at: number) => new DataView(shm.buffer, shm.byteOffset).getUint32(at, isLittleEndian());
  return { done: number(96), attempted: Math.max(number(96), number(128)) };
}

function isLittleEndian(): boolean {
  return new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;
}

/** How many frames the commit that first wrote the text ends with; 0 when it was written before the WAL began anew. */
function framesUpTo(wal: Buffer, { text, generation }: SyncedText, frameBytes: number): number {
  const at = saltsOf(wal, 16) === generation ? wal.indexOf(text) : -1;
  if (at < 0) return 0;
  for (let frame = Math.floor((at - HEADER_BYTES) / frameBytes); HEADER_BYTES + frame * frameBytes < wal.byteLength; frame++)
    if (wal.readUInt32BE(HEADER_BYTES + frame * frameBytes + 4) !== 0) return frame + 1;
  return 0;
}

/** The WAL with any of the writes behind `from` missing. */
function damagedTail(wal: Buffer, from: number, old: Buffer, damage: Damage, random: () => number): Buffer {
  const end = from + Math.floor(random() * (wal.byteLength - from + 1));
  const left = Buffer.from(wal.subarray(0, end));
  if (damage === 'torn') loseBytes(left, Math.max(from, end - Math.floor(random() * BLOCK_BYTES)), end, old);
  if (damage === 'scattered') {
    const lostShare = random();
    for (let at = from; at < end; at = nextBlock(at)) if (random() < lostShare) loseBytes(left, at, Math.min(end, nextBlock(at)), old);
  }
  return left;
}

function nextBlock(at: number): number {
  return (Math.floor(at / BLOCK_BYTES) + 1) * BLOCK_BYTES;
}

/** What a lost write was to replace: what the file held there before, and zeros where it held nothing. */
function loseBytes(bytes: Buffer, from: number, to: number, old: Buffer): void {
  bytes.fill(0, from, to);
  old.copy(bytes, from, Math.min(from, old.byteLength), Math.min(to, old.byteLength));
}

/** Pages that a checkpoint was copying are partly on disk; the WAL still holds them. */
function tearPages(path: string, pages: readonly number[], pageBytes: number, random: () => number): void {
  const file = openSync(path, 'r+');
  for (const page of pages) {
    if (random() < 0.5) continue;
    const lost = Math.ceil((random() * pageBytes) / SECTOR_BYTES) * SECTOR_BYTES;
    writeSync(file, Buffer.alloc(lost), 0, lost, page * pageBytes - lost);
  }
  closeSync(file);
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
}
