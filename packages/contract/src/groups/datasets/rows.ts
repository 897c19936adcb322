// Group Datasets.
import { z } from 'zod';
import { booleanText, csvMark, fieldsText, instantText, integerText, listQuery, rowIdText, runIdText } from '../../ids.ts';
import { LIMITS } from '../../limits.ts';
import type { OperationGroup, Reply } from '../../operation.ts';
import { json, list } from '../../replies.ts';
import { Dataset, DatasetDetail, DatasetFormat, DatasetRecord, ExportRows, SEARCH_TEXT_MAX, SearchHit } from './dataset.ts';

const params = z.strictObject({ id: rowIdText });

const format = {
  format: DatasetFormat.optional().describe('`json` unless said; any other answers text.'),
  spreadsheet_safe: booleanText
    .optional()
    .describe('CSV: put an apostrophe before cells that a spreadsheet would run as a formula. True unless said.'),
};
const cursor = {
  limit: integerText(1, LIMITS.listLimitMax).optional().describe(`How many at most; ${LIMITS.listLimitDefault} unless said.`),
  cursor: z.string().max(500).optional().describe('`next_cursor` of the answer before.'),
};
const view = {
  run_id: runIdText.optional().describe('Only what this run brought.'),
  snapshot: z
    .enum(['newest', 'all'])
    .optional()
    .describe(
      '`newest` unless said: the newest record of each key, or, of rows without one, the newest settled run; `all` that was ever kept.',
    ),
};
const choice = {
  fields: fieldsText.optional().describe('The members that are written, comma-separated, in this order; all of them unless said.'),
  rows: ExportRows.optional(),
};
/** A host's name as an address has it, and its port where that is meant. */
const siteText = z.string().regex(/^[\w.-]{1,253}(?::\d{1,5})?$/, 'must be the name of a host, such as example.com');

const search = {
  q: z
    .string()
    .min(1, 'is empty')
    .max(SEARCH_TEXT_MAX, `must be at most ${SEARCH_TEXT_MAX} characters`)
    .describe(
      'Words that must all occur; "a phrase"; the beginning of a word, of three letters or more, as word*; `a OR b` for one of them, `NOT a` or `-a` for what must not occur.',
    ),
  ...cursor,
  run_id: runIdText.optional().describe('Only what this run brought.'),
  since: instantText.optional().describe('Only what was kept at this instant or later.'),
  until: instantText.optional().describe('Only what was kept before this instant.'),
  site: siteText.optional().describe('Only pages of this host, with or without its port, or of a host below it.'),
  ...format,
};

const TEXTS = { 'text/csv': 'bytes', 'text/markdown': 'bytes', 'text/html': 'bytes' } as const;

/** The JSON reply, and the same as text. */
function withTexts<R extends Reply>(reply: R): R & { readonly content: R['content'] & typeof TEXTS } {
  return { ...reply, content: { ...reply.content, ...TEXTS } };
}

/** A list that pages by cursor (D6). */
function cursorList<S extends z.ZodType>(item: S, description: string) {
  const body = z.strictObject({
    data: z.array(item),
    count: z.int().min(0).describe('Length of `data`.'),
    next_cursor: z.string().optional().describe('Send as `cursor` for what follows; absent at the end.'),
  });
  return withTexts({ description, content: { 'application/json': body }, envelope: 'data' } satisfies Reply);
}

export const datasets = {
  list: {
    id: 'datasets.list',
    method: 'GET',
    path: '/v1/datasets',
    summary: 'unified dataset catalogue',
    scopes: ['read'],
    query: z.strictObject({ ...listQuery, kind: z.enum(['pages', 'rows']).optional(), ...format }),
    replies: { 200: withTexts(list(Dataset, 'Datasets, the one with the newest record first.')) },
  },
  searchAll: {
    id: 'datasets.searchAll',
    method: 'GET',
    path: '/v1/datasets/search',
    summary: 'global full-text search across all datasets',
    scopes: ['read'],
    query: z.strictObject({ ...search, kind: z.enum(['pages', 'rows']).optional() }),
    replies: { 200: cursorList(SearchHit, 'The records of the default view that hold all words, best first.') },
  },
  read: {
    id: 'datasets.read',
    method: 'GET',
    path: '/v1/datasets/{id}',
    summary: 'dataset metadata plus inferred schema',
    scopes: ['read'],
    params,
    query: z.strictObject(format),
    replies: { 200: withTexts(json(DatasetDetail, 'The dataset; as text, the fields of its schema.')) },
    errors: ['not_found'],
  },
  records: {
    id: 'datasets.records',
    method: 'GET',
    path: '/v1/datasets/{id}/records',
    summary: "page through a dataset's records",
    scopes: ['read'],
    params,
    query: z.strictObject({ ...cursor, ...view, ...format }),
    replies: {
      200: cursorList(
        DatasetRecord,
        'Records in the order in which they were kept, fewer than `limit` where they are large; as text, their data alone.',
      ),
    },
    errors: ['not_found'],
  },
  export: {
    id: 'datasets.export',
    method: 'GET',
    path: '/v1/datasets/{id}/export',
    summary: 'download all records of a dataset',
    scopes: ['read'],
    params,
    query: z.strictObject({ ...view, ...format, ...choice, bom: csvMark.optional() }),
    replies: {
      200: {
        description: 'The data of all records of one moment; as JSON, an array of objects.',
        content: { 'application/json': 'bytes', ...TEXTS },
      },
    },
    errors: ['not_found'],
  },
  search: {
    id: 'datasets.search',
    method: 'GET',
    path: '/v1/datasets/{id}/search',
    summary: 'full-text search inside one dataset',
    scopes: ['read'],
    params,
    query: z.strictObject(search),
    replies: { 200: cursorList(SearchHit, 'The records of the default view that hold all words, best first.') },
    errors: ['not_found'],
  },
} as const satisfies OperationGroup;
