// weft api accept <build>
import type { CommandRun } from '../../spec.ts';
import { table } from '../../table.ts';
import { newestOf } from './follow.ts';

export const run: CommandRun = async (context, [id = '']) => {
  const client = await context.client();
  const { build_id: newest } = await newestOf(client, id, context.signal);
  const list = await client.builds.accept({ id: newest }, { signal: context.signal });
  const rows = list.data.map(({ name, workflow_id: workflow, workflow_slug: slug }) => [name, String(workflow), `weft run ${slug}`]);
  context.show(list, table(['REPLACED', 'WORKFLOW', 'RUN IT'], rows));
};
