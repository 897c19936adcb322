// Contents by their hash: written to a draft, made durable, then moved to their place. Nothing reads half a blob.
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError } from '@weft/contract';
import type { Clock } from '@weft/engine';
import type { Database } from '../db/open.ts';
import { explainFileFault } from '../db/fault.ts';
import { durably } from '../db/open.ts';
import { syncFolder } from '@weft/serve';
import { writeDraft } from './draft.ts';
import type { Draft } from './draft.ts';
import { createBlobRows } from './store.ts';
import type { BlobRow } from './store.ts';
import type { ByteRange, VerifiedContents } from './contents.ts';
import { BlobContents } from './contents.ts';

/** Content that is safely on disk but belongs to nothing yet. */
export type BlobDraft = Draft;

export interface Blobs {
  /**
   * Writes `content` to a draft and makes it durable. Whatever `content` throws is thrown, AppError `device_capacity` where the disk is full
   * or nearly so (D40), and nothing stays behind.
   */
  write(content: AsyncIterable<Uint8Array>): Promise<BlobDraft>;
  /** Moves a draft to its place and writes what uses it, `also`, in the same transaction. */
  keep<T>(draft: BlobDraft, also: (hash: string) => T): T;
  /** Throws a draft away. */
  discard(draft: BlobDraft): void;
  /** Runs `also`, which deletes the rows that used these blobs, one for each time that one is named, and deletes each content after its last use. Begins the transaction. */
  release<T>(hashes: readonly string[], also: () => T): T;
  find(hash: string): BlobRow | undefined;
  /** True while the content is on disk. */
  exists(hash: string): boolean;
  /**
   * The bytes of `range`, opened when the first piece is asked for. Throws DamagedContent before the last piece of a content that is not what
   * was kept, and before the first of a part of one.
   */
  read(row: BlobRow, range: ByteRange): AsyncGenerator<Uint8Array>;
  /** Reads every content; the hashes of those that are damaged or gone. */
  verify(signal: AbortSignal): Promise<VerifiedContents>;
  /** Hashes of contents that were found damaged since the start. */
  damaged(): readonly string[];
  /**
   * Deletes drafts, and contents that a process which died was moving in or out and that nothing uses. A content that this database has
   * never known is left alone: another copy of the database may know it. Only while nothing is written.
   */
  sweep(): { readonly drafts: number; readonly blobs: number };
}

/** The agent keeps this much of the disk free (D40). */
const FREE_BYTES_MIN = 500_000_000;

/** Blobs in `folder`, two levels deep; drafts in its folder `drafts`. `freeBytes` says how much room is left. */
export function createBlobs(folder: string, database: Database, clock: Clock, freeBytes = () => freeBytesOf(folder)): Blobs {
  const rows = createBlobRows(database);
  const drafts = join(folder, 'drafts');
  const placeOf = (hash: string) => join(folder, hash.slice(0, 2), hash.slice(2));
  const contents = new BlobContents(placeOf);
  mkdirSync(drafts, { recursive: true });
  return {
    async write(content) {
      if (freeBytes() < FREE_BYTES_MIN) throw diskFull();
      const path = join(drafts, randomUUID());
      try {
        const draft = await writeDraft(path, content);
        if (!rows.find(draft.hash)) durably(database.fast, () => rows.noteMove(draft.hash));
        return draft;
      } catch (error) {
        tryToRemove(path);
        throw refusalOf(error);
      }
    },
    // From here on without an `await`: between the look at a blob and its use nobody can delete it.
    keep(draft, also) {
      const { path, hash, bytes, storedBytes, encoding } = draft;
      const place = placeOf(hash);
      try {
        if (mkdirSync(dirname(place), { recursive: true }) !== undefined) syncFolder(folder);
        renameSync(path, place);
        syncFolder(dirname(place));
        return durably(database.fast, () => {
          rows.use({ hash, bytes, stored_bytes: storedBytes, encoding, created_at: clock.now() });
          rows.endMove(hash);
          return also(hash);
        });
      } catch (error) {
        tryToRemove(path);
        if (!rows.find(hash)) tryToRemove(place);
        throw refusalOf(error);
      }
    },
    // Its note stays: it costs the next start one look.
    discard: ({ path }) => rmSync(path, { force: true }),
    release(hashes, also) {
      const { result, unused } = durably(database.fast, () => {
        const done = { result: also(), unused: hashes.filter((hash) => rows.drop(hash)) };
        for (const hash of done.unused) rows.noteMove(hash);
        return done;
      });
      for (const hash of unused) {
        rmSync(placeOf(hash), { force: true });
        rows.endMove(hash);
        contents.forget(hash);
      }
      return result;
    },
    find: (hash) => rows.find(hash),
    exists: (hash) => existsSync(placeOf(hash)),
    read: (row, range) => contents.read(row, range),
    verify: (signal) => contents.verify(rows.all(), signal),
    damaged: () => contents.damaged(),
    sweep() {
      const left = readdirSync(drafts);
      for (const name of left) rmSync(join(drafts, name), { force: true });
      const moves = rows.moves();
      const unused = moves.filter(({ hash, isUsed }) => !isUsed && existsSync(placeOf(hash)));
      for (const { hash } of unused) rmSync(placeOf(hash), { force: true });
      for (const { hash } of moves) rows.endMove(hash);
      return { drafts: left.length, blobs: unused.length };
    },
  };
}

/** Bytes that are free on the disk of `folder`. */
export function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

function diskFull(cause?: unknown): AppError {
  return new AppError('device_capacity', `The disk has less than ${FREE_BYTES_MIN / 1e6} MB free; make room, or delete files.`, { cause });
}

/** What a caller is told of a disk that takes nothing; any other error as it is. */
function refusalOf(error: unknown): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT' ? diskFull(error) : (explainFileFault(error) ?? error);
}

/** What can't be removed now is swept at the next start. */
function tryToRemove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The error that led here says more.
  }
}
