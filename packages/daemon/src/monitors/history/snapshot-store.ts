// Rows of snapshots and of their parts.
import type { SnapshotPartName } from '@weft/contract';
import type { Database } from '../../db/open.ts';
import { allRows } from '../../db/rows.ts';

export interface SnapshotRow {
  readonly id: number;
  readonly monitor_id: number;
  readonly run_id: number;
  readonly url: string;
  readonly created_at: number;
}

export interface PartRow {
  readonly part: SnapshotPartName;
  readonly content_type: string;
  readonly blob_hash: string;
  /** Of the content. */
  readonly bytes: number;
}

/** Writing belongs into a transaction of the caller, which keeps or releases the blobs. */
export interface SnapshotStore {
  insert(row: Omit<SnapshotRow, 'id'>, parts: readonly Omit<PartRow, 'bytes'>[]): number;
  find(id: number): SnapshotRow | undefined;
  /** Values first, then the body, then the picture. */
  parts(id: number): readonly PartRow[];
  /** Newest first. */
  list(monitorId: number, limit: number, offset: number): readonly SnapshotRow[];
  count(monitorId: number): number;
  /** The newest one, or the newest before snapshot `beforeId`. */
  newest(monitorId: number, beforeId?: number): SnapshotRow | undefined;
  ofRun(runId: number): SnapshotRow | undefined;
  /** All but the newest `keep` of a monitor, oldest first. */
  beyond(monitorId: number, keep: number): readonly number[];
  /** Monitors that have more than `keep`. */
  monitorsWithMore(keep: number): readonly number[];
  /** The blobs of a snapshot, or of all of a monitor; one for each use. */
  blobsOf(id: number): readonly string[];
  blobsOfMonitor(monitorId: number): readonly string[];
  delete(id: number): void;
}

export function createSnapshotStore({ fast }: Database): SnapshotStore {
  const insert = fast.prepare('INSERT INTO monitor_snapshot (monitor_id, run_id, url, created_at) VALUES (?, ?, ?, ?)');
  const addPart = fast.prepare('INSERT INTO monitor_snapshot_part (snapshot_id, part, content_type, blob_hash) VALUES (?, ?, ?, ?)');
  const find = fast.prepare('SELECT * FROM monitor_snapshot WHERE id = ?');
  const parts = fast.prepare(
    `SELECT part, content_type, blob_hash, bytes FROM monitor_snapshot_part JOIN blob ON hash = blob_hash
     WHERE snapshot_id = ? ORDER BY part = 'values' DESC, part`,
  );
  const ofMonitor = 'FROM monitor_snapshot WHERE monitor_id = ?';
  const list = fast.prepare(`SELECT * ${ofMonitor} ORDER BY id DESC LIMIT ? OFFSET ?`);
  const count = fast.prepare(`SELECT count(*) AS n ${ofMonitor}`);
  const newest = fast.prepare(`SELECT * ${ofMonitor} AND id < ? ORDER BY id DESC LIMIT 1`);
  const ofRun = fast.prepare('SELECT * FROM monitor_snapshot WHERE run_id = ?');
  const beyond = fast.prepare(`SELECT id ${ofMonitor} ORDER BY id DESC LIMIT -1 OFFSET ?`);
  const withMore = fast.prepare('SELECT monitor_id AS id FROM monitor_snapshot GROUP BY monitor_id HAVING count(*) > ?');
  const blobsOf = fast.prepare('SELECT blob_hash FROM monitor_snapshot_part WHERE snapshot_id = ?');
  const blobsOfMonitor = fast.prepare(`SELECT blob_hash FROM monitor_snapshot_part WHERE snapshot_id IN (SELECT id ${ofMonitor})`);
  const remove = fast.prepare('DELETE FROM monitor_snapshot WHERE id = ?');
  const ids = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id);
  const hashes = (rows: readonly { readonly blob_hash: string }[]) => rows.map(({ blob_hash: hash }) => hash);
  return {
    insert({ monitor_id, run_id, url, created_at }, all) {
      const id = Number(insert.run(monitor_id, run_id, url, created_at).lastInsertRowid);
      for (const { part, content_type, blob_hash } of all) addPart.run(id, part, content_type, blob_hash);
      return id;
    },
    find: (id) => find.get(id) as SnapshotRow | undefined,
    parts: (id) => allRows<PartRow>(parts, id),
    list: (monitorId, limit, offset) => allRows<SnapshotRow>(list, monitorId, limit, offset),
    count: (monitorId) => (count.get(monitorId) as { n: number }).n,
    newest: (monitorId, beforeId = Number.MAX_SAFE_INTEGER) => newest.get(monitorId, beforeId) as SnapshotRow | undefined,
    ofRun: (runId) => ofRun.get(runId) as SnapshotRow | undefined,
    beyond: (monitorId, keep) => ids(allRows<{ id: number }>(beyond, monitorId, keep)).toReversed(),
    monitorsWithMore: (keep) => ids(allRows<{ id: number }>(withMore, keep)),
    blobsOf: (id) => hashes(allRows<{ blob_hash: string }>(blobsOf, id)),
    blobsOfMonitor: (monitorId) => hashes(allRows<{ blob_hash: string }>(blobsOfMonitor, monitorId)),
    delete: (id) => void remove.run(id),
  };
}
