// weft persona delete <persona>
import { orTry } from '../../or-try.ts';
import type { CommandRun } from '../../spec.ts';
import { findPersona } from './refs.ts';

export const run: CommandRun = async (context, [text = '']) => {
  const id = await findPersona(context, text);
  const client = await context.client();
  await orTry('weft persona list', client.personas.delete({ id }, { signal: context.signal }));
  context.show({ id, deleted: true }, `Persona ${id} is deleted.`);
};
