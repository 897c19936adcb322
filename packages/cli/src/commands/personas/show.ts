// weft persona show <persona>
import { orTry } from '../../or-try.ts';
import type { CommandRun } from '../../spec.ts';
import { personaWords } from './told.ts';
import { findPersona } from './refs.ts';

export const run: CommandRun = async (context, [text = '']) => {
  const client = await context.client();
  const read = client.personas.read({ id: await findPersona(context, text) }, { signal: context.signal });
  const persona = await orTry('weft persona list', read);
  context.show(persona, personaWords(persona));
};
