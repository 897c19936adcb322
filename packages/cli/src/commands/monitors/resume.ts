// weft monitor resume <monitor>
import type { CommandRun } from '../../spec.ts';
import { findMonitor } from './refs.ts';
import { scheduleText } from './words.ts';

export const run: CommandRun = async (context, [ref = '']) => {
  const client = await context.client();
  const { id } = await findMonitor(client, ref, context.signal);
  const monitor = await client.monitors.update({ id, active: true }, { signal: context.signal });
  context.show(monitor, `Monitor ${id}, ${monitor.name}, is checked ${scheduleText(monitor.schedule)} again.`);
};
