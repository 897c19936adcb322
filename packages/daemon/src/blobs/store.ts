// Rows of blobs: how many things use each of them.
import type { Database } from '../db/open.ts';
import { allRows } from '../db/rows.ts';

export interface BlobRow {
  /** SHA-256 of the content, hex. */
  readonly hash: string;
  readonly bytes: number;
  /** On disk. */
  readonly stored_bytes: number;
  readonly encoding: 'identity' | 'zstd';
  readonly uses: number;
  readonly created_at: number;
}

export interface BlobRows {
  find(hash: string): BlobRow | undefined;
  all(): readonly BlobRow[];
  /** Adds a blob, or one more use of it. Belongs into a transaction of the caller. */
  use(blob: Omit<BlobRow, 'uses'>): void;
  /** Takes one use away; true when that was the last one and the row is gone. Belongs into a transaction of the caller. */
  drop(hash: string): boolean;
  /** Notes that a content is on its way in or out, so that a later start may look for what was left of it. */
  noteMove(hash: string): void;
  /** Takes such a note back. */
  endMove(hash: string): void;
  /** Contents that are noted so, with whether anything uses them. */
  moves(): readonly { readonly hash: string; readonly isUsed: boolean }[];
}

export function createBlobRows({ fast }: Database): BlobRows {
  const find = fast.prepare('SELECT * FROM blob WHERE hash = ?');
  const all = fast.prepare('SELECT * FROM blob ORDER BY rowid');
  const use = fast.prepare(
    `INSERT INTO blob (hash, bytes, stored_bytes, encoding, uses, created_at) VALUES (?, ?, ?, ?, 1, ?)
     ON CONFLICT (hash) DO UPDATE SET uses = uses + 1, encoding = excluded.encoding, stored_bytes = excluded.stored_bytes`,
  );
  const drop = fast.prepare('UPDATE blob SET uses = uses - 1 WHERE hash = ? RETURNING uses');
  const remove = fast.prepare('DELETE FROM blob WHERE hash = ?');
  const noteMove = fast.prepare('INSERT OR IGNORE INTO blob_move (hash) VALUES (?)');
  // A note that a power cut brings back costs the next start one look.
  const endMove = fast.prepare('DELETE FROM blob_move WHERE hash = ?');
  const moves = fast.prepare('SELECT blob_move.hash AS hash, blob.hash IS NOT NULL AS used FROM blob_move LEFT JOIN blob USING (hash)');
  return {
    find: (hash) => find.get(hash) as BlobRow | undefined,
    all: () => allRows<BlobRow>(all),
    use: (blob) => void use.run(blob.hash, blob.bytes, blob.stored_bytes, blob.encoding, blob.created_at),
    drop(hash) {
      const row = drop.get(hash) as { uses: number } | undefined;
      if (!row || row.uses > 0) return false;
      return remove.run(hash).changes === 1;
    },
    noteMove: (hash) => void noteMove.run(hash),
    endMove: (hash) => void endMove.run(hash),
    moves: () => allRows<{ hash: string; used: number }>(moves).map(({ hash, used }) => ({ hash, isUsed: used === 1 })),
  };
}
