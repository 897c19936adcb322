// weft api list
import { listLimit } from '../../list-limit.ts';
import type { CommandRun } from '../../spec.ts';
import { table } from '../../table.ts';

export const run: CommandRun = async (context, _args, options) => {
  const client = await context.client();
  const list = await client.builds.list({ limit: listLimit(options) }, { signal: context.signal });
  const rows = list.data.map(({ build_id: id, status, rung, functions: { proved, all }, url, objective = '' }) => [
    id,
    status,
    rung,
    `${proved} of ${all}`,
    url,
    objective,
  ]);
  context.show(list, table(['BUILD', 'STATUS', 'RUNG', 'PROVED', 'SITE', 'OBJECTIVE'], rows));
};
