// weft persona add <name>
import type { NewPersona } from '@weft/contract';
import { shellWord } from '../../shell-word.ts';
import type { CommandRun } from '../../spec.ts';
import { personaMembers, personaWords } from './told.ts';

export const run: CommandRun = async (context, [name = ''], options) => {
  const members = await personaMembers(context, { ...options, name });
  const client = await context.client();
  // The agent checks what was typed.
  const persona = await client.personas.create(members as NewPersona, { signal: context.signal });
  context.show(persona, personaWords(persona));
  const [origin] = persona.origins;
  if (origin !== undefined && persona.has_password)
    context.say(`Try:   weft persona login ${shellWord(persona.name)} ${shellWord(`${origin}/`)}, or the page that asks to log in`);
};
