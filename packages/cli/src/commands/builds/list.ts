// weft api list
import { listPage } from '../../list-page.ts';
import type { CommandRun } from '../../spec.ts';
import { table } from '../../table.ts';

export const run: CommandRun = async (context, _args, options) => {
  const page = listPage(context, options);
  const client = await context.client();
  const list = await client.builds.list(page.query, page.call);
  const rows = list.data.map(({ build_id: id, status, rung, functions: { proved, all }, url, objective = '' }) => [
    id,
    status,
    rung,
    `${proved} of ${all}`,
    url,
    objective,
  ]);
  context.show(list, table(['BUILD', 'STATUS', 'RUNG', 'PROVED', 'SITE', 'OBJECTIVE'], rows));
  page.tell(list.data.length);
};
