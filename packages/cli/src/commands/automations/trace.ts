// weft automation trace <id>
import { CommandError, EXIT } from '../../exit.ts';
import { orTry } from '../../or-try.ts';
import { parseRowId } from '../../row-id.ts';
import type { CommandRun } from '../../spec.ts';
import { showTrace } from './told.ts';

export const run: CommandRun = async (context, [text = ''], { run: wanted }) => {
  const id = parseRowId(text, 'automation');
  const client = await context.client();
  const { last_run: last } = await orTry('weft automation list', client.automations.read({ id }, { signal: context.signal }));
  const runId = typeof wanted === 'string' ? parseRowId(wanted, 'run') : last?.id;
  if (runId === undefined)
    throw new CommandError(`Automation ${id} has not run yet.`, {
      exitCode: EXIT.notFound,
      code: 'not_found',
      next: [`weft automation run ${id}`],
    });
  await showTrace(context, client, runId);
};
