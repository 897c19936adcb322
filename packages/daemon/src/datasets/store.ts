// Rows of datasets and of their records (D24). `addRecord` keeps the newest of each key, the counts and the full-text index.
import type { DatabaseSync } from 'node:sqlite';
import { LIVE_STATUSES } from '@weft/contract';
import type { JsonParts } from '@weft/contract';
import { transaction } from '../db/open.ts';
import type { Database } from '../db/open.ts';
import { allRows, allRowsNamed } from '../db/rows.ts';
import type { RecordView } from './view-store.ts';
import { prepareViews } from './view-store.ts';

export interface DatasetRow {
  readonly id: number;
  readonly source_kind: string;
  readonly source_id: number | null;
  /** 0 or 1. */
  readonly source_deleted: number;
  readonly name: string;
  /** Records of the default view. */
  readonly records: number;
  readonly created_at: number;
  readonly updated_at: number;
  /** Null where records replace each other by key; else the run that the default view shows, 0 before the first has settled. */
  readonly newest_run_id: number | null;
}

export interface RecordRow {
  readonly id: number;
  readonly dataset_id: number;
  readonly run_id: number;
  readonly key: string;
  readonly created_at: number;
  /** JSON of an object. */
  readonly body: string;
}

/** A record whose body is read in parts. */
export interface RecordEntry extends Omit<RecordRow, 'body'>, RecordSize {
  readonly body: JsonParts;
}

/** How much of the database one record takes. */
export interface RecordSize {
  readonly id: number;
  /** Bytes of its JSON. */
  readonly bytes: number;
}

/** What fills a dataset, and what its records are replaced by: the next one of their key, or the next settled run (`key` unless said). */
export interface DatasetSource {
  readonly kind: string;
  readonly id: number | null;
  readonly replacedBy?: 'key' | 'run';
}

export interface NewRecord extends Omit<RecordRow, 'id' | 'key' | 'body'> {
  /** Given where records are replaced by key, and only there; elsewhere it is the record's place in its run, from 1. */
  readonly key?: string;
  /** What is kept; its members must survive JSON. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface AddedRecord {
  readonly id: number;
  /** Whether the default view has one more record by it. */
  readonly isNew: boolean;
}

export interface DatasetStore {
  /** The dataset of a source, made on first use; its id. What replaces its records is settled then. */
  ensure(source: DatasetSource, name: string, atMs: number): number;
  find(id: number): DatasetRow | undefined;
  /** The one with the newest record first. */
  list(kind: 'pages' | 'rows' | undefined, limit: number, offset: number): readonly DatasetRow[];
  count(kind: 'pages' | 'rows' | undefined): number;
  /** The sources that hold pages; all others hold rows. */
  readonly pageSources: readonly string[];
  /** Adds a record as the newest of its key or the next of its run, found by `text` where there is any. Belongs into a transaction of the caller, which calls `touch` at its end. */
  addRecord(record: NewRecord, text: { readonly title: string; readonly body: string }): AddedRecord;
  /** Deletes what a run brought under a key; how many. Belongs into a transaction of the caller. */
  dropOfRun(datasetId: number, runId: number, key: string): number;
  /** Counts `added` more records of the default view, the last of them from `atMs`. */
  touch(id: number, added: number, atMs: number): void;
  /** The view as it stands now: in a dataset that shows one run, `newest` is that run. */
  resolveView(datasetId: number, view: RecordView): RecordView;
  /** Records after record `afterId`, oldest first. */
  sizes(datasetId: number, view: RecordView, afterId: number, limit: number): readonly RecordSize[];
  /** Records that a run brought, after record `afterId`, oldest first. */
  sizesOfRun(runId: number, afterId: number, limit: number): readonly RecordSize[];
  rename(id: number, name: string): void;
  /** Whether a live run fills it. */
  isLive(id: number): boolean;
  /** Deletes the oldest `limit` records of a dataset; how many went. */
  deleteSome(id: number, limit: number): number;
  /** Deletes a dataset that has no record, though its run may be live; whether it is gone. */
  deleteEmpty(id: number): boolean;
  /** Deletes a dataset and what is left of it, unless a live run fills it; whether it is gone. Its runs stay. */
  delete(id: number): boolean;
  record(id: number): RecordRow | undefined;
  entry(id: number): RecordEntry | undefined;
}

