// weft persona delete <id>
import { orTry } from '../../or-try.ts';
import { parseRowId } from '../../row-id.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, [text = '']) => {
  const id = parseRowId(text, 'persona');
  const client = await context.client();
  await orTry('weft persona list', client.personas.delete({ id }, { signal: context.signal }));
  context.show({ id, deleted: true }, `Persona ${id} is deleted.`);
};
