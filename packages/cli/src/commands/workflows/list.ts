// weft workflow list
import { listPage } from '../../list-page.ts';
import { table } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, _args, options) => {
  const page = listPage(context, options);
  const client = await context.client();
  const { search } = options;
  const list = await client.workflows.list({ ...page.query, ...(typeof search === 'string' ? { q: search } : {}) }, page.call);
  const rows = list.data.map(({ id, slug, steps, lane, revision, last_run: last, name }) => [
    String(id),
    slug,
    String(steps),
    lane,
    String(revision),
    last?.status ?? '',
    name,
  ]);
  context.show(list, table(['ID', 'SLUG', 'STEPS', 'LANE', 'REVISION', 'LAST RUN', 'NAME'], rows));
  page.tell(list.data.length);
};
