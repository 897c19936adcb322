// Rows that only half a transaction could leave in the database of an agent that was killed.
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';

/** The database of the agent at `home`, for reading; disposing it closes it. */
export function openForReading(home: string) {
  const sql = new DatabaseSync(join(home, 'weft.db'), { readOnly: true, timeout: 5000 });
  return { sql, [Symbol.dispose]: () => sql.close() };
}

/** Ids of the runs that are not settled. */
export function liveRuns(home: string): readonly number[] {
  using database = openForReading(home);
  const rows = database.sql.prepare(`SELECT id FROM run WHERE status NOT IN ('succeeded', 'failed', 'cancelled')`).all();
  return (rows as { id: number }[]).map(({ id }) => id);
}

/** Throws where `sql` is damaged, or holds a row that another one is missing beside. */
export function refuseHalfRows(sql: DatabaseSync): void {
  assert.deepEqual({ ...sql.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' });
  assert.deepEqual(sql.prepare('PRAGMA foreign_key_check').all(), []);
  for (const [what, query] of Object.entries(HALF_ROWS)) assert.deepEqual(sql.prepare(query).all(), [], what);
}

/** Each query must find nothing. */
const HALF_ROWS: Readonly<Record<string, string>> = {
  'a crawl without its run': 'SELECT run_id FROM crawl WHERE run_id NOT IN (SELECT id FROM run)',
  'a crawl run without its crawl': `SELECT id FROM run WHERE kind = 'crawl' AND id NOT IN (SELECT run_id FROM crawl)`,
  'a record without its run': 'SELECT id FROM record WHERE run_id NOT IN (SELECT id FROM run)',
  'a record of another dataset than its run':
    'SELECT record.id FROM record JOIN run ON run.id = run_id WHERE record.dataset_id IS NOT run.dataset_id',
  'an event without its run': 'SELECT run_id FROM run_event WHERE run_id NOT IN (SELECT id FROM run)',
  'a gap in the numbers of events': 'SELECT run_id FROM run_event GROUP BY run_id HAVING max(seq) <> count(*)',
  'a ledger whose sum is wrong': 'SELECT run_id FROM crawl WHERE discovered <> fetched + reused + failed + skipped + pending',
  'a fetched page without its record': `SELECT crawl.run_id FROM crawl LEFT JOIN record ON record.run_id = crawl.run_id GROUP BY crawl.run_id
    HAVING crawl.fetched + crawl.reused <> count(record.id)`,
  'rows that the run does not count': `SELECT run.id FROM run LEFT JOIN record ON record.run_id = run.id GROUP BY run.id
    HAVING run.rows_extracted <> count(record.id)`,
  'a settled run without exactly one finished event': `SELECT run.id FROM run LEFT JOIN run_event e ON e.run_id = run.id AND e.body LIKE '{"type":"finished"%'
    WHERE run.status IN ('succeeded', 'failed', 'cancelled') GROUP BY run.id HAVING count(e.seq) <> 1`,
  'a live run with a finished event': `SELECT run.id FROM run JOIN run_event e ON e.run_id = run.id AND e.body LIKE '{"type":"finished"%'
    WHERE run.status NOT IN ('succeeded', 'failed', 'cancelled')`,
};
