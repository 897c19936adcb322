// weft data list
import { cellsFor } from '../../cell.ts';
import { listPage } from '../../list-page.ts';
import { table } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, _args, options) => {
  const page = listPage(context, options);
  const client = await context.client();
  const list = await client.data.list(page.query, page.call);
  const cell = cellsFor(context.environment);
  const rows = list.data.map(({ id, slug, rows: count, runs, last_snapshot, columns }) => [
    String(id),
    slug,
    String(count),
    String(runs),
    last_snapshot.at,
    cell(columns.join(', ')),
  ]);
  const shown =
    rows.length > 0 ? table(['ID', 'SLUG', 'ROWS', 'RUNS', 'NEWEST ROW', 'COLUMNS'], rows) : 'No workflow has brought rows yet.';
  context.show(list, shown);
  page.tell(rows.length);
};
