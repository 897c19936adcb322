// weft key delete <id>
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, [id = '']) => {
  const client = await context.client();
  await client.keys.delete({ id }, { signal: context.signal });
  context.show({ id, deleted: true }, `Key ${id} is deleted.`);
};
