// Tables over the rows of a dataset: their pages, columns, facets, snapshots and differences, read on one connection.
import type { DatabaseSync } from 'node:sqlite';
import type { DataSnapshot, DataWorkflow } from '@weft/contract';
import type { StateDurations } from '@weft/engine/history';
import type { ColumnsResult, FacetsResult } from './columns.ts';
import { findColumns, findFacets } from './columns.ts';
import type { DiffAsked, RunsDiff } from './diff.ts';
import { diffRuns } from './diff.ts';
import type { FoundIds, PagePlace, SortedRow, TableOrder } from './page.ts';
import { countRows, readIds, readPage } from './page.ts';
import type { Selected, Selection } from './selection.ts';
import { select } from './selection.ts';
import type { SeriesRequest, SeriesResult, StatesRequest } from './series.ts';
import { addUpSeriesStates, readSeries } from './series.ts';
import type { Listed, Part } from './snapshots.ts';
import { listSnapshots, listWorkflows } from './snapshots.ts';

export interface TableRequest {
  readonly selection: Selection;
  readonly order?: TableOrder | undefined;
  readonly after?: PagePlace | undefined;
  readonly limit: number;
}

export interface TableResult extends ColumnsResult {
  readonly rows: readonly SortedRow[];
  /** All rows that match; on the first page alone. */
  readonly total?: number;
  /** The run that is shown, where the view is of one. */
  readonly runId?: number | undefined;
}

export interface FacetsRequest {
  readonly selection: Selection;
  readonly top: number;
}

export interface IdsRequest {
  readonly selection: Selection;
  /** With all earlier rows of the same keys. */
  readonly withReplaced: boolean;
}

export interface SnapshotsRequest extends Part {
  readonly datasetId: number;
  readonly runIds?: readonly number[] | undefined;
}

/** Each method throws AppError `bad_request` for a selection that can't be made. */
export interface Tables {
  page(request: TableRequest): TableResult;
  facets(request: FacetsRequest): FacetsResult;
  ids(request: IdsRequest): FoundIds;
  snapshots(request: SnapshotsRequest): Listed<DataSnapshot>;
  workflows(part: Part): Listed<DataWorkflow>;
  diff(request: DiffAsked): RunsDiff;
  /** How one value went that is recorded under keys with one beginning. */
  series(request: SeriesRequest): SeriesResult;
  /** The states of such a value. */
  states(request: StatesRequest): StateDurations;
}

/** Columns of so many views are remembered. */
const REMEMBERED_VIEWS = 50;

export function createTables(database: DatabaseSync): Tables {
  const remembered = new Map<string, { readonly print: string; readonly found: ColumnsResult }>();
  /** Reading every row for them takes seconds where there are a million, so they are found once for as long as the view holds the same rows. */
  const columnsOf = ({ datasetId, view }: Selection): ColumnsResult => {
    const whole = select(database, { datasetId, view });
    const name = JSON.stringify([datasetId, whole.runId ?? view]);
    const print = printOf(whole);
    const known = remembered.get(name);
    remembered.delete(name);
    const found = known?.print === print ? known.found : findColumns(bodiesOf(whole));
    remembered.set(name, { print, found });
    for (const [oldest] of remembered) if (remembered.size > REMEMBERED_VIEWS) remembered.delete(oldest);
    return found;
  };
  return {
    page: ({ selection, order, after, limit }) =>
      atOneMoment(database, () => {
        const selected = select(database, selection);
        return {
          ...columnsOf(selection),
          rows: readPage(selected, order, after, limit),
          ...(after ? {} : { total: countRows(selected) }),
          runId: selected.runId,
        };
      }),
    facets: ({ selection, top }) => findFacets(bodiesOf(select(database, selection)), top),
    ids: ({ selection, withReplaced }) => atOneMoment(database, () => readIds(select(database, selection), withReplaced)),
    snapshots: ({ datasetId, runIds, ...part }) => atOneMoment(database, () => listSnapshots(database, datasetId, part, runIds)),
    workflows: (part) => atOneMoment(database, () => listWorkflows(database, part)),
    diff: (request) => atOneMoment(database, () => diffRuns(database, request)),
    series: (request) => atOneMoment(database, () => readSeries(database, request)),
    states: (request) => addUpSeriesStates(database, request),
  };
}

/** JSON of each row, in the order in which they came. */
function* bodiesOf(selected: Selected): Generator<string> {
  const [statement, values] = selected.prepare((condition) => `SELECT body FROM record WHERE ${condition} ORDER BY id`);
  statement.setReturnArrays(true);
  for (const { 0: body } of statement.iterate(values)) yield body as string;
}

/** Tells which rows there are by their ids alone: rows are never changed. The factor spreads neighbours, so that exchanged rows do not cancel out. */
function printOf(selected: Selected): string {
  const [statement, values] = selected.prepare(
    (condition) =>
      `SELECT count(*) AS n, ifnull(sum((id * 2654435761) & 4294967295), 0) AS spread, ifnull(max(id), 0) AS last FROM record WHERE ${condition}`,
  );
  return JSON.stringify(statement.get(values));
}

/** What several statements read, another connection may change between them. */
function atOneMoment<T>(database: DatabaseSync, read: () => T): T {
  database.exec('BEGIN');
  try {
    return read();
  } finally {
    database.exec('COMMIT');
  }
}
