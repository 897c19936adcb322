// weft monitor tag remove <tag>
import { orTry } from '../../../or-try.ts';
import type { CommandRun } from '../../../spec.ts';

export const run: CommandRun = async (context, [name = '']) => {
  const client = await context.client();
  await orTry('weft monitor tag list', client.monitorTags.delete({ name }, { signal: context.signal }));
  context.show({ name, deleted: true }, `Tag ${name} passes nothing on any more; monitors keep its name.`);
};
