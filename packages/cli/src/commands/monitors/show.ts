// weft monitor show <monitor>
import type { Monitor, Selector } from '@weft/contract';
import { lineText } from '../../cell.ts';
import type { CommandRun } from '../../spec.ts';
import { pairs } from '../../table.ts';
import { minuteText } from '../../instant-text.ts';
import { findMonitor } from './refs.ts';
import { scheduleText, stateText, valueLines, whenText } from './words.ts';

const LINE_MAX = 200;

export const run: CommandRun = async (context, [ref = '']) => {
  const client = await context.client();
  const monitor = await findMonitor(client, ref, context.signal);
  context.show(monitor, monitorText(monitor, Date.now()));
};

function monitorText(monitor: Monitor, nowMs: number): string {
  const { id, name, url, workflow_id: workflow, schedule, state, tags, channels, checks, changes, dataset_id: dataset } = monitor;
  const facts = pairs([
    ['monitor', `${id}, ${lineText(name, LINE_MAX)}`],
    ['watches', url ?? `workflow ${workflow}`],
    ['checked', `${scheduleText(schedule)}, ${checks} ${checks === 1 ? 'time' : 'times'} so far`],
    [
      'state',
      `${stateText(monitor)} since ${minuteText(state.since)} UTC${state.message === undefined ? '' : `: ${lineText(state.message, LINE_MAX)}`}`,
    ],
    ...(monitor.flapping ? [['flapping', 'it comes back to what it was before'] as const] : []),
    ...(monitor.last_checked_at === undefined ? [] : [['last check', whenText(monitor.last_checked_at, nowMs)] as const]),
    ...(monitor.next_check_at === undefined ? [] : [['next check', whenText(monitor.next_check_at, nowMs)] as const]),
    ['changes', changes],
    ...(tags.length > 0 ? [['tags', tags.join(' ')] as const] : []),
    ...(channels === undefined ? [] : [['told to', channels.map((channel) => `channel ${channel}`).join(', ') || 'nobody'] as const]),
    ['dataset', dataset],
  ]);
  const values = monitor.values.length > 0 ? ['', ...valueLines(monitor.values)] : [];
  const selectors = monitor.selectors.length > 0 ? ['', ...monitor.selectors.map(selectorLine)] : [];
  return [facts, ...values, ...selectors].join('\n');
}

function selectorLine({ id, name, active, extractors, missing, proposal }: Selector): string {
  const reads = extractors.map(({ type }) => type).join(', ') || 'text';
  const off = active ? '' : ', not active';
  const gone = missing === 0 ? '' : `, missing in ${missing} checks in a row`;
  const repair = proposal ? `, a repair is proposed: ${lineText(proposal.selector, LINE_MAX)}` : '';
  return `selector ${id}  ${lineText(name, LINE_MAX)}: ${reads}${off}${gone}${repair}`;
}
