// weft automation remove <id>
import { orTry } from '../../or-try.ts';
import { parseRowId } from '../../row-id.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, [text = '']) => {
  const id = parseRowId(text, 'automation');
  const client = await context.client();
  await orTry('weft automation list', client.automations.delete({ id }, { signal: context.signal }));
  context.show({ id, deleted: true }, `Automation ${id} is deleted.`);
};
