// weft notify test <id>
import { EXIT } from '../../exit.ts';
import { orTry } from '../../or-try.ts';
import type { CommandRun } from '../../spec.ts';
import { channelId, tryWords } from './ids.ts';

export const run: CommandRun = async (context, [text = '']) => {
  const id = channelId(text);
  const client = await context.client();
  const attempt = await orTry('weft notify list', client.notices.testChannel({ id }, { signal: context.signal }));
  context.show(attempt, tryWords(attempt));
  return attempt.outcome === 'sent' ? EXIT.done : EXIT.failed;
};
