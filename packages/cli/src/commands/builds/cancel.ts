// weft api cancel <build>
import { EXIT } from '../../exit.ts';
import type { CommandRun } from '../../spec.ts';
import { wordsOfBuild } from './words.ts';

export const run: CommandRun = async (context, [id = '']) => {
  const client = await context.client();
  const build = await client.builds.cancel({ id }, { signal: context.signal });
  context.show(build, wordsOfBuild(build));
  return EXIT.done;
};
