// weft run cancel <id>
import { EXIT } from '../../exit.ts';
import { orTry } from '../../or-try.ts';
import { parseRowId } from '../../row-id.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, [number = '']) => {
  const id = parseRowId(number, 'run');
  const client = await context.client();
  const ended = await orTry('weft status', client.runs.cancel({ id }, { signal: context.signal }));
  context.show(
    ended,
    ended.status === 'cancelled' ? `Run ${id} is cancelled; what it kept stays.` : `Run ${id} had ended: ${ended.status}.`,
  );
  return ended.status === 'cancelled' ? EXIT.done : EXIT.conflict;
};
