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
  /** Adds a blob, or one more use of it. Belongs into a transaction of the caller. */
  use(blob: Omit<BlobRow, 'uses'>): void;
  /** Takes one use away; true when that was the last one and the row is gone. Belongs into a transaction of the caller. */
  drop(hash: string): boolean;
  hashes(): ReadonlySet<string>;
}

export function createBlobRows({ durable }: Database): BlobRows {
  const find = durable.prepare('SELECT * FROM blob WHERE hash = ?');
  const use = durable.prepare(
    `INSERT INTO blob (hash, bytes, stored_bytes, encoding, uses, created_at) VALUES (?, ?, ?, ?, 1, ?)
     ON CONFLICT (hash) DO UPDATE SET uses = uses + 1, encoding = excluded.encoding, stored_bytes = excluded.stored_bytes`,
  );
  const drop = durable.prepare('UPDATE blob SET uses = uses - 1 WHERE hash = ? RETURNING uses');
  const remove = durable.prepare('DELETE FROM blob WHERE hash = ?');
  const hashes = durable.prepare('SELECT hash FROM blob');
  return {
    find: (hash) => find.get(hash) as BlobRow | undefined,
    use: (blob) => void use.run(blob.hash, blob.bytes, blob.stored_bytes, blob.encoding, blob.created_at),
    drop(hash) {
      const row = drop.get(hash) as { uses: number } | undefined;
      if (!row || row.uses > 0) return false;
      return remove.run(hash).changes === 1;
    },
    hashes: () => new Set(allRows<{ hash: string }>(hashes).map((row) => row.hash)),
  };
}
