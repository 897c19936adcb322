// weft persona set <id>
import { orTry } from '../../or-try.ts';
import { parseRowId } from '../../row-id.ts';
import type { CommandRun } from '../../spec.ts';
import { personaMembers, personaWords } from './told.ts';

export const run: CommandRun = async (context, [text = ''], options) => {
  const id = parseRowId(text, 'persona');
  const members = await personaMembers(context, options);
  const client = await context.client();
  const persona = await orTry('weft persona list', client.personas.update({ id, ...members }, { signal: context.signal }));
  context.show(persona, personaWords(persona));
};
