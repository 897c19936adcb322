// How data looks as a file, by its format.
import type { FileFormat } from '@weft/contract';

/** The extension and the media type of each format. */
export const FILE_FORMS = {
  csv: { extension: 'csv', type: 'text/csv' },
  json: { extension: 'json', type: 'application/json' },
  jsonl: { extension: 'jsonl', type: 'application/x-ndjson' },
  xlsx: { extension: 'xlsx', type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
  markdown: { extension: 'md', type: 'text/markdown' },
  html: { extension: 'html', type: 'text/html' },
  parquet: { extension: 'parquet', type: 'application/vnd.apache.parquet' },
} as const satisfies Readonly<Record<FileFormat, { readonly extension: string; readonly type: string }>>;
