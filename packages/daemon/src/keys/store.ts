// Rows of restricted keys.
import type { Database } from '../db/open.ts';
import { durably } from '../db/open.ts';
import { allRows } from '../db/rows.ts';

export interface KeyRow {
  readonly id: string;
  readonly name: string;
  readonly scopes: string;
  readonly created_at: number;
  readonly last_used_at: number | null;
}

const COLUMNS = 'id, name, scopes, created_at, last_used_at';

export interface KeyStore {
  insert(row: KeyRow & { readonly token_hash: Buffer }): void;
  /** Newest first. */
  list(limit: number, offset: number): readonly KeyRow[];
  count(): number;
  find(id: string): KeyRow | undefined;
  findByHash(hash: Buffer): KeyRow | undefined;
  touch(id: string, atMs: number): void;
  /** False when there was none. */
  delete(id: string): boolean;
}

export function createKeyStore({ fast }: Database): KeyStore {
  const insert = fast.prepare('INSERT INTO api_key (id, name, scopes, token_hash, created_at) VALUES (?, ?, ?, ?, ?)');
  const remove = fast.prepare('DELETE FROM api_key WHERE id = ?');
  const list = fast.prepare(`SELECT ${COLUMNS} FROM api_key ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`);
  const count = fast.prepare('SELECT count(*) AS n FROM api_key');
  const find = fast.prepare(`SELECT ${COLUMNS} FROM api_key WHERE id = ?`);
  const findByHash = fast.prepare(`SELECT ${COLUMNS} FROM api_key WHERE token_hash = ?`);
  const touch = fast.prepare('UPDATE api_key SET last_used_at = ? WHERE id = ?');
  return {
    insert: (row) => durably(fast, () => void insert.run(row.id, row.name, row.scopes, row.token_hash, row.created_at)),
    list: (limit, offset) => allRows<KeyRow>(list, limit, offset),
    count: () => (count.get() as { n: number }).n,
    find: (id) => find.get(id) as KeyRow | undefined,
    findByHash: (hash) => findByHash.get(hash) as KeyRow | undefined,
    touch: (id, atMs) => void touch.run(atMs, id),
    delete: (id) => durably(fast, () => remove.run(id).changes === 1),
  };
}
