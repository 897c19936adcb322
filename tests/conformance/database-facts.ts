// What a database file says, for comparing it before and after a cut; the file itself is only read.
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { checkRows } from '../campaigns/crawl-kill.ts';

export interface Facts {
  /** Rows of each table that only grows, oldest first. */
  readonly grown: Readonly<Record<string, readonly string[]>>;
  /** Statuses of the runs. */
  readonly statuses: readonly string[];
  readonly records: number;
  /** Paths of the pages that have a record. */
  readonly pages: ReadonlySet<string>;
  /** Paths of the ledger that are settled, and where they led. */
  readonly settled: ReadonlySet<string>;
  /** Whether any row of a table that only grows holds the text. */
  has(text: string): boolean;
}

const GROWING: Readonly<Record<string, string>> = {
  run: 'SELECT id, source_name AS name FROM run ORDER BY id',
  run_event: 'SELECT run_id, seq, body FROM run_event ORDER BY run_id, seq',
  crawl_url: 'SELECT id, url FROM crawl_url ORDER BY id',
  record: 'SELECT id, key, body FROM record ORDER BY id',
  api_key: 'SELECT id, name FROM api_key ORDER BY rowid',
  idempotency: 'SELECT id, effect FROM idempotency ORDER BY rowid',
  file: 'SELECT id, name FROM file ORDER BY position',
};

/** The records of each default view: of each key the newest, or those of the run that is shown. */
const SHOWN = `SELECT record.id, dataset_id, body FROM record JOIN dataset ON dataset.id = dataset_id
  WHERE is_newest = 1 AND ifnull(newest_run_id, run_id) = run_id`;
/** Those of runs that are not to be found yet, or no more. */
const HIDDEN = 'SELECT record.id FROM record JOIN dataset_run USING (dataset_id, run_id) WHERE is_hidden = 1';

/** Queries on records that must find nothing. */
const WRONG_RECORDS: Readonly<Record<string, string>> = {
  'a record without its full text': `SELECT id FROM (${SHOWN}) WHERE body ->> '$.content_hash' IS NULL OR body ->> '$.markdown' <> '' EXCEPT SELECT rowid FROM record_text`,
  'a full text without its record': `SELECT rowid FROM record_text EXCEPT SELECT id FROM (${SHOWN}) EXCEPT ${HIDDEN}`,
  'a dataset that counts wrong': `SELECT id FROM dataset WHERE records <> (SELECT count(*) FROM (${SHOWN}) WHERE dataset_id = dataset.id)`,
};

/** Queries that must find nothing. */
const WRONG_ROWS: Readonly<Record<string, string>> = {
  'a file without its blob': 'SELECT id FROM file WHERE blob_hash NOT IN (SELECT hash FROM blob WHERE uses > 0)',
};

/** Reads a copy of the database at `path` and its WAL. Throws when it is damaged or holds half of a transaction. */
export function readFacts(path: string): Facts {
  const folder = mkdtempSync(join(tmpdir(), 'weft-facts-'));
  for (const ending of ['', '-wal']) if (existsSync(path + ending)) copyFileSync(path + ending, join(folder, `weft.db${ending}`));
  const sql = new DatabaseSync(join(folder, 'weft.db'));
  try {
    checkRows(sql);
    assert.deepEqual(sql.prepare('PRAGMA foreign_key_check').all(), []);
    for (const [what, query] of Object.entries(WRONG_ROWS)) assert.deepEqual(sql.prepare(query).all(), [], what);
    checkRecords(sql);
    return factsOf(sql);
  } finally {
    sql.close();
    rmSync(folder, { recursive: true });
  }
}

/** Throws when views, counts and full-text index don't fit together. */
export function checkRecords(sql: DatabaseSync): void {
  for (const [what, query] of Object.entries(WRONG_RECORDS)) assert.deepEqual(sql.prepare(query).all(), [], what);
  sql.exec(`INSERT INTO record_text (record_text) VALUES ('integrity-check')`);
}

function factsOf(sql: DatabaseSync): Facts {
  const column = (query: string) =>
    sql
      .prepare(query)
      .all()
      .map((row) => String(Object.values(row)[0]));
  const paths = (query: string) => new Set(column(query).map((url) => new URL(url).pathname));
  const grown = Object.fromEntries(
    Object.entries(GROWING).map(([table, query]) => [
      table,
      sql
        .prepare(query)
        .all()
        .map((row) => JSON.stringify(row)),
    ]),
  );
  return {
    grown,
    statuses: column('SELECT status FROM run ORDER BY id'),
    records: grown['record']?.length ?? 0,
    pages: paths('SELECT key FROM record'),
    settled: paths(`SELECT url FROM crawl_url WHERE state <> 'pending' UNION SELECT final_url FROM crawl_url WHERE final_url IS NOT NULL`),
    has: (text) => Object.values(grown).some((rows) => rows.some((row) => row.includes(text))),
  };
}

/** What is lost of each table must be its end. */
export function checkLoss(before: Facts, after: Facts): void {
  for (const [table, rows] of Object.entries(before.grown)) {
    const left = after.grown[table] ?? [];
    assert.deepEqual(left, rows.slice(0, left.length), `${table} lost something that was not its end`);
  }
}
