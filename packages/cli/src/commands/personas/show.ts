// weft persona show <id>
import { orTry } from '../../or-try.ts';
import { parseRowId } from '../../row-id.ts';
import type { CommandRun } from '../../spec.ts';
import { personaWords } from './told.ts';

export const run: CommandRun = async (context, [text = '']) => {
  const client = await context.client();
  const read = client.personas.read({ id: parseRowId(text, 'persona') }, { signal: context.signal });
  const persona = await orTry('weft persona list', read);
  context.show(persona, personaWords(persona));
};
