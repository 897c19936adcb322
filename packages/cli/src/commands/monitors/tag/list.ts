// weft monitor tag list
import type { MonitorTag } from '@weft/contract';
import type { CommandRun } from '../../../spec.ts';
import { table } from '../../../table.ts';
import { scheduleText } from '../words.ts';

const LIMIT_MAX = 500;
/** What is told of a tag beside its settings. */
const OWN = ['name', 'monitors', 'updated_at', 'schedule'];

export const run: CommandRun = async (context) => {
  const client = await context.client();
  const { signal } = context;
  const tags = await client.monitorTags.list({ limit: LIMIT_MAX }, { signal });
  const rows = tags.data.map((tag) => [
    tag.name,
    String(tag.monitors),
    tag.schedule ? scheduleText(tag.schedule) : '',
    settingNames(tag).join(', '),
  ]);
  context.show(tags, table(['TAG', 'MONITORS', 'CHECKED', 'OTHER SETTINGS'], rows));
  const named = new Set((await client.monitors.list({}, { signal })).flatMap((monitor) => monitor.tags));
  const without = [...named].filter((name) => !tags.data.some((tag) => tag.name === name)).sort();
  if (without.length > 0) context.say(`weft: named by monitors, without settings: ${without.join(', ')}`);
};

function settingNames(tag: MonitorTag): readonly string[] {
  return Object.keys(tag).filter((name) => !OWN.includes(name));
}
