// Which rows of a dataset are meant, as SQL on `record`. Names of columns and values are bound, never written into it.
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { AppError } from '@weft/contract';
import type { DataFilter } from '@weft/contract';
import { parseQuery } from '../match-query.ts';
import type { RecordView } from '../view-store.ts';
import { prepareViews } from '../view-store.ts';

/** Rows of one view of a dataset for which all filters hold. */
export interface Selection {
  readonly datasetId: number;
  readonly view: RecordView;
  /** None unless said. */
  readonly filters?: readonly DataFilter[] | undefined;
  readonly q?: string | undefined;
  readonly key?: string | undefined;
}

/** Statements over what is selected. */
export interface Selected {
  /** The run that is shown, where the view is of one. */
  readonly runId: number | undefined;
  /** The statement that `sql` makes of the condition on `record`, with the values for it. */
  prepare(sql: (condition: string) => string): readonly [StatementSync, Readonly<Record<string, SQLInputValue>>];
}

/** Throws AppError `bad_request` for words that can't be searched for, or that are asked of rows which the index does not hold. */
export function select(database: DatabaseSync, selection: Selection): Selected {
  const { datasetId, filters = [], q, key } = selection;
  const views = prepareViews(database, (condition) => `SELECT 1 FROM record WHERE ${condition}`);
  const view = views.resolve(datasetId, selection.view);
  const conditions = filters.map((filter, i) => conditionOf(filter, `$path${i}`, `$value${i}`));
  const values: Record<string, SQLInputValue> = Object.assign({}, ...filters.map(valuesOf));
  if (q !== undefined) {
    requireIndexed(views.resolve(datasetId, 'newest'), view);
    conditions.push('id IN (SELECT rowid FROM record_text WHERE record_text MATCH $expression)');
    values['expression'] = parseQuery(q).expression;
  }
  if (key !== undefined) {
    conditions.push('key = $key');
    values['key'] = key;
  }
  const isOneRun = typeof view === 'object';
  return {
    runId: isOneRun ? view.runId : undefined,
    prepare(sql) {
      const all = prepareViews(database, (condition) => sql([condition, ...conditions].join(' AND ')));
      const [statement, own] = all.statement(datasetId, view);
      return [statement, { ...own, ...values }];
    },
  };
}

/** The index holds the default view and nothing else. */
function requireIndexed(shown: RecordView, asked: RecordView): void {
  const isShown = typeof shown === 'object' ? typeof asked === 'object' && asked.runId === shown.runId : asked === shown;
  if (!isShown)
    throw new AppError(
      'bad_request',
      '"q" finds rows of the default view alone; leave out "run_id" and "snapshot", or use "filter" with contains.',
    );
}

/** How JSON paths name a member, whatever it is called. */
export function pathOf(column: string): string {
  return `$.${JSON.stringify(column)}`;
}

/** The text of a cell as CSV shows it; NULL where it is empty. */
function textAt(path: string): string {
  return `CASE json_type(body, ${path}) WHEN 'text' THEN body ->> ${path} WHEN 'null' THEN NULL ELSE body -> ${path} END`;
}

const isEmpty = (path: string) => `ifnull(json_type(body, ${path}), 'null') = 'null'`;
const isNumber = (path: string) => `json_type(body, ${path}) IN ('integer', 'real')`;
/** As the double that it was; SQLite would read long integers as its own. */
const numberAt = (path: string) => `CAST(body ->> ${path} AS REAL)`;

function conditionOf(filter: DataFilter, path: string, value: string): string {
  if (filter.op === 'exists') return filter.value === false ? isEmpty(path) : `NOT (${isEmpty(path)})`;
  if (filter.op === 'contains') return `ifnull(instr(lower(${textAt(path)}), lower(${value})) > 0, 0)`;
  if (filter.op === 'eq') return equals(filter.value, path, value);
  if (filter.op === 'ne') return `NOT (${equals(filter.value, path, value)})`;
  const sign = filter.op === 'gt' ? '>' : '<';
  return typeof filter.value === 'number'
    ? `ifnull(${isNumber(path)} AND ${numberAt(path)} ${sign} ${value}, 0)`
    : `ifnull(json_type(body, ${path}) = 'text' AND body ->> ${path} ${sign} ${value}, 0)`;
}

function equals(wanted: string | number | boolean | null, path: string, value: string): string {
  if (wanted === null) return isEmpty(path);
  if (typeof wanted === 'boolean') return `ifnull(json_type(body, ${path}) = '${wanted}', 0)`;
  return typeof wanted === 'number'
    ? `ifnull(${isNumber(path)} AND ${numberAt(path)} = ${value}, 0)`
    : `ifnull(${textAt(path)} = ${value}, 0)`;
}

/** What a condition binds: a value that stands in it as words is none. */
function valuesOf({ column, value }: DataFilter, i: number): Readonly<Record<string, SQLInputValue>> {
  const path = { [`path${i}`]: pathOf(column) };
  return typeof value === 'string' || typeof value === 'number' ? { ...path, [`value${i}`]: value } : path;
}
