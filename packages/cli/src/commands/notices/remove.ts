// weft notify remove <id>
import { orTry } from '../../or-try.ts';
import type { CommandRun } from '../../spec.ts';
import { channelId } from './ids.ts';

export const run: CommandRun = async (context, [text = '']) => {
  const id = channelId(text);
  const client = await context.client();
  await orTry('weft notify list', client.notices.deleteChannel({ id }, { signal: context.signal }));
  context.show({ id, deleted: true }, `Channel ${id} is deleted.`);
};
