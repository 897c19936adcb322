// Automations and what their runs did, for people.
import { minuteText } from '../../instant-text.ts';
import type { Automation, AutomationTrace } from '@weft/contract';
import type { AgentClient } from '@weft/client/node';
import type { CommandContext } from '../../context.ts';
import { EXIT } from '../../exit.ts';
import { pairs } from '../../table.ts';

/** In a word, or with the reason why it is off. */
export function stateOf({ enabled, disabled_reason: reason }: Pick<Automation, 'enabled' | 'disabled_reason'>): string {
  if (enabled) return 'on';
  return reason === undefined ? 'off' : `off: ${reason}`;
}

export function automationWords(automation: Automation): string {
  const { id, name, triggers, conditions = [], actions, mode, max, last_run: last, next_run_at: next } = automation;
  const parts = (label: string, all: readonly object[]) => all.map((part, i) => [`${label} ${i}`, JSON.stringify(part)] as const);
  return pairs([
    ['Automation', `${id}, ${name}`],
    ['State', stateOf(automation)],
    ['Mode', max === undefined ? mode : `${mode}, at most ${max}`],
    ...parts('Trigger', triggers),
    ...parts('Condition', conditions),
    ...parts('Action', actions),
    ['Last run', last ? `${last.id} (${last.status})` : 'none'],
    ...(next === undefined ? [] : ([['Next', `${minuteText(next)} UTC`]] as const)),
  ]);
}

/** Shows what run `id` did; the exit code. */
export async function showTrace(context: CommandContext, client: AgentClient, id: number): Promise<number> {
  const results = await client.runs.results({ id }, { signal: context.signal });
  // The output of a run of an automation is its trace.
  const trace = results.output as AutomationTrace | undefined;
  context.show(results, trace ? traceWords(id, trace) : `Run ${id} is none of an automation.`);
  if (results.failure)
    context.say(`weft: ${results.failure.message}\nCause: ${results.failure.code} in ${results.failure.step_id ?? 'the run'}`);
  return results.status === 'failed' ? EXIT.failed : EXIT.done;
}

function traceWords(id: number, { automation, trigger, outcome, reason, conditions, actions }: AutomationTrace): string {
  const disabled = automation.enabled ? '' : ', though it is disabled';
  return pairs([
    ['Run', `${id} of ${automation.name}`],
    ['Trigger', `${String(trigger['type'])} at ${String(trigger['at'])}: ${String(trigger['summary'])}`],
    ['Outcome', `${outcome}${disabled}${reason === undefined ? '' : `: ${reason}`}`],
    ...conditions.map(({ holds, reasons }, i) => [`Condition ${i}`, `${holds ? 'holds' : 'does not hold'}: ${reasons.join(' ')}`] as const),
    ...actions.map(
      ({ type, status, message }, i) =>
        [`Action ${i}`, `${type} ${status.replace('_', ' ')}${message === undefined ? '' : `: ${message}`}`] as const,
    ),
  ]);
}
