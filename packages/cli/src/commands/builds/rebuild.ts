// weft api rebuild <build>
import type { CommandRun } from '../../spec.ts';
import { followBuild, idOf } from './follow.ts';

export const run: CommandRun = async (context, [named = '']) => {
  const client = await context.client();
  const id = await idOf(client, named, context.signal);
  const begun = await client.builds.rebuild({ id }, { signal: context.signal });
  return await followBuild(context, client, begun, false);
};
