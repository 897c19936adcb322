// weft persona set <persona>
import { orTry } from '../../or-try.ts';
import type { CommandRun } from '../../spec.ts';
import { personaMembers, personaWords } from './told.ts';
import { findPersona } from './refs.ts';

export const run: CommandRun = async (context, [text = ''], options) => {
  const id = await findPersona(context, text);
  const members = await personaMembers(context, options);
  const client = await context.client();
  const persona = await orTry('weft persona list', client.personas.update({ id, ...members }, { signal: context.signal }));
  context.show(persona, personaWords(persona));
};
