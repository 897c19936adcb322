// The run of an automation: its conditions, then its actions in their order. What was done is not done again, whatever ended the process.
import type { Action, RunFailure } from '@weft/contract';
import { PageError } from '../errors.ts';
import { TemplateError } from '../run/template/parse.ts';
import { renderJson, renderPlain } from '../run/template/render.ts';
import type { Scope } from '../run/template/render.ts';
import { isMembers } from '../run/value.ts';
import { actionsRead, monitorsRead, templatesOf } from './check.ts';
import { decideConditions } from './conditions.ts';
import { ActionFault } from './ports.ts';
import type { AutomationPorts, AutomationRun, BegunAction, Order } from './ports.ts';

/** Does what is left of run `id`. Answers why it failed; undefined where it did not, or its conditions do not hold. */
export async function runAutomation(id: number, ports: AutomationPorts, signal: AbortSignal): Promise<RunFailure | undefined> {
  await ports.myTurn(signal);
  const run = await ports.store.load(id);
  if (!run || signal.aborted) return undefined;
  if (!(await mayAct(run, ports))) return undefined;
  for (const [place, action] of run.actions.entries()) {
    const failure = await act(run, place, action, ports, signal);
    if (signal.aborted) return undefined;
    if (failure && action.continue_on_error !== true) return failure;
  }
  return undefined;
}

async function mayAct(run: AutomationRun, { store, clock, tell, ...ports }: AutomationPorts): Promise<boolean> {
  if (run.decided) return run.decided.every(({ holds }) => holds);
  const scope = { trigger: run.trigger, ...(await monitorsIn(run.conditions, ports)) };
  const decided = await decideConditions(run.conditions, scope, clock.now());
  await store.keepConditions(run.id, decided);
  for (const [i, { holds, reasons }] of decided.entries())
    tell({ kind: 'sentence', level: 'info', message: `Condition ${i} ${holds ? 'holds' : 'does not hold'}: ${reasons.join(' ')}` });
  return decided.every(({ holds }) => holds);
}

/** What became of an action, now or before. */
async function act(
  run: AutomationRun,
  place: number,
  action: Action,
  ports: AutomationPorts,
  signal: AbortSignal,
): Promise<RunFailure | undefined> {
  const { store, tell } = ports;
  const { type } = action;
  const before = run.begun.get(place);
  if (before && before.status !== 'running')
    return before.status === 'failed' ? failureAt(place, before.code ?? 'input', before.message) : undefined;
  if (!before) tell({ kind: 'action', place, type, status: 'started', message: type });
  try {
    const begun = before ?? (await store.begin(run.id, place, await orderOf(action, run, ports)));
    const message = begun.status === 'running' ? await finish(begun, action, ports, signal) : begun.message;
    if (signal.aborted) return undefined;
    if (begun.status === 'running') await store.end(run.id, place, message, undefined);
    tell({ kind: 'action', place, type, status: 'succeeded', message });
    return undefined;
  } catch (error) {
    const { code, message } = faultOf(error);
    if (signal.aborted) return undefined;
    await store.end(run.id, place, message, code);
    tell({ kind: 'action', place, type, status: 'failed', message });
    return failureAt(place, code, message);
  }
}

/** What an action waits for. Throws ActionFault where its run fails. */
async function finish(begun: BegunAction, action: Action, ports: AutomationPorts, signal: AbortSignal): Promise<string> {
  const { runId, untilMs, message } = begun;
  if (untilMs !== undefined) await ports.pause(untilMs, signal);
  if (runId === undefined) return message;
  const { status, failure } = await ports.follow(runId, signal);
  if (status === 'succeeded') return `${message} Run ${runId} succeeded.`;
  throw new ActionFault(failure?.code ?? 'input', `Run ${runId} of ${action.type} ${status}${failure ? `: ${failure.message}` : '.'}`);
}

/** The action with its templates filled in. Throws ActionFault, TemplateError. */
async function orderOf(action: Action, run: AutomationRun, ports: AutomationPorts): Promise<Order> {
  const scope = await scopeOf(action, run, ports);
  switch (action.type) {
    case 'run_workflow': {
      const inputs = renderJson(action.inputs ?? {}, scope);
      return { type: 'run_workflow', workflowId: action.workflow_id, inputs: isMembers(inputs) ? inputs : {} };
    }
    case 'notify': {
      const { channels, title = run.automation.name, body = run.trigger.summary, level = 'info' } = action;
      // What is no template of this action may hold braces.
      const filled = (text: string, own: string | undefined) => (own === undefined ? text : renderPlain(text, scope));
      return { type: 'notify', channels, title: filled(title, action.title), body: filled(body, action.body), level };
    }
    case 'pause':
      return { type: 'pause', untilMs: ports.clock.now() + action.seconds * 1000 };
    case 'run_crawl':
    case 'check':
    case 'set':
      return action;
  }
}

async function scopeOf(action: Action, run: AutomationRun, ports: AutomationPorts): Promise<Scope> {
  const templates = templatesOf(action);
  const { begun } = (await ports.store.load(run.id)) ?? run;
  const results: Record<string, unknown> = {};
  for (const place of actionsRead(templates)) {
    const { status, message, runId } = begun.get(place) ?? {};
    results[String(place)] = { status, message, ...(runId === undefined ? {} : { run: { id: runId, ...(await ports.resultOf(runId)) } }) };
  }
  return { trigger: run.trigger, actions: results, ...(await monitorsIn(templates, ports)) };
}

/** `values` and `states` of the monitors that templates read, as they are now. */
async function monitorsIn(templates: unknown, { readingOf }: Pick<AutomationPorts, 'readingOf'>): Promise<Scope> {
  const values: Record<string, unknown> = {};
  const states: Record<string, unknown> = {};
  for (const id of monitorsRead(templates)) {
    const reading = await readingOf(id);
    values[String(id)] = reading?.values;
    states[String(id)] = reading?.state;
  }
  return { values, states };
}

function faultOf(error: unknown): { readonly code: RunFailure['code']; readonly message: string } {
  if (error instanceof ActionFault) return error;
  if (error instanceof TemplateError) return { code: 'input', message: `A template ${error.message}.` };
  if (error instanceof PageError && error.code === 'aborted') return { code: 'interrupted', message: error.message };
  throw error;
}

function failureAt(place: number, code: RunFailure['code'], message: string): RunFailure {
  return { code, message, step_id: `actions[${place}]` };
}
