// weft status: the agent at one glance. Never starts one.
import type { AgentStatus } from '@weft/contract';
import { createClient } from '@weft/client/node';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context) => {
  const found = await context.find();
  const status = await createClient(found).agent.status({}, { signal: context.signal });
  context.show(
    { ...status, token_source: found.source },
    [
      `Agent    ${status.base_url}${status.https_url ? ` and ${status.https_url}` : ''}, version ${status.version}`,
      `Up       ${duration(status.uptime_seconds)}`,
      `Runs     ${status.runs.running} running, ${status.runs.queued} queued`,
      ...(status.vault ? [`Vault    ${vaultWords(status.vault)}`] : []),
      `Found by ${found.source}`,
    ].join('\n'),
  );
};

function vaultWords({ locked, waiting }: NonNullable<AgentStatus['vault']>): string {
  if (waiting === 0) return locked ? 'locked: weft vault unlock' : 'open';
  return `locked, and ${waiting === 1 ? 'one thing waits' : `${waiting} things wait`} for it: weft vault status`;
}

function duration(seconds: number): string {
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  return days > 0 ? `${days} d ${hours} h` : hours > 0 ? `${hours} h ${minutes} min` : minutes > 0 ? `${minutes} min` : `${seconds} s`;
}
