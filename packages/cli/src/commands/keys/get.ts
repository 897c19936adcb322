// weft key get <id>
import { pairs } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, [id = '']) => {
  const client = await context.client();
  const key = await client.keys.read({ id }, { signal: context.signal });
  context.show(key, pairs(Object.entries(key)));
};
