// Group Data.
import { z } from 'zod';
import { booleanText, csvMark, fieldsText, integerText, listQuery, rowIdText, runIdText } from '../../ids.ts';
import { LIMITS } from '../../limits.ts';
import type { OperationGroup } from '../../operation.ts';
import { json, list } from '../../replies.ts';
import { DatasetRecord, SEARCH_TEXT_MAX } from '../datasets/dataset.ts';
import { FileFormat } from '../files/file.ts';
import { CELL_CHARS_MAX, DATA_COLUMNS_MAX, DataColumn, DataDiff, DataFacet, DataSnapshot, DataWorkflow, dataFilterText } from './data.ts';

const params = z.strictObject({ id: rowIdText });

const CURSOR_MAX = 2000;
const TOP_MAX = 100;

/** Which rows are meant. */
const selection = {
  run_id: runIdText.optional().describe('Only what this run brought.'),
  snapshot: z
    .enum(['newest', 'all'])
    .optional()
    .describe('`newest` unless said: the newest row of each key, or, without a key, the newest settled run; `all` that was ever kept.'),
  filter: dataFilterText
    .optional()
    .describe(
      'JSON: a list of `{column, op, value}` that must all hold. `eq` and `ne`: a number means numbers, a text the cell as CSV shows it, null an ' +
        'empty cell; `ne` is whatever `eq` is not. `contains`: in the cell as CSV shows it, whatever the case of a-z. `gt` and `lt`: a number ' +
        'means numbers, a text means texts. `exists`: the cell is not empty, or is with `value` false.',
    ),
  q: z
    .string()
    .min(1, 'is empty')
    .max(SEARCH_TEXT_MAX, `must be at most ${SEARCH_TEXT_MAX} characters`)
    .optional()
    .describe('Words that must all occur, as in a search of datasets; only where rows of the default view are asked for.'),
};
const hasMoreColumns = z
  .boolean()
  .describe(`True where there are more than ${DATA_COLUMNS_MAX} columns; the others are left out here, not in the rows.`);

/** The rows as a page of a table. */
const DataTable = z
  .strictObject({
    columns: z.array(DataColumn).describe('Of all rows of the view, whatever the filters, in the order in which they were first seen.'),
    has_more_columns: hasMoreColumns,
    data: z.array(DatasetRecord),
    count: z.int().min(0).describe('Length of `data`.'),
    total: z.int().min(0).optional().describe('All rows that match; on the first page alone.'),
    next_cursor: z.string().optional().describe('Send as `cursor` for what follows; absent at the end.'),
  })
  .meta({ id: 'DataTable' });

const DataFacets = z
  .strictObject({ rows: z.int().min(0).describe('Rows that match.'), columns: z.array(DataFacet), has_more_columns: hasMoreColumns })
  .meta({ id: 'DataFacets' });

const DataSnapshots = z
  .strictObject({
    data: z.array(DataSnapshot),
    count: z.int().min(0).describe('Length of `data`.'),
    diff: DataDiff.optional().describe('With `from` and `to`; `data` has these two then.'),
  })
  .meta({ id: 'DataSnapshots' });

export const data = {
  list: {
    id: 'data.list',
    method: 'GET',
    path: '/v1/data',
    summary: 'workflow picker of the data explorer',
    scopes: ['read'],
    query: z.strictObject(listQuery),
    replies: { 200: list(DataWorkflow, 'Workflows that have rows, the one with the newest row first.') },
  },
  table: {
    id: 'data.table',
    method: 'GET',
    path: '/v1/workflows/{id}/data',
    summary: 'aggregated table of extracted data',
    scopes: ['read'],
    params,
    query: z.strictObject({
      ...selection,
      sort: z
        .string()
        .max(1000)
        .optional()
        .describe(
          `The column to sort by: numbers, then texts by the code points of their first ${CELL_CHARS_MAX} characters, then false and true, ` +
            'empty cells always last; equal ones as they came. As they came unless said.',
        ),
      order: z.enum(['asc', 'desc']).optional().describe('`asc` unless said.'),
      limit: integerText(1, LIMITS.listLimitMax).optional().describe(`How many at most; ${LIMITS.listLimitDefault} unless said.`),
      cursor: z.string().max(CURSOR_MAX).optional().describe('`next_cursor` of the answer before.'),
    }),
    replies: {
      200: { ...json(DataTable, 'Rows, fewer than `limit` where they are large; a nested member is one cell.'), envelope: 'data' },
    },
    errors: ['not_found'],
  },
  delete: {
    id: 'data.delete',
    method: 'DELETE',
    path: '/v1/workflows/{id}/data',
    summary: 'delete extracted data rows',
    scopes: ['admin'],
    params,
    query: z.strictObject({
      ...selection,
      key: z
        .string()
        .max(LIMITS.urlLengthMax)
        .optional()
        .describe('Only the row of this key, or, without a key, at this position of its run.'),
      dry_run: booleanText.optional().describe('Only say how many records would be deleted.'),
    }),
    replies: {
      200: json(
        z.strictObject({ deleted: z.int().min(0) }).meta({ id: 'DeletedData' }),
        'How many records went, from every view and from search. Nothing chosen: all of all runs. A run alone: what it brought, and what it ' +
          'replaced comes back. Otherwise the rows that match; of the newest by key, with all that they had replaced.',
      ),
    },
    errors: ['not_found', 'conflict'],
  },
  runs: {
    id: 'data.runs',
    method: 'GET',
    path: '/v1/workflows/{id}/data/runs',
    summary: 'index of data snapshots',
    scopes: ['read'],
    params,
    query: z.strictObject({
      ...listQuery,
      from: runIdText.optional().describe('The older run to compare.'),
      to: runIdText.optional().describe('The newer run to compare.'),
    }),
    replies: { 200: { ...json(DataSnapshots, 'Runs that brought rows, newest first.'), envelope: 'data' } },
    errors: ['not_found'],
  },
  facets: {
    id: 'data.facets',
    method: 'GET',
    path: '/v1/workflows/{id}/data/facets',
    summary: 'per-column facets',
    scopes: ['read'],
    params,
    query: z.strictObject({
      ...selection,
      top: integerText(0, TOP_MAX).optional().describe('How many of the most frequent values; 10 unless said.'),
    }),
    replies: { 200: json(DataFacets, 'What each column holds in the rows that match.') },
    errors: ['not_found'],
  },
  export: {
    id: 'data.export',
    method: 'GET',
    path: '/v1/workflows/{id}/data/export',
    summary: 'export the extracted data table',
    scopes: ['read'],
    params,
    query: z.strictObject({
      ...selection,
      format: FileFormat.optional().describe('`csv` unless said; `parquet` only where the package @duckdb/node-api is installed.'),
      spreadsheet_safe: booleanText
        .optional()
        .describe('CSV: put an apostrophe before cells that a spreadsheet would run as a formula. True unless said.'),
      bom: csvMark.optional(),
      fields: fieldsText.optional().describe('The columns that are written, comma-separated, in this order; all of them unless said.'),
    }),
    replies: {
      200: {
        description: 'All rows of one moment that match, as a file; a nested member is one cell.',
        content: {
          'text/csv': 'bytes',
          'application/json': 'bytes',
          'application/x-ndjson': 'bytes',
          'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'bytes',
          'application/vnd.apache.parquet': 'bytes',
          'text/markdown': 'bytes',
          'text/html': 'bytes',
        },
      },
    },
    errors: ['not_found'],
  },
} as const satisfies OperationGroup;
