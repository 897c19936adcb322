// Full-text search: the index finds and ranks, the records give what is shown.
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { SearchHit } from '@weft/contract';
import { parseQuery } from '../match-query.ts';
import type { SearchTerm } from '../match-query.ts';
import { searchTextOf } from '../search-text.ts';
import { findSnippet } from '../snippet.ts';
import { PAGE_SOURCES } from '../store.ts';
import type { SearchRequest, SearchResult } from './messages.ts';

interface HitRow {
  readonly id: number;
  readonly dataset_id: number;
  readonly name: string;
  readonly key: string;
  readonly run_id: number;
  readonly created_at: number;
  readonly body: string;
}

/** A member that is longer as JSON is not shown in an answer. */
const MEMBER_CHARS_MAX = 500;

const PAGES = PAGE_SOURCES.map((kind) => `'${kind}'`).join(', ');
/** What each filter asks of a found record; all of them read its indexes or its first bytes only. */
const FILTERS = {
  datasetId:
    'EXISTS (SELECT 1 FROM record INDEXED BY record_newest WHERE dataset_id = $datasetId AND is_newest = 1 AND id = record_text.rowid)',
  runId: 'EXISTS (SELECT 1 FROM record INDEXED BY record_by_run WHERE run_id = $runId AND id = record_text.rowid)',
  sinceMs: '(SELECT created_at FROM record WHERE id = record_text.rowid) >= $sinceMs',
  untilMs: '(SELECT created_at FROM record WHERE id = record_text.rowid) < $untilMs',
  kind: `(SELECT source_kind IN (${PAGES}) FROM record JOIN dataset ON dataset.id = dataset_id WHERE record.id = record_text.rowid) = ($kind = 'pages')`,
} as const;
type FilterName = keyof typeof FILTERS;

export interface Search {
  /** Throws AppError `bad_request` for a text without words. */
  run(request: SearchRequest): SearchResult;
  /** True when the answer is a matter of a few milliseconds: few records hold each word. Beginnings are never quick. */
  isQuick(request: SearchRequest): boolean;
}

/** Ranking reads every place of every word, so rare words make a quick search: some ten milliseconds at the most. */
const QUICK_RECORDS_PER_WORD = 5000;
/** Each record that is shown is read and parsed. */
const QUICK_LIMIT = 50;

/** Answers searches on `database`. */
export function prepareSearch(database: DatabaseSync): Search {
  const statements = new Map<string, StatementSync>();
  const newestId = database.prepare('SELECT ifnull(max(id), 0) AS id FROM record');
  const find = database.prepare(
    `SELECT record.id, dataset_id, name, key, run_id, record.created_at, body FROM record JOIN dataset ON dataset.id = dataset_id WHERE record.id = ?`,
  );
  const matching = (names: readonly FilterName[]): StatementSync => {
    const filters = names.map((name) => ` AND ${FILTERS[name]}`).join('');
    const known = statements.get(filters);
    const statement = known ?? database.prepare(matchSql(filters));
    if (!known) statements.set(filters, statement);
    return statement;
  };

  const beyond = database.prepare(`SELECT 1 FROM record_text WHERE record_text MATCH ? LIMIT 1 OFFSET ${QUICK_RECORDS_PER_WORD}`);

  return { run, isQuick };

  function isQuick({ q, limit }: SearchRequest): boolean {
    if (limit > QUICK_LIMIT) return false;
    const { terms } = parseQuery(q);
    return terms.every(({ words, isPrefix }) => !isPrefix && words.every((word) => !beyond.get(`"${word}"`)));
  }

  function run(request: SearchRequest): SearchResult {
    const { expression, terms } = parseQuery(request.q);
    database.exec('BEGIN');
    try {
      const uptoId = request.uptoId || (newestId.get() as { id: number }).id;
      const names = (Object.keys(FILTERS) as FilterName[]).filter((name) => request[name] !== undefined);
      const given = Object.fromEntries(names.map((name) => [name, request[name] as SQLInputValue]));
      const values = { ...given, expression, uptoId, limit: request.limit + 1, offset: request.offset };
      const found = matching(names).all(values) as { id: number; rank: number }[];
      const hits = found.slice(0, request.limit).flatMap(({ id, rank }) => {
        const row = find.get(id) as HitRow | undefined;
        return row ? [toHit(row, -rank, terms)] : [];
      });
      return { hits, hasMore: found.length > request.limit, uptoId };
    } finally {
      database.exec('COMMIT');
    }
  }
}

function matchSql(filters: string): string {
  return `SELECT rowid AS id, rank FROM record_text WHERE record_text MATCH $expression AND rowid <= $uptoId${filters}
    ORDER BY rank LIMIT $limit OFFSET $offset`;
}

function toHit(row: HitRow, score: number, terms: readonly SearchTerm[]): SearchHit {
  const data = JSON.parse(row.body) as Readonly<Record<string, unknown>>;
  const { title, url } = data;
  return {
    dataset: { id: row.dataset_id, name: row.name },
    record_id: row.id,
    key: row.key,
    run_id: row.run_id,
    created_at: new Date(row.created_at).toISOString(),
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof url === 'string' ? { url } : {}),
    ...findSnippet(searchTextOf(data).body, terms),
    score,
    data: Object.fromEntries(Object.entries(data).filter(([, value]) => isShort(value))),
  };
}

function isShort(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= MEMBER_CHARS_MAX;
  return typeof value !== 'object' || JSON.stringify(value).length <= MEMBER_CHARS_MAX;
}
