// weft api verify <build>
import { EXIT } from '../../exit.ts';
import type { CommandRun } from '../../spec.ts';
import { table } from '../../table.ts';
import { newestOf } from './follow.ts';

export const run: CommandRun = async (context, [id = '']) => {
  const client = await context.client();
  const { build_id: newest } = await newestOf(client, id, context.signal);
  const list = await client.builds.verify({ id: newest }, { signal: context.signal });
  const rows = list.data.map(({ name, holds, state = '', faults }) => [name, state, holds ? 'holds' : faults.join(' ')]);
  context.show(list, table(['FUNCTION', 'STATE', 'CERTIFICATE'], rows));
  return list.data.every(({ holds }) => holds) ? EXIT.done : EXIT.failed;
};
