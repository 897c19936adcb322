// weft status: the agent at one glance. Never starts one.
import type { AgentStatus, Monitor } from '@weft/contract';
import { ApiError, createClient } from '@weft/client/node';
import type { AgentClient } from '@weft/client/node';
import { cellText } from '../../cell.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context) => {
  const found = await context.find();
  const client = createClient(found);
  const status = await client.agent.status({}, { signal: context.signal });
  const troubled = await troubledMonitors(client, context.signal);
  context.show(
    {
      ...status,
      monitors_in_trouble: troubled.map(({ id, name, state }) => ({ id, name, state: state.kind })),
      token_source: found.source,
    },
    [
      `Agent    ${status.base_url}${status.https_url ? ` and ${status.https_url}` : ''}, version ${status.version}`,
      `Up       ${duration(status.uptime_seconds)}`,
      `Runs     ${status.runs.running} running, ${status.runs.queued} queued`,
      ...(status.vault ? [`Vault    ${vaultWords(status.vault)}`] : []),
      ...(troubled.length > 0 ? [`Monitors ${troubleWords(troubled)}`] : []),
      `Found by ${found.source}`,
    ].join('\n'),
  );
};

/** As many are asked for. */
const TOLD_MAX = 100;

/** Monitors that could not be looked at, though they are to be; none for a key that may not read them. */
async function troubledMonitors(client: AgentClient, signal: AbortSignal): Promise<readonly Monitor[]> {
  return await client.monitors.list({ active: true, trouble: true, limit: TOLD_MAX }, { signal }).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'forbidden') return [];
    throw error;
  });
}

/** So many are named. */
const NAMED_MAX = 3;

function troubleWords(monitors: readonly Monitor[]): string {
  const named = monitors.slice(0, NAMED_MAX).map(({ name, state }) => `${cellText(name)} (${state.kind})`);
  const others = `${monitors.length < TOLD_MAX ? '' : 'at least '}${monitors.length - NAMED_MAX}`;
  const more = monitors.length > NAMED_MAX ? ` and ${others} more` : '';
  return `in trouble: ${named.join(', ')}${more}: weft monitor list --trouble`;
}

function vaultWords({ locked, waiting }: NonNullable<AgentStatus['vault']>): string {
  if (waiting === 0) return locked ? 'locked: weft vault unlock' : 'open';
  return `locked, and ${waiting === 1 ? 'one thing waits' : `${waiting} things wait`} for it: weft vault status`;
}

function duration(seconds: number): string {
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  return days > 0 ? `${days} d ${hours} h` : hours > 0 ? `${hours} h ${minutes} min` : minutes > 0 ? `${minutes} min` : `${seconds} s`;
}
