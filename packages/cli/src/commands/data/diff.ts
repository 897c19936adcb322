// weft data diff <workflow> [from] [to]: what differs between the rows of two runs, the newest two unless said.
import { cellsFor, wholeText } from '../../cell.ts';
import type { AgentClient } from '@weft/client/node';
import type { DataChange, DataDiff } from '@weft/contract';
import type { CommandContext } from '../../context.ts';
import { wholeNumber } from '../../number-option.ts';
import { orTry } from '../../or-try.ts';
import { parseRowId } from '../../row-id.ts';
import type { CommandRun } from '../../spec.ts';
import { usage, workflowId } from './selection.ts';

const LIMIT_MAX = 500;

export const run: CommandRun = async (context, [ref = '', older, newer], options) => {
  const limit = wholeNumber(options, 'limit', 1, LIMIT_MAX);
  if (older !== undefined && newer === undefined) throw usage('Give both runs, the older and the newer one, or none for the newest two.');
  const given = older === undefined || newer === undefined ? undefined : { from: parseRowId(older, 'run'), to: parseRowId(newer, 'run') };
  const client = await context.client();
  const id = await workflowId(client, context, ref);
  const runs = given ?? (await newestTwo(client, context, id));
  const query = { id, ...runs, ...(limit === undefined ? {} : { limit }) };
  const { diff } = await orTry('weft data runs', client.data.runs(query, { signal: context.signal }));
  context.show(diff, diff ? shown(diff, cellsFor(context.environment)) : '');
};

async function newestTwo(
  client: AgentClient,
  { signal }: CommandContext,
  id: number,
): Promise<{ readonly from: number; readonly to: number }> {
  const { data } = await orTry('weft data list', client.data.runs({ id, limit: 2 }, { signal }));
  const [to, from] = data;
  if (!from || !to) throw usage(`Workflow ${id} has rows of ${data.length} runs; two are compared.`);
  return { from: from.run_id, to: to.run_id };
}

function shown({ changes, from, to, equal, ...counts }: DataDiff, cell: (value: unknown) => string): string {
  const total = counts.new + counts.gone + counts.changed;
  const left = total > changes.length ? `\n\n${changes.length} of ${total} changes; --limit shows more` : '';
  const head = `Run ${from} to run ${to}: ${counts.new} new, ${counts.gone} gone, ${counts.changed} changed, ${equal} equal`;
  return [head, ...changes.map((change) => changeText(change, cell))].join('\n') + left;
}

function changeText({ change, key, fields }: DataChange, cell: (value: unknown) => string): string {
  const values = fields.map(({ name, ...sides }) => {
    const [before, after] = [cell(sides.from), cell(sides.to)];
    return `${wholeText(name)}: ${change === 'changed' ? `${before} -> ${after}` : change === 'new' ? after : before}`;
  });
  return `${{ new: '+', gone: '-', changed: '~' }[change]} ${wholeText(key)}  ${values.join(', ')}`;
}
