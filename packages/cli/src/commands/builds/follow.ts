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

/** The id of the build that was begun last where `named` is the word last; else the id as it was given. */
export async function idOf(client: AgentClient, named: string, signal: AbortSignal): Promise<string> {
  if (named !== 'last') return named;
  const { data } = await client.builds.list({ limit: 1 }, { signal });
  if (data[0]) return data[0].build_id;
  throw new CommandError('Nothing was built yet.', { exitCode: EXIT.failed, code: 'not_found', next: ['weft api build --help'] });
}

/** The rung that a build ended with, or is at: what replaced a rung is followed. */
export async function newestOf(client: AgentClient, named: string, signal: AbortSignal): Promise<BuildView> {
  const id = await idOf(client, named, signal);
  for (let build = await client.builds.read({ id }, { signal }); ;) {
    const { fallback_build_id: next } = build;
    if (next === undefined) return build;
    build = await client.builds.read({ id: next }, { signal });
  }
}
