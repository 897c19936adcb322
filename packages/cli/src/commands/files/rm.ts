// weft file rm <id>
import { orTry } from '../../or-try.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, [id = '']) => {
  const client = await context.client();
  await orTry('weft file list', client.files.delete({ id }, { signal: context.signal }));
  context.show({ id, deleted: true }, `File ${id} is deleted.`);
};
