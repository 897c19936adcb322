// Full-text search: the index finds and ranks, the records give what is shown.
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { SearchHit } from '@weft/contract';
import { parseQuery } from '../match-query.ts';
import { PAGE_SOURCES } from '../store.ts';
import type { FoundRecord } from './hit.ts';
import { toHit } from './hit.ts';
import type { SearchRequest, SearchResult } from './messages.ts';

const PAGES = PAGE_SOURCES.map((kind) => `'${kind}'`).join(', ');
/** The columns of a search; a type of its own, since the compiler takes no interface for a row of SQLite. */
type FoundRow = Pick<FoundRecord, keyof FoundRecord> & { readonly uptoId: number; readonly isPage: number };
/** Only the stretch of the index in which records of one source stand is read, and of it those that are of that source. */
const within = (index: string, condition: string) =>
  `rowid BETWEEN (SELECT min(id) FROM record INDEXED BY ${index} WHERE ${condition})
    AND (SELECT max(id) FROM record INDEXED BY ${index} WHERE ${condition})
    AND EXISTS (SELECT 1 FROM record INDEXED BY ${index} WHERE ${condition} AND id = record_text.rowid)`;
/** What each filter asks of a found record; all of them read its indexes or its first bytes only. */
const FILTERS = {
  datasetId: within('record_newest', 'dataset_id = $datasetId AND is_newest = 1'),
  runId: within('record_by_run', 'run_id = $runId'),
  sinceMs: '(SELECT created_at FROM record WHERE id = record_text.rowid) >= $sinceMs',
  untilMs: '(SELECT created_at FROM record WHERE id = record_text.rowid) < $untilMs',
  site: `(SELECT host = $site OR host LIKE '%.' || $site OR host LIKE $site || ':%' OR host LIKE '%.' || $site || ':%'
    FROM (SELECT substr(rest, 1, instr(rest || '/', '/') - 1) AS host
      FROM (SELECT substr(key, instr(key, '://') + 3) AS rest FROM record WHERE id = record_text.rowid AND instr(key, '://') > 0)))`,
  kind: `(SELECT source_kind IN (${PAGES}) FROM record JOIN dataset ON dataset.id = dataset_id WHERE record.id = record_text.rowid) = ($kind = 'pages')`,
} as const;
type FilterName = keyof typeof FILTERS;
/** Rows of a live run, and of one that was replaced a moment ago, stand in the index and are not found (D24). */
const SHOWN = `(SELECT run_id FROM record WHERE id = record_text.rowid) NOT IN (SELECT run_id FROM dataset_run WHERE is_hidden = 1)`;

export interface Search {
  /** Throws AppError `bad_request` for a text without words. */
  run(request: SearchRequest): SearchResult;
  /** True when the answer is a matter of a few milliseconds. Beginnings never are. */
  isQuick(request: SearchRequest): boolean;
}

/** Ranking reads every place of every word in every record that holds them all: some milliseconds for so many. */
const QUICK_RECORDS = 5000;
/** In how many records each word stands is counted too, however few hold them all: a few milliseconds for a word that is in all of these. */
const COUNTED_RECORDS = 200_000;
/** Each record that is shown is read and parsed. */
const QUICK_LIMIT = 50;

/** So many of the other datasets that hold a page are named. */
const TWINS_SHOWN = 20;
/** Pages that many crawls hold are passed over in so many steps; the answer is shorter then, and goes on. */
const STEPS_MAX = 5;

/** The next records of a search, each page once where `isAcross` datasets; `next` is where they go on, undefined at the end. */
function eachOnce(
  read: (uptoId: number, offset: number) => readonly FoundRow[],
  { limit, offset, uptoId: given }: Pick<SearchRequest, 'limit' | 'offset' | 'uptoId'>,
  isAcross: boolean,
): { readonly shown: readonly FoundRow[]; readonly next: number | undefined; readonly uptoId: number } {
  const shown = new Map<string | number, FoundRow>();
  let [next, uptoId] = [offset, given];
  for (let step = 0; step < STEPS_MAX; step++) {
    const rows = read(uptoId, next);
    uptoId = rows[0]?.uptoId ?? uptoId;
    for (const row of rows) {
      const name = isAcross && row.isPage === 1 ? row.key : row.id;
      if (!shown.has(name) && shown.size === limit) return { shown: [...shown.values()], next, uptoId };
      if (!shown.has(name)) shown.set(name, row);
      next++;
    }
    if (rows.length <= limit) return { shown: [...shown.values()], next: undefined, uptoId };
  }
  return { shown: [...shown.values()], next, uptoId };
}

