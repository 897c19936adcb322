// weft monitor remove <monitor>
import type { CommandRun } from '../../spec.ts';
import { findMonitor } from './refs.ts';

export const run: CommandRun = async (context, [ref = '']) => {
  const client = await context.client();
  const { id, name, dataset_id: dataset } = await findMonitor(client, ref, context.signal);
  await client.monitors.delete({ id }, { signal: context.signal });
  context.show({ id, name, deleted: true }, `Monitor ${id}, ${name}, is removed; its values stay in dataset ${dataset}.`);
};
