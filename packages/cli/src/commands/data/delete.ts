// weft data delete <workflow>: rows of it, or all.
import { orTry } from '../../or-try.ts';
import type { CommandRun } from '../../spec.ts';
import { chosenRows, usage, workflowId } from './selection.ts';

export const run: CommandRun = async (context, [ref = ''], options) => {
  const { key, everything } = options;
  const chosen = { ...chosenRows(options), ...(typeof key === 'string' ? { key } : {}) };
  const isChosen = Object.keys(chosen).length > 0;
  if (isChosen === (everything === true))
    throw usage('Say which rows with --run, --key, --where, --search or --all, or --everything for all rows of all runs.');
  const isDry = options['dryRun'] === true;
  const client = await context.client();
  const id = await workflowId(client, context, ref);
  const answer = await orTry('weft data list', client.data.delete({ id, ...chosen, dry_run: isDry }, { signal: context.signal }));
  const records = answer.deleted === 1 ? '1 record' : `${answer.deleted} records`;
  context.show({ ...answer, dry_run: isDry }, isDry ? `${records} would be deleted.` : `${records} deleted.`);
};