/** Answers searches on `database`. */
export function prepareSearch(database: DatabaseSync): Search {
  const statements = new Map<string, StatementSync>();
  const newestId = database.prepare('SELECT ifnull(max(id), 0) AS id FROM record');
  const begin = database.prepare('BEGIN');
  const end = database.prepare('COMMIT');
  const hidden = database.prepare('SELECT 1 FROM dataset_run WHERE is_hidden = 1 LIMIT 1');
  const beyond = database.prepare(`SELECT 1 FROM record_text WHERE record_text MATCH ? LIMIT 1 OFFSET ${QUICK_RECORDS}`);
  const twins = database.prepare(
    `SELECT dataset.id, dataset.name, record.id AS record_id FROM dataset
     CROSS JOIN record INDEXED BY record_by_key ON record.dataset_id = dataset.id AND record.key = ?1 AND record.is_newest = 1
     WHERE source_kind IN (${PAGES}) AND record.id <> ?2 ORDER BY record.id DESC LIMIT ${TWINS_SHOWN}`,
  );
  const isRare = (word: string) => !beyond.get(`"${word}"`);
  return {
    isQuick({ q, limit }) {
      if (limit > QUICK_LIMIT) return false;
      const { terms, hasOperators } = parseQuery(q);
      if (hasOperators) return false;
      if (terms.some(({ isPrefix }) => isPrefix)) return false;
      const words = terms.flatMap((term) => term.words);
      // A phrase is looked for in all records that hold its words, whatever else is asked for.
      const isOneEnough = words.length === terms.length && (newestId.get() as { id: number }).id <= COUNTED_RECORDS;
      return isOneEnough ? words.some(isRare) : words.every(isRare);
    },
    run(request) {
      const { expression, terms } = parseQuery(request.q);
      const names = (Object.keys(FILTERS) as FilterName[]).filter((name) => request[name] !== undefined);
      const given = Object.fromEntries(names.map((name) => [name, request[name] as SQLInputValue]));
      const read = (uptoId: number, offset: number) =>
        atOneMoment(() => {
          // Mostly there are none, and to ask it of each hit would take longer.
          const conditions = hidden.get() ? [...names.map((name) => FILTERS[name]), SHOWN] : names.map((name) => FILTERS[name]);
          return searching(conditions).all({ ...given, expression, uptoId, limit: request.limit + 1, offset }) as FoundRow[];
        });
      const isAcross = request.datasetId === undefined && request.runId === undefined;
      const { shown, next, uptoId } = eachOnce(read, request, isAcross);
      const hits = shown.map((record) => ({ ...toHit(record, terms), ...(isAcross && record.isPage === 1 ? alsoIn(record) : {}) }));
      return { hits, nextOffset: next, uptoId };
    },
  };

  /** Other datasets that hold the page. */
  function alsoIn({ id, key }: FoundRow): Pick<SearchHit, 'also'> {
    const rows = twins.all(key, id) as { id: number; name: string; record_id: number }[];
    return rows.length === 0 ? {} : { also: rows.map(({ record_id, ...dataset }) => ({ dataset, record_id })) };
  }

  /** What two statements read, another connection may change between them. */
  function atOneMoment<T>(read: () => T): T {
    begin.run();
    try {
      return read();
    } finally {
      end.run();
    }
  }

  function searching(conditions: readonly string[]): StatementSync {
    const sql = searchSql(conditions);
    const known = statements.get(sql);
    const statement = known ?? database.prepare(sql);
    if (!known) statements.set(sql, statement);
    return statement;
  }
}

/**
 * The best records first, read only once it is known which they are. `bm25` is named, with the weights of title and body, instead of the
 * column `rank`: that one sorts every hit with all its places, where a sort with a limit keeps the best few (half the time, measured).
 */
function searchSql(conditions: readonly string[]): string {
  const filters = conditions.map((condition) => ` AND ${condition}`).join('');
  return `
    WITH moment (uptoId) AS MATERIALIZED (SELECT iif($uptoId > 0, $uptoId, (SELECT ifnull(max(id), 0) FROM record))),
    best AS MATERIALIZED (
      SELECT rowid AS id, bm25(record_text, 10.0, 1.0) AS score FROM record_text
      WHERE record_text MATCH $expression AND rowid <= (SELECT uptoId FROM moment)${filters}
      ORDER BY score, rowid LIMIT $limit OFFSET $offset
    )
    SELECT record.id, dataset_id, name, key, run_id, record.created_at, body, score, (SELECT uptoId FROM moment) AS uptoId,
      source_kind IN (${PAGES}) AS isPage
    FROM best CROSS JOIN record ON record.id = best.id CROSS JOIN dataset ON dataset.id = dataset_id
    ORDER BY score, record.id`;
}
