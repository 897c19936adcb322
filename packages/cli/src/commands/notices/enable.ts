// weft notify enable <id>
import { orTry } from '../../or-try.ts';
import type { CommandRun } from '../../spec.ts';
import { channelId } from './ids.ts';
import { channelWords } from './told.ts';

export const run: CommandRun = async (context, [text = '']) => {
  const id = channelId(text);
  const client = await context.client();
  const channel = await orTry('weft notify list', client.notices.updateChannel({ id, enabled: true }, { signal: context.signal }));
  context.show(channel, channelWords(channel));
};
