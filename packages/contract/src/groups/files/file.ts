// Files: bytes that were uploaded, or written from data.
import { z } from 'zod';
import { FIELDS_CHOSEN_MAX, fieldName, instant, rowId } from '../../ids.ts';
import { ExportRows } from '../datasets/dataset.ts';

/** A file without its bytes. */
export const FileDescriptor = z
  .strictObject({
    id: z.string().describe('`file_...`'),
    name: z.string().describe('For showing: the last part of the name that it came with, without control characters. Never a path.'),
    content_type: z.string().describe('As it was sent; nothing relies on it.'),
    bytes: z.int().min(0),
    sha256: z.string().describe('Of the bytes, hex.'),
    source: z
      .strictObject({ kind: z.enum(['upload', 'dataset', 'workflow', 'run', 'selector']), id: z.int().optional() })
      .describe('Where the bytes came from; `selector`: a picture of its test, which the next one and the end of its time replace.'),
    created_at: instant,
  })
  .meta({ id: 'FileDescriptor' });
export type FileDescriptor = z.infer<typeof FileDescriptor>;

/** The forms in which data can be written to a file (D25). */
export const FILE_FORMATS = ['csv', 'json', 'jsonl', 'xlsx', 'markdown', 'html', 'parquet'] as const;
/** One of them. */
export const FileFormat = z.enum(FILE_FORMATS);
export type FileFormat = z.infer<typeof FileFormat>;

/** The body of `POST /v1/files/from-data`. */
export const FileFromData = z
  .strictObject({
    dataset_id: rowId.optional().describe('The dataset whose records are written.'),
    workflow_id: rowId.optional().describe('The workflow whose data is written.'),
    format: FileFormat.describe('`parquet` only where the package @duckdb/node-api is installed.'),
    name: z.string().min(1).max(200).optional().describe("The file's name; the dataset's with an extension unless said."),
    run_id: rowId.optional().describe('Only what this run brought.'),
    snapshot: z.enum(['newest', 'all']).optional().describe('`newest` unless said, as a dataset shows it; `all` that was ever kept.'),
    fields: z
      .array(fieldName)
      .min(1)
      .max(FIELDS_CHOSEN_MAX)
      .optional()
      .describe('The members that are written, in this order; all of them unless said.'),
    rows: ExportRows.optional(),
    spreadsheet_safe: z.boolean().optional().describe('CSV: an apostrophe before what would run as a formula. True unless said.'),
  })
  .check((context) => {
    const { dataset_id, workflow_id } = context.value;
    if ((dataset_id === undefined) === (workflow_id === undefined))
      context.issues.push({ code: 'custom', message: 'must have either "dataset_id" or "workflow_id"', input: context.value });
  })
  .meta({ id: 'FileFromData', oneOf: [{ required: ['dataset_id'] }, { required: ['workflow_id'] }] });
export type FileFromData = z.infer<typeof FileFromData>;
