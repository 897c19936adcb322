// weft data runs <workflow>
import { listPage } from '../../list-page.ts';
import { orTry } from '../../or-try.ts';
import { table } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';
import { workflowId } from './selection.ts';

export const run: CommandRun = async (context, [ref = ''], options) => {
  const page = listPage(context, options);
  const client = await context.client();
  const id = await workflowId(client, context, ref);
  const index = await orTry('weft data list', client.data.runs({ id, ...page.query }, page.call));
  const rows = index.data.map(({ run_id, rows: count, status, finished_at, is_shown }) => [
    String(run_id),
    String(count),
    status ?? 'past its retention',
    finished_at ?? '',
    is_shown ? 'yes' : '',
  ]);
  context.show(index, rows.length > 0 ? table(['RUN', 'ROWS', 'STATUS', 'FINISHED', 'SHOWN'], rows) : 'No run has brought rows yet.');
  page.tell(rows.length);
};
