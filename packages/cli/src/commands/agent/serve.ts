// weft serve: the agent in the foreground. Signals reach it; its exit code is ours.
import { spawn } from 'node:child_process';
import { AGENT_ARGS, agentVariables } from '../../agent-process.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context) => {
  const child = spawn(process.execPath, AGENT_ARGS, { stdio: 'inherit', env: agentVariables(context.environment.variables) });
  const forward = (signal: NodeJS.Signals) => void child.kill(signal);
  process.on('SIGTERM', forward);
  // A terminal sends SIGINT to the whole group; forwarding it again would count as a second one.
  process.on('SIGINT', () => undefined);
  return await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
};
