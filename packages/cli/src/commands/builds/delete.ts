// weft api delete <build>
import type { CommandRun } from '../../spec.ts';
import { idOf } from './follow.ts';

export const run: CommandRun = async (context, [named = '']) => {
  const client = await context.client();
  const id = await idOf(client, named, context.signal);
  await client.builds.delete({ id }, { signal: context.signal });
  context.show({ deleted: id }, `Deleted build ${id}.`);
};
