// weft dataset list
import type { Dataset } from '@weft/contract';
import { table } from '../table.ts';
import type { CommandRun } from '../tree.ts';

export const run: CommandRun = async (context) => {
  const client = await context.client();
  // Without `format` the answer is JSON.
  const list = (await client.datasets.list({ limit: 500 }, { signal: context.signal })) as { readonly data: readonly Dataset[] };
  context.show(
    list,
    table(
      ['ID', 'NAME', 'KIND', 'RECORDS', 'UPDATED', 'SOURCE'],
      list.data.map((row) => [String(row.id), row.name, row.kind, String(row.records), row.updated_at, sourceOf(row)]),
    ),
  );
};

function sourceOf({ source, source_deleted }: Dataset): string {
  return `${source.kind}${source.id === undefined ? '' : ` ${source.id}`}${source_deleted ? ' (deleted)' : ''}`;
}
