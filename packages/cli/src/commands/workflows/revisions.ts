// weft workflow revisions <workflow>
import { CommandError, EXIT } from '../../exit.ts';
import { listPage } from '../../list-page.ts';
import { pairs, table } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';
import { findWorkflow } from './refs.ts';

export const run: CommandRun = async (context, [ref = ''], options) => {
  const page = listPage(context, options);
  const client = await context.client();
  const { signal } = context;
  const { id } = await findWorkflow(client, ref, signal);
  const { compare } = options;
  if (typeof compare === 'string') {
    const [, from, to] = /^(\d{1,9}),(\d{1,9})$/.exec(compare) ?? [];
    if (from === undefined || to === undefined)
      throw new CommandError(`--compare is "${compare}"; it must be two revisions, such as 1,3.`, {
        exitCode: EXIT.usage,
        code: 'bad_request',
      });
    const diff = await client.workflows.compareRevisions({ id, from: Number(from), to: Number(to) }, { signal });
    const names = ['added', 'removed', 'changed', 'moved', 'members'] as const;
    context.show(diff, pairs(names.map((name) => [name, diff[name].join(', ') || '-'] as const)));
    return;
  }
  const data = page.cut((await client.workflows.revisions({ id }, page.call)).data);
  context.show(
    { data, count: data.length },
    table(
      ['REVISION', 'MADE', 'NAME'],
      data.map(({ revision, created_at: made, name }) => [String(revision), made, name]),
    ),
  );
  page.tell(data.length);
};
