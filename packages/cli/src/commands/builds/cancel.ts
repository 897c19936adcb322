// weft api cancel <build>
import { EXIT } from '../../exit.ts';
import type { CommandRun } from '../../spec.ts';
import { idOf } from './follow.ts';
import { wordsOfBuild } from './words.ts';

export const run: CommandRun = async (context, [named = '']) => {
  const client = await context.client();
  const id = await idOf(client, named, context.signal);
  const build = await client.builds.cancel({ id }, { signal: context.signal });
  context.show(build, wordsOfBuild(build));
  return EXIT.done;
};
