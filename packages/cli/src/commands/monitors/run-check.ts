// Makes a check and waits for what it comes to.
import type { Check, Run } from '@weft/contract';
import type { AgentClient } from '@weft/client/node';
import type { CommandContext } from '../../context.ts';
import { CommandError, EXIT } from '../../exit.ts';

/** A check that is settled. */
export interface Checked {
  readonly run: Run;
  /** Absent where the run ended without a verdict. */
  readonly check: Check | undefined;
}

/** Runs of checks that are looked through for one that is under way. */
const FEED_MAX = 100;

/** The first check of a new monitor: the one that it is due for, which may be under way already, or one that is made now. */
export async function firstRun(client: AgentClient, id: number, signal: AbortSignal): Promise<number> {
  const { data } = await client.runs.list({ kind: 'monitor', limit: FEED_MAX }, { signal });
  const found = data.find(({ source }) => source.kind === 'monitor' && source.id === id);
  return found ? found.row_id : (await client.monitors.run({ id }, { signal })).id;
}

/** Waits for the run of a check. Throws RunWaitTimeoutError; CommandError at an interrupt, which says that it goes on. */
export async function waitForCheck(context: CommandContext, client: AgentClient, runId: number, timeout: number): Promise<Checked> {
  const { signal } = context;
  const run = await client.waitForRun(runId, { timeout, signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    throw new CommandError(`The check goes on in the agent as run ${runId}.`, {
      exitCode: EXIT.interrupted,
      code: 'interrupted',
      next: ['weft monitor list'],
    });
  });
  const { output } = await client.runs.results({ id: runId }, { signal });
  // What a run of a monitor gives (packages/contract/src/groups/monitors/check.ts).
  return { run, check: output as Check | undefined };
}