export const PAGE_SOURCES = ['pages', 'crawl', 'crawl_definition'] as const;
const HOLDS_PAGES = `source_kind IN (${PAGE_SOURCES.map((kind) => `'${kind}'`).join(', ')})`;
const OF_KIND = `WHERE ?1 IS NULL OR (?1 = 'pages') = (${HOLDS_PAGES})`;

/** A body up to this size is read with the rest of its record. */
const SMALL_BYTES = 65_536;

export function createDatasetStore({ fast }: Database): DatasetStore {
  const ensure = fast.prepare(
    `INSERT INTO dataset (source_kind, source_id, name, created_at, updated_at, newest_run_id) VALUES (?1, ?2, ?3, ?4, ?4, ?5)
     ON CONFLICT (source_kind, ifnull(source_id, 0)) DO UPDATE SET name = name RETURNING id`,
  );
  const find = fast.prepare('SELECT * FROM dataset WHERE id = ?');
  const list = fast.prepare(`SELECT * FROM dataset ${OF_KIND} ORDER BY updated_at DESC, id DESC LIMIT ?2 OFFSET ?3`);
  const count = fast.prepare(`SELECT count(*) AS n FROM dataset ${OF_KIND}`);
  const supersede = fast.prepare('UPDATE record SET is_newest = 0 WHERE dataset_id = ? AND key = ? AND is_newest = 1 RETURNING id');
  const place = fast.prepare(
    `INSERT INTO dataset_run (dataset_id, run_id, records) VALUES (?, ?, 1)
     ON CONFLICT DO UPDATE SET records = records + 1, is_hidden = run_id <> (SELECT newest_run_id FROM dataset WHERE id = dataset_id)
     RETURNING records, is_hidden`,
  );
  const add = fast.prepare('INSERT INTO record (dataset_id, run_id, key, created_at, body) VALUES (?, ?, ?, ?, ?)');
  const dropOfRun = fast.prepare('DELETE FROM record WHERE dataset_id = ? AND run_id = ? AND key = ?');
  const touch = fast.prepare('UPDATE dataset SET records = records + ?, updated_at = max(updated_at, ?) WHERE id = ?');
  const addText = fast.prepare('INSERT INTO record_text (rowid, title, body) VALUES (?, ?, ?)');
  const dropText = fast.prepare('DELETE FROM record_text WHERE rowid = ?');
  const rename = fast.prepare('UPDATE dataset SET name = ? WHERE id = ?');
  const deleteSome = fast.prepare('DELETE FROM record WHERE id IN (SELECT id FROM record WHERE dataset_id = ? ORDER BY id LIMIT ?)');
  const live = fast.prepare(
    `SELECT 1 FROM run WHERE dataset_id = ? AND status IN (${LIVE_STATUSES.map((status) => `'${status}'`).join(', ')})`,
  );
  const filled = fast.prepare('SELECT 1 FROM record WHERE dataset_id = ? LIMIT 1');
  const leave = fast.prepare('UPDATE run SET dataset_id = NULL WHERE dataset_id = ?');
  const remove = fast.prepare('DELETE FROM dataset WHERE id = ?');
  const one = fast.prepare('SELECT * FROM record WHERE id = ?');
  const head = fast.prepare(
    `SELECT id, dataset_id, run_id, key, created_at, octet_length(body) AS bytes, iif(octet_length(body) <= ${SMALL_BYTES}, body, NULL) AS small
     FROM record WHERE id = ?`,
  );
  const readBody = createBodyReader(fast);
  const SIZE = 'SELECT id, octet_length(body) AS bytes FROM record WHERE';
  const ofRun = fast.prepare(`${SIZE} run_id = ? AND id > ? ORDER BY id LIMIT ?`);
  const views = prepareViews(fast, (condition) => `${SIZE} ${condition} AND id > $afterId ORDER BY id LIMIT $limit`);
  /** Its key, and whether the default view has one more record by it. */
  const placeOf = (dataset_id: number, run_id: number, key: string | undefined) => {
    if (key === undefined) {
      const { records, is_hidden } = place.get(dataset_id, run_id) as { records: number; is_hidden: number };
      return { key: String(records), isNew: is_hidden === 0 };
    }
    const replaced = supersede.get(dataset_id, key) as { id: number } | undefined;
    if (replaced) dropText.run(replaced.id);
    return { key, isNew: replaced === undefined };
  };
  return {
    ensure: ({ kind, id, replacedBy = 'key' }, name, atMs) =>
      (ensure.get(kind, id, name, atMs, replacedBy === 'run' ? 0 : null) as { id: number }).id,
    find: (id) => find.get(id) as DatasetRow | undefined,
    list: (kind, limit, offset) => allRows<DatasetRow>(list, kind ?? null, limit, offset),
    count: (kind) => (count.get(kind ?? null) as { n: number }).n,
    pageSources: PAGE_SOURCES,
    addRecord({ dataset_id, run_id, key: given, created_at, body }, text) {
      const { key, isNew } = placeOf(dataset_id, run_id, given);
      const id = Number(add.run(dataset_id, run_id, key, created_at, jsonOf(body)).lastInsertRowid);
      if (text.title !== '' || text.body !== '') addText.run(id, text.title, text.body);
      return { id, isNew };
    },
    dropOfRun: (datasetId, runId, key) => Number(dropOfRun.run(datasetId, runId, key).changes),
    touch: (id, added, atMs) => void touch.run(added, atMs, id),
    resolveView: (datasetId, view) => views.resolve(datasetId, view),
    sizes(datasetId, view, afterId, limit) {
      const [statement, values] = views.statement(datasetId, views.resolve(datasetId, view));
      return allRowsNamed<RecordSize>(statement, { ...values, afterId, limit });
    },
    sizesOfRun: (runId, afterId, limit) => allRows<RecordSize>(ofRun, runId, afterId, limit),
    isLive: (id) => live.get(id) !== undefined,
    rename: (id, name) => void rename.run(name, id),
    deleteSome: (id, limit) => Number(deleteSome.run(id, limit).changes),
    deleteEmpty: (id) =>
      transaction(fast, () => {
        if (filled.get(id)) return false;
        leave.run(id);
        return remove.run(id).changes === 1;
      }),
    delete: (id) =>
      transaction(fast, () => {
        if (live.get(id)) return false;
        leave.run(id);
        remove.run(id);
        return true;
      }),
    record: (id) => one.get(id) as RecordRow | undefined,
    entry(id) {
      const row = head.get(id) as (Omit<RecordRow, 'body'> & { readonly bytes: number; readonly small: string | null }) | undefined;
      if (!row) return undefined;
      const { small, ...rest } = row;
      return { ...rest, body: (bytesMax) => (small === null ? readBody(id, row.bytes, bytesMax) : [small]) };
    },
  };
}

