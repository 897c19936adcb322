// Datasets: where the rows and pages of all runs are kept (D24), what they hold, and how they are searched.
import { z } from 'zod';
import { instant } from '../../ids.ts';

/** The forms in which every operation of the group answers (D25). */
export const DATASET_FORMATS = ['json', 'csv', 'markdown', 'html'] as const;
/** One of them; `json` unless said. */
export const DatasetFormat = z.enum(DATASET_FORMATS);
export type DatasetFormat = z.infer<typeof DatasetFormat>;

/** What a row of an export is. */
export const ExportRows = z
  .enum(['records', 'items'])
  .describe(
    '`records` unless said; `items`: of pages with `records`, each item of the best list of each page, with the address of its page beside it.',
  );

/** The longest text that can be searched for, in characters. */
export const SEARCH_TEXT_MAX = 1000;

const datasetFields = {
  id: z.int(),
  name: z.string(),
  kind: z.enum(['pages', 'rows']).describe('What its records are: pages of crawls, or rows that were extracted.'),
  source: z
    .strictObject({ kind: z.string(), id: z.int().optional() })
    .describe('What fills it; `pages` is the dataset that all one-page crawls share.'),
  source_deleted: z.boolean().describe('True once its source is gone: it stays, and nothing fills it any more.'),
  records: z.int().min(0).describe('Records of the default view: the newest of each key, or those of the newest settled run.'),
  created_at: instant,
  updated_at: instant.describe('When its last record came.'),
};

/** A dataset in the catalogue. */
export const Dataset = z.strictObject(datasetFields).meta({ id: 'Dataset' });
export type Dataset = z.infer<typeof Dataset>;

/** One member of the records of a dataset, as a sample of them shows it. */
export const DatasetField = z
  .strictObject({
    name: z.string(),
    types: z.array(z.enum(['string', 'integer', 'number', 'boolean', 'object', 'array', 'null'])).describe('Most frequent first.'),
    null_share: z.number().min(0).max(1).describe('Share of the sampled records in which it is null or absent.'),
    examples: z.array(z.unknown()).describe('Up to three different values; long ones are cut, nested ones are JSON text.'),
  })
  .meta({ id: 'DatasetField' });
export type DatasetField = z.infer<typeof DatasetField>;

/** A dataset with the schema that its newest records suggest. */
export const DatasetDetail = z
  .strictObject({
    ...datasetFields,
    schema: z.strictObject({
      sampled: z.int().min(0).describe('How many of the newest records were read for it.'),
      fields: z.array(DatasetField).describe('In the order in which the records name them; at most 1,000.'),
    }),
  })
  .meta({ id: 'DatasetDetail' });
export type DatasetDetail = z.infer<typeof DatasetDetail>;

/** One record: a page or a row. */
export const DatasetRecord = z
  .strictObject({
    id: z.int(),
    key: z.string().describe('A page: its final URL. A row: its declared key, else its position in its run, from 1.'),
    run_id: z.int().describe('The run that brought it.'),
    created_at: instant,
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'DatasetRecord' });
export type DatasetRecord = z.infer<typeof DatasetRecord>;

/** One record that a search found. */
export const SearchHit = z
  .strictObject({
    dataset: z.strictObject({ id: z.int(), name: z.string() }),
    record_id: z.int(),
    key: z.string(),
    run_id: z.int(),
    created_at: instant,
    title: z.string().optional(),
    url: z.string().optional(),
    snippet: z.string().describe('The part of its text where the words stand, as plain text.'),
    matches: z
      .array(z.strictObject({ start: z.int().min(0), end: z.int().min(0) }))
      .describe('Where they stand in `snippet`, in UTF-16 units, in order.'),
    score: z.number().describe('Relevance (BM25); higher is better, comparable within one answer.'),
    also: z
      .array(z.strictObject({ dataset: z.strictObject({ id: z.int(), name: z.string() }), record_id: z.int() }))
      .optional()
      .describe('Of a search in all datasets: the same page in other ones, which are no hits of their own in this answer.'),
    data: z.record(z.string(), z.unknown()).describe('The members of the record whose JSON has at most 500 characters.'),
  })
  .meta({ id: 'SearchHit' });
export type SearchHit = z.infer<typeof SearchHit>;
