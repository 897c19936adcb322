// weft automation show <id>
import { orTry } from '../../or-try.ts';
import { parseRowId } from '../../row-id.ts';
import type { CommandRun } from '../../spec.ts';
import { automationWords } from './told.ts';

export const run: CommandRun = async (context, [text = '']) => {
  const id = parseRowId(text, 'automation');
  const client = await context.client();
  const automation = await orTry('weft automation list', client.automations.read({ id }, { signal: context.signal }));
  context.show(automation, automationWords(automation));
};