/** UTF-8 of the body of record `id`, which has so many bytes, in parts of at most `bytesMax`. Throws when the record is deleted meanwhile. */
export type BodyReader = (id: number, bytes: number, bytesMax: () => number) => Generator<Uint8Array>;

export function createBodyReader(database: DatabaseSync): BodyReader {
  const part = database.prepare('SELECT substr(CAST(body AS BLOB), ?, ?) AS part FROM record WHERE id = ?');
  return function* readBody(id, bytes, bytesMax) {
    for (let at = 0; at < bytes;) {
      const length = Math.min(bytesMax(), bytes - at);
      const row = part.get(at + 1, length, id) as { part: Uint8Array } | undefined;
      if (!row) throw new Error(`Record ${id} was deleted while it was sent.`);
      yield row.part;
      at += length;
    }
  };
}

/** How JSON writes half of a surrogate pair, behind any number of escaped backslashes. */
const HALF_CHARACTER = /(?<!\\)((?:\\\\)*)\\ud[89a-f][\da-f]{2}/g;

/** JSON of a record, well-formed throughout: half a character, which many readers refuse, is one that is unknown. */
function jsonOf(body: NewRecord['body']): string {
  const json = JSON.stringify(body);
  return json.includes('\\ud') ? json.replaceAll(HALF_CHARACTER, '$1\\ufffd') : json;
}
