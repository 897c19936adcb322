// Rows of secrets: what may be told of them. Their values are in the vault.
import type { Database } from '../db/open.ts';
import { durably } from '../db/open.ts';
import { allRows } from '../db/rows.ts';

export interface SecretRow {
  readonly key: string;
  /** JSON of a list. */
  readonly origins: string;
  readonly created_at: number;
  readonly updated_at: number;
  readonly last_used_at: number | null;
}

/** Every change is durable but that of the last use. */
export interface SecretStore {
  find(key: string): SecretRow | undefined;
  /** In order of their keys. */
  list(limit: number, offset: number): readonly SecretRow[];
  count(): number;
  /** Inserts the row or replaces it; `also` runs in the same transaction. */
  put(row: Omit<SecretRow, 'last_used_at'>, also: () => void): void;
  delete(key: string, also: () => void): void;
  touch(key: string, atMs: number): void;
}

export function createSecretStore({ fast }: Database): SecretStore {
  const find = fast.prepare('SELECT * FROM secret WHERE key = ?');
  const list = fast.prepare('SELECT * FROM secret ORDER BY key LIMIT ? OFFSET ?');
  const count = fast.prepare('SELECT count(*) AS n FROM secret');
  const put = fast.prepare(
    `INSERT INTO secret (key, origins, created_at, updated_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (key) DO UPDATE SET origins = excluded.origins, updated_at = excluded.updated_at`,
  );
  const remove = fast.prepare('DELETE FROM secret WHERE key = ?');
  const touch = fast.prepare('UPDATE secret SET last_used_at = ? WHERE key = ?');
  return {
    find: (key) => find.get(key) as SecretRow | undefined,
    list: (limit, offset) => allRows<SecretRow>(list, limit, offset),
    count: () => (count.get() as { n: number }).n,
    put: (row, also) =>
      durably(fast, () => {
        put.run(row.key, row.origins, row.created_at, row.updated_at);
        also();
      }),
    delete: (key, also) =>
      durably(fast, () => {
        remove.run(key);
        also();
      }),
    touch: (key, atMs) => void touch.run(atMs, key),
  };
}
