// A build that was begun, until it has ended.
import type { BuildView, RunEvent } from '@weft/contract';
import type { AgentClient } from '@weft/client/node';
import type { CommandContext } from '../../context.ts';
import { CommandError, EXIT } from '../../exit.ts';
import { wordsOfBuild } from './words.ts';

/** A year: a build ends by itself. */
const NO_TIMEOUT_SECONDS = 2_000_000;

/** Says how the build goes on, and shows what it came to; the exit code. */
export async function followBuild(context: CommandContext, client: AgentClient, begun: BuildView, isDetached: boolean): Promise<number> {
  context.say(`weft: build ${begun.build_id}`);
  if (isDetached || begun.run_id === undefined) {
    context.show(begun, wordsOfBuild(begun));
    return EXIT.done;
  }
  const onEvent = (event: RunEvent) => {
    if (event.type === 'log') context.say(`weft: ${event.message}`);
  };
  try {
    await client.waitForRun(begun.run_id, { timeout: NO_TIMEOUT_SECONDS, signal: context.signal, onEvent });
  } catch (error) {
    if (!context.signal.aborted) throw error;
    throw new CommandError(`Build ${begun.build_id} goes on in the agent. To end it: weft api cancel ${begun.build_id}`, {
      exitCode: EXIT.interrupted,
      code: 'interrupted',
    });
  }
  const ended = await newestOf(client, begun.build_id, context.signal);
  context.show(ended, wordsOfBuild(ended));
  return ended.status === 'proved' || ended.status === 'found' ? EXIT.done : EXIT.failed;
}

/** The rung that a build ended with, or is at: what replaced a rung is followed. */
export async function newestOf(client: AgentClient, id: string, signal: AbortSignal): Promise<BuildView> {
  for (let build = await client.builds.read({ id }, { signal }); ;) {
    const { fallback_build_id: next } = build;
    if (next === undefined) return build;
    build = await client.builds.read({ id: next }, { signal });
  }
}
