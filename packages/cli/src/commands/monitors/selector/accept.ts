// weft monitor selector accept <monitor> [selector]: takes a proposed repair over.
import type { CommandRun } from '../../../spec.ts';
import { findMonitor, findSelector } from '../refs.ts';

export const run: CommandRun = async (context, [ref = '', number]) => {
  const client = await context.client();
  const { signal } = context;
  const monitor = await findMonitor(client, ref, signal);
  const { id } = findSelector(monitor, number);
  const selector = await client.selectors.accept({ id: monitor.id, selector_id: id }, { signal });
  context.show(selector, `Selector ${id} looks by ${selector.name} now.`);
};
