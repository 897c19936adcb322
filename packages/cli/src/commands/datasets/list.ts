// weft dataset list
import type { Dataset } from '@weft/contract';
import { listPage } from '../../list-page.ts';
import { table } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, _args, options) => {
  const page = listPage(context, options);
  const client = await context.client();
  // Without `format` the answer is JSON.
  const list = (await client.datasets.list(page.query, page.call)) as { readonly data: readonly Dataset[] };
  const rows = list.data.map((row) => [String(row.id), row.name, row.kind, String(row.records), row.updated_at, sourceOf(row)]);
  const shown = rows.length > 0 ? table(['ID', 'NAME', 'KIND', 'RECORDS', 'UPDATED', 'SOURCE'], rows) : NONE;
  context.show(list, shown);
  page.tell(rows.length);
};

const NONE = 'There are no datasets yet; the first page that is read makes one: weft scrape <url>';

function sourceOf({ source, source_deleted }: Dataset): string {
  return `${source.kind}${source.id === undefined ? '' : ` ${source.id}`}${source_deleted ? ' (deleted)' : ''}`;
}
