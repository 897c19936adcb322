// weft daemon stop
import { findAgentPid, stopAgent } from '../../agent-process.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context) => {
  // Only a process that proves to be the agent of this home is ever signalled; a stale file may name a stranger.
  const running = await context.find().catch(() => undefined);
  const pid = running ? findAgentPid(context.environment) : undefined;
  if (pid !== undefined) await stopAgent(pid, context.signal);
  context.show({ stopped: pid !== undefined }, pid === undefined ? 'No agent was running.' : 'The agent has stopped.');
};
