// The data of workflows: tables over the rows of their runs (D24), filters on them, and what differs between two runs.
import { z } from 'zod';
import { instant } from '../../ids.ts';
import { DatasetField } from '../datasets/dataset.ts';
import { RunStatus } from '../runs/run.ts';

/** More columns are not listed one by one. */
export const DATA_COLUMNS_MAX = 1000;
/** How many different values of one column, and of all together, are counted. */
export const DISTINCT_MAX = { column: 100_000, all: 400_000 } as const;
/** Texts are ordered by so many of their first characters, and shown so long where they stand for a column. */
export const CELL_CHARS_MAX = 200;

const FILTERS_MAX = 20;
const FILTER_TEXT_MAX = 4000;

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const column = z.string().max(1000);

/** One condition on the cells of a column; a cell is nothing where its row has no such member, or null. */
export const DataFilter = z
  .discriminatedUnion('op', [
    z.strictObject({ column, op: z.enum(['eq', 'ne']), value: scalar.nullable() }),
    z.strictObject({ column, op: z.literal('contains'), value: z.string() }),
    z.strictObject({ column, op: z.enum(['gt', 'lt']), value: z.union([z.string(), z.number()]) }),
    z.strictObject({ column, op: z.literal('exists'), value: z.boolean().optional() }),
  ])
  .meta({ id: 'DataFilter' });
export type DataFilter = z.infer<typeof DataFilter>;

const DataFilters = z.array(DataFilter).max(FILTERS_MAX);

/** Filters as a query carries them: JSON of a list of DataFilter. Parse it with `parseDataFilters`. */
export const dataFilterText = z
  .string()
  .max(FILTER_TEXT_MAX)
  .check((context) => {
    const problem = faultOfFilters(context.value);
    if (problem !== undefined) context.issues.push({ code: 'custom', message: problem, input: context.value });
  });

/** The filters in a text that `dataFilterText` took; none where there is no text. */
export function parseDataFilters(text: string | undefined): readonly DataFilter[] {
  return text === undefined ? [] : DataFilters.parse(JSON.parse(text));
}

function faultOfFilters(text: string): string | undefined {
  const form = `must be a JSON list such as [{"column": "price", "op": "gt", "value": 10}], at most ${FILTERS_MAX} long`;
  try {
    const { error } = DataFilters.safeParse(JSON.parse(text));
    return error ? `${form}: ${z.prettifyError(error).replaceAll(/\s+/g, ' ')}` : undefined;
  } catch {
    return form;
  }
}

/** A workflow whose runs brought rows. */
export const DataWorkflow = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    slug: z.string(),
    rows: z.int().min(0).describe('Of the default view.'),
    runs: z.int().min(0).describe('Runs whose rows are kept.'),
    last_snapshot: z.strictObject({ run_id: z.int(), at: instant }).describe('The newest of them, and when its last row came.'),
    columns: z.array(z.string()).describe('Members of its newest 20 rows, at most 50.'),
  })
  .meta({ id: 'DataWorkflow' });
export type DataWorkflow = z.infer<typeof DataWorkflow>;

/** A column: one member of the rows. */
export const DataColumn = z.strictObject({ name: z.string(), types: DatasetField.shape.types }).meta({ id: 'DataColumn' });
export type DataColumn = z.infer<typeof DataColumn>;

/** The rows of one run. */
export const DataSnapshot = z
  .strictObject({
    run_id: z.int(),
    rows: z.int().min(0),
    is_shown: z.boolean().describe('Whether the default view shows any of its rows.'),
    status: RunStatus.optional().describe('Absent once the run itself is past its retention; its rows stay.'),
    started_at: instant.optional(),
    finished_at: instant.optional(),
  })
  .meta({ id: 'DataSnapshot' });
export type DataSnapshot = z.infer<typeof DataSnapshot>;

const cell = z
  .unknown()
  .describe(`A scalar as it is, what is nested as JSON text; texts are cut at ${CELL_CHARS_MAX} characters and end in an ellipsis then.`);

/** One row that differs between two runs. */
export const DataChange = z
  .strictObject({
    change: z.enum(['new', 'gone', 'changed']),
    key: z.string(),
    record_id: z.int().describe('The record in the newer run; of a row that is gone, in the older.'),
    fields: z
      .array(z.strictObject({ name: z.string(), from: cell.optional(), to: cell.optional() }))
      .describe('The members that differ; of a row that is new or gone, all. At most 1,000.'),
  })
  .meta({ id: 'DataChange' });
export type DataChange = z.infer<typeof DataChange>;

/** What differs between the rows of two runs. */
export const DataDiff = z
  .strictObject({
    from: z.int(),
    to: z.int(),
    matched_by: z
      .enum(['key', 'content_and_position'])
      .describe('How rows are paired: by their key; without one, those of equal content, and of the others those at the same position.'),
    new: z.int().min(0),
    gone: z.int().min(0),
    changed: z.int().min(0),
    equal: z.int().min(0),
    changes: z.array(DataChange).describe('In the order of the newer run, then what is gone; `limit` of them from `offset` on.'),
  })
  .meta({ id: 'DataDiff' });
export type DataDiff = z.infer<typeof DataDiff>;

/** What the cells of one column hold. */
export const DataFacet = z
  .strictObject({
    name: z.string(),
    types: DatasetField.shape.types,
    filled: z.int().min(0).describe('Rows in which it is neither absent nor null.'),
    distinct: z.int().min(0).describe(`Different values; those of more than ${DISTINCT_MAX.column} are counted up to there.`),
    distinct_is_capped: z.boolean().describe('True where there are more than `distinct`; `top` is empty then.'),
    min: cell.optional().describe('The first in order: numbers, then texts by their code points, then false and true.'),
    max: cell.optional(),
    top: z
      .array(z.strictObject({ value: cell, count: z.int().min(1) }))
      .describe('The most frequent values, the first in order among equals.'),
  })
  .meta({ id: 'DataFacet' });
export type DataFacet = z.infer<typeof DataFacet>;
