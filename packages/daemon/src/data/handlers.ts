// Group Data.
import type { DaemonTable } from '@weft/contract';
import { attachmentHeader, cursorHeaders, listHeaders } from '@weft/serve';
import type { GroupHandlers } from '@weft/serve';
import { FILE_FORMS } from '../files/form.ts';
import { dataFileName } from '../files/name.ts';
import type { WorkflowData } from './data.ts';

export function dataHandlers(data: WorkflowData): GroupHandlers<DaemonTable['data']> {
  return {
    list: async ({ query }) => {
      const { data: found, total } = await data.list(query);
      return { status: 200, headers: listHeaders('/v1/data', query, found.length, total), body: { data: [...found], count: found.length } };
    },
    table: async ({ params, query }) => {
      const { columns, hasMoreColumns, count, total, nextCursor, items } = await data.table(params.id, query);
      const next = nextCursor === undefined ? {} : { next_cursor: nextCursor };
      const counted = { count, ...(total === undefined ? {} : { total }), ...next };
      const headers = cursorHeaders(`/v1/workflows/${params.id}/data`, query, nextCursor);
      return { status: 200, headers, body: { columns: [...columns], has_more_columns: hasMoreColumns, data: [], ...counted }, items };
    },
    delete: async ({ params, query }) => ({ status: 200, body: { deleted: await data.delete(params.id, query) } }),
    runs: async ({ params, query }) => {
      const { data: found, total, diff } = await data.snapshots(params.id, query);
      const size = diff ? { count: diff.changes.length, total: diff.new + diff.gone + diff.changed } : { count: found.length, total };
      const headers = listHeaders(`/v1/workflows/${params.id}/data/runs`, query, size.count, size.total);
      return { status: 200, headers, body: { data: [...found], count: found.length, ...(diff ? { diff } : {}) } };
    },
    facets: async ({ params, query }) => {
      const { rows, columns, hasMoreColumns } = await data.facets(params.id, query);
      return { status: 200, body: { rows, columns: [...columns], has_more_columns: hasMoreColumns } };
    },
    export: async ({ params, query, signal }) => {
      const { format = 'csv' } = query;
      const { extension, type } = FILE_FORMS[format];
      const { name, bytes } = await data.export(params.id, query, signal);
      const contentType = type.startsWith('text/') ? `${type}; charset=utf-8` : type;
      const headers = { 'content-type': contentType, 'content-disposition': attachmentHeader(dataFileName(name, extension)) };
      return type === 'application/json' ? { status: 200, headers, body: bytes } : { status: 200, type, headers, body: bytes };
    },
  };
}
