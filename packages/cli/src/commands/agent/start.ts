// weft daemon start
import { startAgent } from '../../agent-process.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context) => {
  const running = await context.find().catch(() => undefined);
  const found =
    running ?? (await startAgent(context.environment, { find: () => context.find(), say: () => undefined, signal: context.signal }));
  context.show(
    { base_url: found.baseUrl, already_running: running !== undefined },
    `${running ? 'The agent already runs' : 'The agent runs'} on ${found.baseUrl}`,
  );
};
