// weft monitor selector clear <monitor> [selector]: forgets the baseline; the next check records it anew.
import type { CommandRun } from '../../../spec.ts';
import { findMonitor, findSelector } from '../refs.ts';

export const run: CommandRun = async (context, [ref = '', number]) => {
  const client = await context.client();
  const { signal } = context;
  const monitor = await findMonitor(client, ref, signal);
  const { id } = findSelector(monitor, number);
  const selector = await client.selectors.clearBaseline({ id: monitor.id, selector_id: id }, { signal });
  context.show(selector, `Selector ${id} has no baseline; its next check records one.`);
};
