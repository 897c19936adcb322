// Datasets: the catalogue, records by cursor, search, and exports (D24, D25).
import { AppError, LIMITS } from '@weft/contract';
import type { DataFilter, Dataset, DatasetDetail, DatasetRecord, JsonParts, SearchHit } from '@weft/contract';
import { toInstant } from '@weft/serve';
import { formatCursor, parseCursor } from './cursor.ts';
import type { RowChoice } from './export/chosen.ts';
import type { LargeRow } from './export/row.ts';
import { SMALL_ROW_BYTES } from './export/row.ts';
import type { StreamFormat } from './export/write.ts';
import { parseQuery } from './match-query.ts';
import type { DatasetReader } from './reader/reader.ts';
import { eachFound, takeSlice } from './slice.ts';
import type { DatasetRow, DatasetStore, RecordEntry } from './store.ts';
import type { RecordView } from './view-store.ts';

interface Page {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Which records are asked for; a run or a snapshot, not both. */
export interface ViewQuery {
  readonly run_id?: number | undefined;
  readonly snapshot?: 'newest' | 'all' | undefined;
}

export interface SearchQuery extends Page {
  readonly q: string;
  readonly run_id?: number | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly kind?: 'pages' | 'rows' | undefined;
  readonly site?: string | undefined;
}

/** A part of a list that goes on at `next_cursor`. */
export interface Slice<Item> {
  readonly data: Item[];
  readonly count: number;
  readonly next_cursor?: string;
}

export interface ExportQuery extends ViewQuery, RowChoice {
  readonly format: StreamFormat;
  readonly spreadsheet_safe?: boolean | undefined;
  readonly bom?: boolean | undefined;
  /** None unless said. */
  readonly filters?: readonly DataFilter[];
  readonly q?: string | undefined;
}

/** Some records, each read as it is taken. */
export interface RecordsReading {
  readonly count: number;
  readonly next_cursor?: string;
  readonly items: Iterable<JsonParts>;
  /** What each of them holds. */
  readonly rows: Iterable<string | LargeRow>;
}

export interface Datasets {
  list(query: {
    readonly kind?: 'pages' | 'rows' | undefined;
    readonly limit?: number | undefined;
    readonly offset?: number | undefined;
  }): {
    readonly data: Dataset[];
    readonly total: number;
  };
  /** Throws AppError `not_found`. */
  require(id: number): Dataset;
  /** With the schema that its newest records suggest. Throws AppError `not_found`. */
  read(id: number): Promise<DatasetDetail>;
  /** Throws AppError `not_found`, `bad_request` for a bad cursor. */
  records(id: number, query: ViewQuery & Page): RecordsReading;
  /** In dataset `id`, or in all. Throws AppError `not_found`, `bad_request` for a text without words or a bad cursor. */
  search(query: SearchQuery, id?: number): Promise<Slice<SearchHit>>;
  /** The bytes of all records of one moment; nothing is read before the first piece is asked for. Throws AppError `not_found`. */
  export(id: number, query: ExportQuery, signal?: AbortSignal): AsyncGenerator<Uint8Array>;
  /** One record, whole. Throws AppError `not_found`. */
  record(id: number, recordId: number): DatasetRecord;
  /** Records by their ids, each read as it is taken; one that is gone is left out. */
  items(ids: readonly number[]): Iterable<JsonParts>;
  /** Whether its records replace each other by key, or run by run. Throws AppError `not_found`. */
  isByKey(id: number): boolean;
}

export interface DatasetPorts {
  readonly store: DatasetStore;
  readonly reader: DatasetReader;
}

export function createDatasets({ store, reader }: DatasetPorts): Datasets {
  const toDataset = (row: DatasetRow) => describeDataset(row, store.pageSources);
  const requireRow = (id: number): DatasetRow => {
    const row = store.find(id);
    if (!row) throw new AppError('not_found', `There is no dataset ${id}.`);
    return row;
  };
  const findRow = (id: number): string | LargeRow | undefined => {
    const entry = store.entry(id);
    if (!entry) return undefined;
    const body = () => {
      const row = store.record(id);
      if (!row) throw new Error(`Record ${id} was deleted while it was sent.`);
      return row.body;
    };
    return entry.bytes <= SMALL_ROW_BYTES ? body() : { parts: () => entry.body(() => SMALL_ROW_BYTES), body };
  };
  return {
    list(query) {
      const rows = store.list(query.kind, query.limit ?? LIMITS.listLimitDefault, query.offset ?? 0);
      return { data: rows.map(toDataset), total: store.count(query.kind) };
    },
    require: (id) => toDataset(requireRow(id)),
    async read(id) {
      const dataset = toDataset(requireRow(id));
      return { ...dataset, schema: await reader.schema(id) };
    },
    records(id, query) {
      requireRow(id);
      const asked = viewOf(query);
      const list = ['records', id, query.run_id, asked === 'all'];
      const [afterId = 0, runId = 0] = parseCursor(list, query.cursor, 2);
      // A list goes on in the run that it began in, although a newer one may have replaced that since.
      const view = runId > 0 ? { runId } : store.resolveView(id, asked);
      const limit = query.limit ?? LIMITS.listLimitDefault;
      const { ids, lastId } = takeSlice((after, count) => store.sizes(id, view, after, count), { afterId, limit });
      return {
        count: ids.length,
        ...(lastId === undefined ? {} : { next_cursor: formatCursor(list, [lastId, runOf(view)]) }),
        items: eachFound(ids, (recordId) => recordParts(store.entry(recordId))),
        rows: eachFound(ids, findRow),
      };
    },
    async search(query, id) {
      if (id !== undefined) requireRow(id);
      parseQuery(query.q);
      const list = ['search', id, query.q, query.run_id, query.since, query.until, query.kind, query.site];
      const [offset = 0, uptoId = 0] = parseCursor(list, query.cursor, 2);
      const limit = query.limit ?? LIMITS.listLimitDefault;
      const result = await reader.search({ ...filtersOf(query), datasetId: id, limit, offset, uptoId });
      const { nextOffset } = result;
      const next = nextOffset === undefined ? {} : { next_cursor: formatCursor(list, [nextOffset, result.uptoId]) };
      return { data: result.hits, count: result.hits.length, ...next };
    },
    export(id, { filters, q, ...query }, signal) {
      const { name } = requireRow(id);
      const { fields, rows } = query;
      const options = { title: name, isSafe: query.spreadsheet_safe ?? true, hasMark: query.bom ?? false, fields, rows };
      return reader.export({ datasetId: id, view: viewOf(query), filters, q, format: query.format, options }, signal);
    },
    record(id, recordId) {
      requireRow(id);
      const row = store.record(recordId);
      if (row?.dataset_id !== id) throw new AppError('not_found', `There is no record ${recordId} in dataset ${id}.`);
      const { key, run_id, created_at, body } = row;
      return { id: recordId, key, run_id, created_at: toInstant(created_at), data: JSON.parse(body) as DatasetRecord['data'] };
    },
    items: (ids) => eachFound(ids, (id) => recordParts(store.entry(id))),
    isByKey: (id) => requireRow(id).newest_run_id === null,
  };
}

/** The view that is asked for. Throws AppError `bad_request` for two of them. */
export function viewOf({ run_id, snapshot }: ViewQuery): RecordView {
  if (run_id === undefined) return snapshot ?? 'newest';
  if (snapshot !== undefined) throw new AppError('bad_request', 'Send either "run_id" or "snapshot": a run is a snapshot of its own.');
  return { runId: run_id };
}

/** The run that a view shows; 0 where it is not of one run. */
function runOf(view: RecordView): number {
  return typeof view === 'object' ? view.runId : 0;
}

function filtersOf({ q, run_id, since, until, kind, site }: SearchQuery) {
  return {
    q,
    kind,
    site: site?.toLowerCase(),
    runId: run_id,
    sinceMs: since === undefined ? undefined : Date.parse(since),
    untilMs: until === undefined ? undefined : Date.parse(until),
  };
}

function describeDataset(row: DatasetRow, pageSources: readonly string[]): Dataset {
  return {
    id: row.id,
    name: row.name,
    kind: pageSources.includes(row.source_kind) ? 'pages' : 'rows',
    source: { kind: row.source_kind, ...(row.source_id === null ? {} : { id: row.source_id }) },
    source_deleted: row.source_deleted === 1,
    records: row.records,
    created_at: toInstant(row.created_at),
    updated_at: toInstant(row.updated_at),
  };
}

/** JSON of a DatasetRecord. */
function recordParts(entry: RecordEntry | undefined): JsonParts | undefined {
  if (!entry) return undefined;
  const { id, key, run_id, created_at, body } = entry;
  const head = { id, key, run_id, created_at: toInstant(created_at) } satisfies Omit<DatasetRecord, 'data'>;
  return function* parts(bytesMax) {
    yield `${JSON.stringify(head).slice(0, -1)},"data":`;
    yield* body(bytesMax);
    yield '}';
  };
}
