// weft run attach <id>
import { orTry } from '../../or-try.ts';
import { parseRowId } from '../../row-id.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, [number = '']) => {
  const id = parseRowId(number, 'run');
  const client = await context.client();
  const link = await orTry('weft status', client.runs.screen({ id }, { signal: context.signal }));
  context.say('weft: open this page in a browser of this machine within five minutes; you can act on it while the run waits for you:');
  context.show(link, link.url);
};
