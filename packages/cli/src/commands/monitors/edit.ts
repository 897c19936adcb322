// weft monitor edit <monitor>: changes what the options say, and nothing else.
import { toUrl } from '../../address.ts';
import type { CommandRun } from '../../spec.ts';
import { findMonitor } from './refs.ts';
import { ownSettingsOf, requireAny, unsetOf } from './settings.ts';
import { scheduleText } from './words.ts';

export const run: CommandRun = async (context, [ref = ''], options) => {
  const { url } = options;
  const patch = requireAny(
    { ...unsetOf(options), ...(await ownSettingsOf(context, options)), ...(typeof url === 'string' ? { url: toUrl(url) } : {}) },
    'weft monitor edit --help',
  );
  const client = await context.client();
  const { id } = await findMonitor(client, ref, context.signal);
  const monitor = await client.monitors.update({ id, ...patch }, { signal: context.signal });
  const when = monitor.active ? `is checked ${scheduleText(monitor.schedule)}` : 'is paused';
  context.show(monitor, `Monitor ${id}, ${monitor.name}, ${when}.`);
};
