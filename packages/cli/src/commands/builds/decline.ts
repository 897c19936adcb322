// weft api decline <build>
import type { CommandRun } from '../../spec.ts';
import { newestOf } from './follow.ts';

export const run: CommandRun = async (context, [id = '']) => {
  const client = await context.client();
  const { build_id: newest } = await newestOf(client, id, context.signal);
  const build = await client.builds.decline({ id: newest }, { signal: context.signal });
  context.show(build, `Build ${newest} is declined; what was published before stays.`);
};
