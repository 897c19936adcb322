// weft monitor tag list
import type { MonitorTag } from '@weft/contract';
import { listPage } from '../../../list-page.ts';
import type { CommandRun } from '../../../spec.ts';
import { table } from '../../../table.ts';
import { scheduleText } from '../words.ts';

/** What is told of a tag beside its settings. */
const OWN = ['name', 'monitors', 'updated_at', 'schedule'];

export const run: CommandRun = async (context, _args, options) => {
  const page = listPage(context, options);
  const client = await context.client();
  const { signal } = context;
  const tags = await client.monitorTags.list(page.query, page.call);
  const rows = tags.data.map((tag) => [
    tag.name,
    String(tag.monitors),
    tag.schedule ? scheduleText(tag.schedule) : '',
    settingNames(tag).join(', '),
  ]);
  context.show(tags, table(['TAG', 'MONITORS', 'CHECKED', 'OTHER SETTINGS'], rows));
  page.tell(tags.data.length);
  const settings = new Set(await Array.fromAsync(client.monitorTags.list.all({}, { signal }), ({ name }) => name));
  const named = new Set((await client.monitors.list({}, { signal })).flatMap((monitor) => monitor.tags));
  const without = [...named].filter((name) => !settings.has(name)).sort();
  if (without.length > 0) context.say(`weft: named by monitors, without settings: ${without.join(', ')}`);
};

function settingNames(tag: MonitorTag): readonly string[] {
  return Object.keys(tag).filter((name) => !OWN.includes(name));
}
