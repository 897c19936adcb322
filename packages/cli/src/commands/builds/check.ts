// weft api check <build>
import { EXIT } from '../../exit.ts';
import type { CommandRun } from '../../spec.ts';
import { newestOf } from './follow.ts';
import { wordsOfHealth } from './health-words.ts';

/** A check may call each function a dozen times. */
const TIMEOUT_SECONDS = 3600;

export const run: CommandRun = async (context, [id = '']) => {
  const client = await context.client();
  const { signal } = context;
  const { build_id: newest } = await newestOf(client, id, signal);
  const begun = await client.builds.check({ id: newest }, { signal });
  await client.waitForRun(begun.id, { timeout: TIMEOUT_SECONDS, signal });
  const { health } = await client.builds.read({ id: newest }, { signal });
  context.show(health ?? {}, health ? wordsOfHealth(health) : 'Nothing of it is proved.');
  return health?.state === 'healthy' && health.unchecked === undefined ? EXIT.done : EXIT.failed;
};
