// weft persona add <name>
import type { NewPersona } from '@weft/contract';
import type { CommandRun } from '../../spec.ts';
import { personaMembers, personaWords } from './told.ts';

export const run: CommandRun = async (context, [name = ''], options) => {
  const members = await personaMembers(context, { ...options, name });
  const client = await context.client();
  // The agent checks what was typed.
  const persona = await client.personas.create(members as NewPersona, { signal: context.signal });
  context.show(persona, personaWords(persona));
};
