// weft api rebuild <build>
import type { CommandRun } from '../../spec.ts';
import { followBuild } from './follow.ts';

export const run: CommandRun = async (context, [id = '']) => {
  const client = await context.client();
  const begun = await client.builds.rebuild({ id }, { signal: context.signal });
  return await followBuild(context, client, begun, false);
};
