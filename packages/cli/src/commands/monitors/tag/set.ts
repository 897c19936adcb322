// weft monitor tag set <tag>: settings that all monitors with it share; a new tag, or changes of one.
import { ApiError } from '@weft/client/node';
import type { CommandRun } from '../../../spec.ts';
import { requireAny, settingsOf, unsetOf } from '../settings.ts';
import { scheduleText } from '../words.ts';

export const run: CommandRun = async (context, [name = ''], options) => {
  const settings = settingsOf(options);
  const patch = requireAny({ ...unsetOf(options), ...settings }, 'weft monitor tag set --help');
  const client = await context.client();
  const { signal } = context;
  const tag = await client.monitorTags.update({ name, ...patch }, { signal }).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'not_found' || !error.message.includes(`"${name}"`)) throw error;
    return client.monitorTags.put({ name, ...settings }, { signal });
  });
  const when = tag.schedule ? `, checked ${scheduleText(tag.schedule)}` : '';
  context.show(tag, `Tag ${tag.name} is set for ${tag.monitors === 1 ? '1 monitor' : `${tag.monitors} monitors`}${when}.`);
};
