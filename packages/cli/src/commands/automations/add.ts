// weft automation add <file>
import type { NewAutomation } from '@weft/contract';
import { readJsonFile } from '../../json-file.ts';
import type { CommandRun } from '../../spec.ts';
import { automationWords } from './told.ts';

export const run: CommandRun = async (context, [path = '']) => {
  const body = await readJsonFile(path);
  const client = await context.client();
  // The agent checks each member; its refusal names the one that is wrong.
  const automation = await client.automations.create(body as unknown as NewAutomation, { signal: context.signal });
  context.show(automation, automationWords(automation));
  context.say(`weft: try it: weft automation run ${automation.id}`);
};
