// Group Datasets.
import type { DaemonTable, DatasetFormat } from '@weft/contract';
import type { GroupHandlers } from '@weft/serve';
import { attachmentHeader } from '@weft/serve';
import { dataFileName } from '../files/name.ts';
import { cursorHeaders, listHeaders } from '@weft/serve';
import type { Datasets, Slice } from './dataset.ts';
import { createHeldTexts } from './export/held-texts.ts';
import { TEXT_TYPES, renderRows } from './export/render.ts';
import type { TextFormat } from './export/render.ts';
import { writeRows } from './export/write.ts';

interface FormatQuery {
  readonly format?: DatasetFormat | undefined;
  readonly spreadsheet_safe?: boolean | undefined;
}

const EXTENSIONS = { json: 'json', csv: 'csv', markdown: 'md', html: 'html' } as const;

export function datasetHandlers(datasets: Datasets): GroupHandlers<DaemonTable['datasets']> {
  const held = createHeldTexts();
  return {
    list: ({ query }) => {
      const { data, total } = datasets.list(query);
      const headers = listHeaders('/v1/datasets', query, data.length, total);
      return textReply(query, 'datasets', data, headers) ?? { status: 200, headers, body: { data, count: data.length } };
    },
    searchAll: async ({ query }) => sliceReply('/v1/datasets/search', query, 'search', await datasets.search(query)),
    read: async ({ params, query }) => {
      const dataset = await datasets.read(params.id);
      return textReply(query, dataset.name, dataset.schema.fields, {}) ?? { status: 200, body: dataset };
    },
    records: ({ params, query }) => {
      const { count, items, rows, next_cursor } = datasets.records(params.id, query);
      const { name } = datasets.require(params.id);
      const headers = cursorHeaders(`/v1/datasets/${params.id}/records`, query, next_cursor);
      const { format = 'json', spreadsheet_safe: isSafe = true } = query;
      if (format === 'json')
        return { status: 200, headers, body: { data: [], count, ...(next_cursor === undefined ? {} : { next_cursor }) }, items };
      const body = writeRows({ rows: () => rows }, format, { title: name, isSafe }, held);
      return { status: 200, type: TEXT_TYPES[format], headers: { ...headers, ...fileHeaders(name, format) }, body };
    },
    export: ({ params, query, signal }) => {
      const { format = 'json' } = query;
      const body = datasets.export(params.id, { ...query, format }, signal);
      const headers = fileHeaders(datasets.require(params.id).name, format);
      return format === 'json' ? { status: 200, headers, body } : { status: 200, type: TEXT_TYPES[format], headers, body };
    },
    search: async ({ params, query }) =>
      sliceReply(`/v1/datasets/${params.id}/search`, query, 'search', await datasets.search(query, params.id)),
  };
}

/** A slice as JSON, or its items as text; what follows is named in the body or in a header. */
function sliceReply<Item extends object>(
  path: string,
  query: FormatQuery & Readonly<Record<string, string | number | boolean | undefined>>,
  name: string,
  slice: Slice<Item>,
) {
  const headers = cursorHeaders(path, query, slice.next_cursor);
  return textReply(query, name, slice.data, headers) ?? ({ status: 200, headers, body: slice } as const);
}

/** The rows as text; undefined where JSON is wanted. */
function textReply(query: FormatQuery, name: string, rows: readonly object[], headers: Readonly<Record<string, string>>) {
  const { format = 'json', spreadsheet_safe = true } = query;
  if (format === 'json') return undefined;
  const body = renderRows(
    rows.map((row) => ({ ...row })),
    format,
    { title: name, isSafe: spreadsheet_safe },
  );
  return { status: 200, type: TEXT_TYPES[format], headers: { ...headers, ...fileHeaders(name, format) }, body } as const;
}

function fileHeaders(name: string, format: TextFormat | 'json'): Readonly<Record<string, string>> {
  const type = format === 'json' ? 'application/json' : `${TEXT_TYPES[format]}; charset=utf-8`;
  return { 'content-type': type, 'content-disposition': attachmentHeader(dataFileName(name, EXTENSIONS[format])) };
}
