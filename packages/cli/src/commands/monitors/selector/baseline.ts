// weft monitor selector baseline <monitor> [selector]: records anew what there is, which later checks are held against.
import type { CommandRun } from '../../../spec.ts';
import { findMonitor, findSelector } from '../refs.ts';

export const run: CommandRun = async (context, [ref = '', number]) => {
  const client = await context.client();
  const { signal } = context;
  const monitor = await findMonitor(client, ref, signal);
  const { id } = findSelector(monitor, number);
  const selector = await client.selectors.setBaseline({ id: monitor.id, selector_id: id }, { signal });
  context.show(selector, `Selector ${id} has the page of now as its baseline.`);
};
