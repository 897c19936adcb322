// weft hosts
import { table } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context) => {
  const client = await context.client();
  const hosts = await client.hosts.list({}, { signal: context.signal });
  const rows = hosts.data.map(({ host, until, says }) => [host, until, says]);
  const shown = rows.length > 0 ? table(['HOST', 'LEFT ALONE UNTIL', 'WHY'], rows) : 'No host has asked to be left alone.';
  context.show(hosts, shown);
  const [first] = hosts.data;
  if (first) context.say(`weft: to ask one all the same: weft hosts ask ${first.host}`);
};
