// weft run answer <id> [text]
import { orTry } from '../../or-try.ts';
import { parseRowId } from '../../row-id.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, [number = '', text]) => {
  const id = parseRowId(number, 'run');
  const client = await context.client();
  const told = await orTry('weft status', client.runs.answer({ id, ...(text === undefined ? {} : { text }) }, { signal: context.signal }));
  context.show(told, `Run ${id} goes on.`);
};
