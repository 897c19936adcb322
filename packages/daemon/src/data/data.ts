// Data of workflows: tables over the rows of their runs, what differs between these, their deletion and their export (D24).
import { AppError, LIMITS, parseDataFilters } from '@weft/contract';
import type { DataDiff, DataFacet, DataSnapshot, DataWorkflow, FileFormat, JsonParts } from '@weft/contract';
import type { Datasets, ViewQuery } from '../datasets/dataset.ts';
import { viewOf } from '../datasets/dataset.ts';
import type { DatasetReader } from '../datasets/reader/reader.ts';
import { takeSlice } from '../datasets/slice.ts';
import type { ColumnsResult } from '../datasets/table/columns.ts';
import type { Selection } from '../datasets/table/selection.ts';
import type { Listed, Part } from '../datasets/table/snapshots.ts';
import type { DatasetUpkeep } from '../datasets/upkeep.ts';
import { writeParquet } from '../files/parquet.ts';
import type { Workflows } from '../workflows/workflow.ts';
import { formatTableCursor, parseTableCursor } from './table-cursor.ts';

/** Which rows are meant. */
export interface DataQuery extends ViewQuery {
  /** JSON of a list of DataFilter. */
  readonly filter?: string | undefined;
  readonly q?: string | undefined;
}

