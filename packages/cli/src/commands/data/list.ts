// weft data list
import { cellText } from '../../cell.ts';
import { table } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context) => {
  const client = await context.client();
  const list = await client.data.list({ limit: 500 }, { signal: context.signal });
  const rows = list.data.map(({ id, slug, rows: count, runs, last_snapshot, columns }) => [
    String(id),
    slug,
    String(count),
    String(runs),
    last_snapshot.at,
    cellText(columns.join(', ')),
  ]);
  const shown =
    rows.length > 0 ? table(['ID', 'SLUG', 'ROWS', 'RUNS', 'NEWEST ROW', 'COLUMNS'], rows) : 'No workflow has brought rows yet.';
  context.show(list, shown);
};
