// weft workflow list
import { listLimit } from '../../list-limit.ts';
import { table } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, _args, options) => {
  const client = await context.client();
  const { search } = options;
  const list = await client.workflows.list(
    { limit: listLimit(options), ...(typeof search === 'string' ? { q: search } : {}) },
    { signal: context.signal },
  );
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
};