export interface TableQuery extends DataQuery {
  readonly sort?: string | undefined;
  readonly order?: 'asc' | 'desc' | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface DeleteQuery extends DataQuery {
  readonly key?: string | undefined;
  readonly dry_run?: boolean | undefined;
}

export interface SnapshotsQuery {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

export interface DataExportQuery extends DataQuery {
  readonly format?: FileFormat | undefined;
  readonly spreadsheet_safe?: boolean | undefined;
  readonly bom?: boolean | undefined;
  readonly fields?: readonly string[] | undefined;
}

/** A page of a table; its rows are read as they are taken. */
export interface DataPage extends ColumnsResult {
  readonly count: number;
  readonly total: number | undefined;
  readonly nextCursor: string | undefined;
  readonly items: Iterable<JsonParts>;
}

/** Each method that names a workflow throws AppError `not_found`; each that selects rows `bad_request` for what can't be selected. */
export interface WorkflowData {
  /** Workflows that have rows, the one with the newest row first. */
  list(part: { readonly limit?: number | undefined; readonly offset?: number | undefined }): Promise<Listed<DataWorkflow>>;
  table(id: number, query: TableQuery): Promise<DataPage>;
  facets(
    id: number,
    query: DataQuery & { readonly top?: number | undefined },
  ): Promise<{ readonly rows: number; readonly columns: readonly DataFacet[]; readonly hasMoreColumns: boolean }>;
  /** Newest first; the two that are compared where there are two. Throws AppError `not_found` for one of them without rows here. */
  snapshots(id: number, query: SnapshotsQuery): Promise<Listed<DataSnapshot> & { readonly diff?: DataDiff }>;
  /** How many records went, or would. Throws AppError `conflict` while one of them is of a live run. */
  delete(id: number, query: DeleteQuery): Promise<number>;
  /** What the rows are called, and their bytes, of which the first are there. */
  export(
    id: number,
    query: DataExportQuery,
    signal: AbortSignal,
  ): Promise<{ readonly name: string; readonly bytes: AsyncIterable<Uint8Array> }>;
}

export interface DataPorts {
  readonly workflows: Pick<Workflows, 'require'>;
  readonly datasets: Datasets;
  readonly reader: DatasetReader;
  readonly upkeep: DatasetUpkeep;
  /** Where programs may put what they need for a moment. */
  readonly scratch: string;
}

const TOP_DEFAULT = 10;
/** More runs than any retention keeps. */
const ALL = { limit: 1_000_000_000, offset: 0 };

export function createWorkflowData({ workflows, datasets, reader, upkeep, scratch }: DataPorts): WorkflowData {
  const { tables } = reader;
  const datasetOf = (id: number) => workflows.require(String(id)).dataset_id;
  const deleteAll = async (datasetId: number, isDry: boolean): Promise<number> => {
    const { data } = await tables.snapshots({ datasetId, ...ALL });
    const live = data.find(({ status }) => status === 'queued' || status === 'running' || status === 'waiting_human');
    if (live) throw isLive(live.run_id);
    if (isDry) return data.reduce((sum, { rows }) => sum + rows, 0);
    // The oldest first, so that none comes back when a newer one goes.
    let deleted = 0;
    for (const { run_id } of data.toReversed()) deleted += await upkeep.dropRun(datasetId, run_id);
    return deleted;
  };
  return {
    list: (part) => tables.workflows(partOf(part)),
    async table(id, query) {
      const datasetId = datasetOf(id);
      const { filter, q, sort, order = 'asc', limit = LIMITS.listLimitDefault } = query;
      const list = ['table', id, query.run_id, query.snapshot, filter, q, sort, order];
      const after = query.cursor === undefined ? undefined : parseTableCursor(list, query.cursor);
      // A table goes on in the run that it began in, although a newer one may have replaced that since.
      const view = after && after.runId > 0 ? { runId: after.runId } : viewOf(query);
      const page = await tables.page({
        selection: { datasetId, view, filters: parseDataFilters(filter), q },
        order: sort === undefined ? undefined : { column: sort, isDescending: order === 'desc' },
        after,
        limit: limit + 1,
      });
      const { ids, lastId } = takeSlice(() => page.rows, { afterId: 0, limit });
      const last = page.rows[ids.length - 1];
      return {
        columns: page.columns,
        hasMoreColumns: page.hasMoreColumns,
        count: ids.length,
        total: page.total,
        nextCursor: lastId === undefined || !last ? undefined : formatTableCursor(list, { ...last, runId: page.runId ?? 0 }),
        items: datasets.items(ids),
      };
    },
    facets: async (id, query) => tables.facets({ selection: selectionOf(datasetOf(id), query), top: query.top ?? TOP_DEFAULT }),
    async snapshots(id, query) {
      const datasetId = datasetOf(id);
      const { from, to } = query;
      if (from === undefined && to === undefined) return await tables.snapshots({ datasetId, ...partOf(query) });
      if (from === undefined || to === undefined)
        throw new AppError('bad_request', 'Send both "from" and "to", the older and the newer run, or neither.');
      const both = await tables.snapshots({ datasetId, runIds: [from, to], ...ALL });
      for (const runId of [from, to])
        if (!both.data.some(({ run_id }) => run_id === runId))
          throw new AppError('not_found', `Run ${runId} has no rows of workflow ${id}.`);
      const { unread: _unread, changes, ...diff } = await tables.diff({ datasetId, from, to, ...partOf(query) });
      return { ...both, diff: { ...diff, changes: changes.map(({ change }) => change) } };
    },
    async delete(id, query) {
      const datasetId = datasetOf(id);
      const { run_id, snapshot, filter, q, key, dry_run: isDry = false } = query;
      const selection = { ...selectionOf(datasetId, query), key };
      const isChosen = filter !== undefined || q !== undefined || key !== undefined;
      if (!isChosen && run_id === undefined && snapshot === undefined) return await deleteAll(datasetId, isDry);
      if (!isChosen && run_id !== undefined && !isDry) return await upkeep.dropRun(datasetId, run_id);
      const withReplaced = datasets.isByKey(datasetId) && run_id === undefined && snapshot !== 'all';
      const { ids, liveRunId } = await tables.ids({ selection, withReplaced });
      if (liveRunId !== undefined) throw isLive(liveRunId);
      return isDry ? ids.length : await upkeep.deleteRecords(datasetId, ids);
    },
    async export(id, query, signal) {
      const { name, dataset_id: datasetId } = workflows.require(String(id));
      const { format = 'csv', filter, ...rest } = query;
      const write = (as: Exclude<FileFormat, 'parquet'>) =>
        datasets.export(datasetId, { ...rest, filters: parseDataFilters(filter), format: as }, signal);
      return { name, bytes: await begun(format === 'parquet' ? writeParquet(write('jsonl'), scratch) : write(format)) };
    },
  };
}

function partOf({
  limit = LIMITS.listLimitDefault,
  offset = 0,
}: {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}): Part {
  return { limit, offset };
}

function selectionOf(datasetId: number, query: DataQuery): Selection {
  return { datasetId, view: viewOf(query), filters: parseDataFilters(query.filter), q: query.q };
}

function isLive(runId: number): AppError {
  return new AppError('conflict', `Run ${runId} is live: cancel it, or wait for it, before what it brought is deleted.`);
}

/** The same pieces, once the first one is there: what can't begin is refused before an answer begins. Whoever leaves early ends them. */
async function begun(pieces: AsyncGenerator<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  let first: IteratorResult<Uint8Array> | undefined = await pieces.next();
  const next = async () => {
    const piece = first ?? (await pieces.next());
    first = undefined;
    return piece;
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: () => pieces.return(undefined) }) };
}
