// weft automation list
import { minuteText } from '../../instant-text.ts';
import { listPage } from '../../list-page.ts';
import type { CommandRun } from '../../spec.ts';
import { table } from '../../table.ts';
import { stateOf } from './told.ts';

export const run: CommandRun = async (context, _args, options) => {
  const { search } = options;
  const page = listPage(context, options);
  const client = await context.client();
  const q = typeof search === 'string' ? { q: search } : {};
  const automations = await client.automations.list({ ...q, ...page.query }, page.call);
  const rows = automations.map((automation) => [
    String(automation.id),
    automation.name,
    stateOf(automation),
    automation.triggers.map(({ type }) => type).join(' '),
    automation.last_run ? `${automation.last_run.id} (${automation.last_run.status})` : 'none',
    automation.next_run_at === undefined ? '' : minuteText(automation.next_run_at),
  ]);
  context.show(automations, table(['ID', 'NAME', 'STATE', 'TRIGGERS', 'LAST RUN', 'NEXT (UTC)'], rows));
  page.tell(automations.length);
};
