// weft file rm <id>
import type { CommandRun } from '../tree.ts';

export const run: CommandRun = async (context, [id = '']) => {
  const client = await context.client();
  await client.files.delete({ id }, { signal: context.signal });
  context.show({ id, deleted: true }, `File ${id} is deleted.`);
};
