// Rows of files; their bytes are blobs.
import type { Database } from '../db/open.ts';
import { allRows } from '../db/rows.ts';

export interface FileRow {
  readonly id: string;
  readonly name: string;
  readonly content_type: string;
  readonly blob_hash: string;
  readonly bytes: number;
  readonly source_kind: 'upload' | 'dataset' | 'workflow' | 'run' | 'selector';
  readonly source_id: number | null;
  readonly created_at: number;
}

export interface FileStore {
  /** Belongs into the transaction that counts the use of its blob. */
  insert(row: Omit<FileRow, 'bytes'>): void;
  find(id: string): FileRow | undefined;
  /** All that have these bytes. */
  withContent(hash: string): readonly FileRow[];
  /** Those that come from one source, oldest first. */
  ofSource(kind: FileRow['source_kind'], id: number): readonly FileRow[];
  /** Ids of those that came from selectors which are gone, or before `beforeMs`. */
  ofNoSelector(beforeMs: number): readonly string[];
  /** Ids of those that came from runs which are gone. */
  ofNoRun(): readonly string[];
  /** Newest first. */
  list(limit: number, offset: number): readonly FileRow[];
  count(): number;
  /** Belongs into the transaction that drops the use of its blob. */
  delete(id: string): void;
}

const COLUMNS = 'id, name, content_type, blob_hash, bytes, source_kind, source_id, file.created_at';
const JOINED = `SELECT ${COLUMNS} FROM file JOIN blob ON blob.hash = blob_hash`;

export function createFileStore({ fast }: Database): FileStore {
  const insert = fast.prepare(
    'INSERT INTO file (id, name, content_type, blob_hash, source_kind, source_id, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const find = fast.prepare(`${JOINED} WHERE id = ?`);
  const withContent = fast.prepare(`${JOINED} WHERE blob_hash = ? ORDER BY position`);
  const list = fast.prepare(`${JOINED} ORDER BY position DESC LIMIT ? OFFSET ?`);
  const count = fast.prepare('SELECT count(*) AS n FROM file');
  const ofSource = fast.prepare(`${JOINED} WHERE source_kind = ? AND source_id = ? ORDER BY position`);
  const ofNoSelector = fast.prepare(
    `SELECT id FROM file WHERE source_kind = 'selector' AND (created_at < ? OR source_id NOT IN (SELECT id FROM monitor_selector))`,
  );
  const ofNoRun = fast.prepare(`SELECT id FROM file WHERE source_kind = 'run' AND source_id NOT IN (SELECT id FROM run)`);
  const remove = fast.prepare('DELETE FROM file WHERE id = ?');
  return {
    insert: (row) => void insert.run(row.id, row.name, row.content_type, row.blob_hash, row.source_kind, row.source_id, row.created_at),
    find: (id) => find.get(id) as FileRow | undefined,
    withContent: (hash) => allRows<FileRow>(withContent, hash),
    list: (limit, offset) => allRows<FileRow>(list, limit, offset),
    ofSource: (kind, id) => allRows<FileRow>(ofSource, kind, id),
    ofNoSelector: (beforeMs) => allRows<{ id: string }>(ofNoSelector, beforeMs).map(({ id }) => id),
    ofNoRun: () => allRows<{ id: string }>(ofNoRun).map(({ id }) => id),
    count: () => (count.get() as { n: number }).n,
    delete: (id) => void remove.run(id),
  };
}
