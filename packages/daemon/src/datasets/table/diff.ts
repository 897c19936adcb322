// What differs between the rows of two runs. SQLite pairs them on disk, so that memory does not grow with the runs.
import type { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { DATA_COLUMNS_MAX } from '@weft/contract';
import type { DataChange, DataDiff } from '@weft/contract';
import { isOnlyOlder } from '@weft/engine';
import { cellOf, shownCell } from './cell.ts';
import type { Part } from './snapshots.ts';

export interface DiffAsked extends Part {
  readonly datasetId: number;
  readonly from: number;
  readonly to: number;
  /** They are pages: compared by what they say, and one that the newer run could not read is not gone. */
  readonly isPages?: boolean;
}

/** What differs, and how many records of the older run the newer one could not read. */
export interface RunsDiff extends Omit<DataDiff, 'changes'> {
  readonly unread: number;
  readonly changes: readonly RecordChange[];
}

/** A change, with the record of the older run where both have one. */
export interface RecordChange {
  readonly change: DataChange;
  readonly olderId: number | undefined;
}

/** A row of each run, or of one of them, under one key. */
interface Pair {
  readonly key: string;
  readonly fromId: number | null;
  readonly toId: number | null;
}

/** The last row of each key, paired by key. */
const BY_KEY = `
  WITH older AS (SELECT key, max(id) AS id FROM record WHERE run_id = $from AND +dataset_id = $datasetId GROUP BY key),
  newer AS (SELECT key, max(id) AS id FROM record WHERE run_id = $to AND +dataset_id = $datasetId GROUP BY key)`;
/**
 * The n-th row of a content in one run has that of the other run as its pair; `alone` has the rows that found none. What is left of both is
 * paired by the position in its run.
 */
const BY_CONTENT = `
  WITH side AS (
    SELECT id, key, body, run_id = $to AS isNewer, row_number() OVER (PARTITION BY run_id, body ORDER BY id) AS n
    FROM record WHERE run_id IN ($from, $to) AND +dataset_id = $datasetId
  ),
  alone AS MATERIALIZED (SELECT min(id) AS id, min(key) AS key, min(isNewer) AS isNewer FROM side GROUP BY body, n HAVING count(*) = 1),
  older AS (SELECT key, id FROM alone WHERE isNewer = 0),
  newer AS (SELECT key, id FROM alone WHERE isNewer = 1)`;
const PAIRS = `
  SELECT coalesce(newer.key, older.key) AS key, older.id AS fromId, newer.id AS toId
  FROM older FULL JOIN newer ON newer.key = older.key ORDER BY newer.id IS NULL, newer.id, older.id`;

/** All counts, and `limit` of the changes from `offset` on. */
export function diffRuns(database: DatabaseSync, { datasetId, from, to, limit, offset, isPages = false }: DiffAsked): RunsDiff {
  const isByKey =
    (database.prepare('SELECT newest_run_id AS runId FROM dataset WHERE id = ?').get(datasetId) as { runId: number | null }).runId === null;
  const body = database.prepare('SELECT body FROM record WHERE id = ?');
  const textOf = (id: number) => {
    const { body: text } = body.get(id) as { body: string };
    return isPages ? JSON.stringify(saidBy(parse(text))) : text;
  };
  const isUnread = isPages ? unreadOf(database, to) : () => false;
  const counts = { new: 0, gone: 0, changed: 0, equal: 0 };
  let unread = 0;
  const changes: RecordChange[] = [];
  let paired = 0;
  let place = 0;
  const pairs = database.prepare(`${isByKey ? BY_KEY : BY_CONTENT} ${PAIRS}`).iterate({ datasetId, from, to });
  for (const row of pairs as Iterable<unknown>) {
    const { key, fromId, toId } = row as Pair;
    if (fromId !== null) paired++;
    const older = fromId === null ? undefined : textOf(fromId);
    const newer = toId === null ? undefined : textOf(toId);
    const change = changeOf(older, newer, isPages);
    if (change === 'gone' && isUnread(key)) {
      unread++;
      continue;
    }
    counts[change]++;
    if (change === 'equal') continue;
    if (place++ >= offset && changes.length < limit)
      changes.push({
        change: { change, key, record_id: toId ?? fromId ?? 0, fields: fieldsOf(parse(older), parse(newer)) },
        olderId: change === 'changed' ? (fromId ?? undefined) : undefined,
      });
  }
  // Rows that found their like never came here.
  if (!isByKey) {
    const ofRun = database.prepare('SELECT count(*) AS n FROM record WHERE run_id = ? AND +dataset_id = ?').get(from, datasetId);
    counts.equal += (ofRun as { n: number }).n - paired;
  }
  return { from, to, matched_by: isByKey ? 'key' : 'content_and_position', ...counts, unread, changes };
}

/** What a page says, by the first of these that was kept of it; how it was fetched differs each time, and says nothing of it. */
const SAYINGS = [
  ['markdown', 'text', 'records', 'product'],
  ['html'],
  ['links', 'images'],
  ['structured', 'forms'],
  ['content_hash'],
] as const;

function saidBy(page: Members): Members {
  const kept = SAYINGS.find((names) => names.some((name) => Object.hasOwn(page, name))) ?? [];
  return Object.fromEntries(['title', ...kept].filter((name) => Object.hasOwn(page, name)).map((name) => [name, page[name]]));
}

/** Whether a crawl knew an address and could not read it: failed, left out by a limit, or never asked for. What answers 404 or 410 is gone. */
function unreadOf(database: DatabaseSync, runId: number): (url: string) => boolean {
  let unread: ReadonlySet<string> | undefined;
  const read = () => {
    const rows = database
      .prepare(
        `SELECT url FROM crawl_url WHERE run_id = ? AND (state = 'pending' OR (state = 'skipped' AND reason IN ('limit', 'timeout', 'cancelled'))
           OR (state = 'failed' AND ifnull(status, 0) NOT IN (404, 410)))`,
      )
      .all(runId) as { url: string }[];
    return new Set(rows.map(({ url }) => url));
  };
  return (url) => (unread ??= read()).has(url);
}

/** A page on which only "2 minutes ago" has become "an hour ago" says what it said. */
function changeOf(older: string | undefined, newer: string | undefined, isPages: boolean): DataChange['change'] | 'equal' {
  if (older === undefined) return 'new';
  if (newer === undefined) return 'gone';
  if (older === newer) return 'equal';
  const [before, after] = [parse(older), parse(newer)];
  return isDeepStrictEqual(before, after) || (isPages && isOnlyOlder(before, after)) ? 'equal' : 'changed';
}

type Members = Readonly<Record<string, unknown>>;

function parse(body: string | undefined): Members {
  return body === undefined ? {} : (JSON.parse(body) as Members);
}

function fieldsOf(older: Members, newer: Members): DataChange['fields'] {
  const names = new Set([...Object.keys(older), ...Object.keys(newer)]);
  const differing = [...names].filter((name) => !isDeepStrictEqual(memberOf(older, name), memberOf(newer, name)));
  return differing.slice(0, DATA_COLUMNS_MAX).map((name) => ({ name, ...sideOf('from', older, name), ...sideOf('to', newer, name) }));
}

function memberOf(row: Members, name: string): unknown {
  return Object.hasOwn(row, name) ? row[name] : undefined;
}

/** Absent where the row has no such member. */
function sideOf(side: 'from' | 'to', row: Members, name: string): Readonly<Partial<Record<'from' | 'to', unknown>>> {
  if (!Object.hasOwn(row, name)) return {};
  const cell = cellOf(row[name]);
  return { [side]: cell === undefined ? null : shownCell(cell) };
}
