// weft api publish <build> [function...]
import type { CommandRun } from '../../spec.ts';
import { table } from '../../table.ts';
import { newestOf } from './follow.ts';
import { callsOf } from './words.ts';

export const run: CommandRun = async (context, [id = '', ...functions], options) => {
  const client = await context.client();
  const { slug } = options;
  const { build_id: newest } = await newestOf(client, id, context.signal);
  const list = await client.builds.publish(
    {
      id: newest,
      ...(functions.length > 0 ? { functions } : {}),
      ...(typeof slug === 'string' ? { slug } : {}),
      ...(options['hidden'] === true ? { expose: false } : {}),
    },
    { signal: context.signal },
  );
  const rows = list.data.map(({ name, workflow_id: workflow, workflow_slug: saved }) => [name, String(workflow), `weft run ${saved}`]);
  const calls = callsOf(await client.builds.read({ id: newest }, { signal: context.signal }));
  context.show(list, [table(['FUNCTION', 'WORKFLOW', 'RUN IT'], rows), ...calls].join('\n'));
};
