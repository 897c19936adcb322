// weft hosts
import { listPage } from '../../list-page.ts';
import { table } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, _args, options) => {
  const page = listPage(context, options);
  const client = await context.client();
  const data = page.cut((await client.hosts.list({}, page.call)).data);
  const rows = data.map(({ host, until, says }) => [host, until, says]);
  const shown = rows.length > 0 ? table(['HOST', 'LEFT ALONE UNTIL', 'WHY'], rows) : 'No host has asked to be left alone.';
  context.show({ data, count: data.length }, shown);
  page.tell(data.length);
  const [first] = data;
  if (first) context.say(`weft: to ask one all the same: weft hosts ask ${first.host}`);
};
