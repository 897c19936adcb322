// weft monitor selector remove <monitor> <selector>
import type { CommandRun } from '../../../spec.ts';
import { findMonitor, findSelector } from '../refs.ts';

export const run: CommandRun = async (context, [ref = '', number = '']) => {
  const client = await context.client();
  const monitor = await findMonitor(client, ref, context.signal);
  const { id, name } = findSelector(monitor, number);
  await client.selectors.delete({ id: monitor.id, selector_id: id }, { signal: context.signal });
  context.show({ id, deleted: true }, `Selector ${id}, ${name}, is removed; its changes stay.`);
};
