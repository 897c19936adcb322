// weft api delete <build>
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, [id = '']) => {
  const client = await context.client();
  await client.builds.delete({ id }, { signal: context.signal });
  context.show({ deleted: id }, `Deleted build ${id}.`);
};
