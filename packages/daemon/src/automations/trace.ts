// The trace of a run: what made its automation act, what was decided, and what it did.
import type { ActionTrace, AutomationTrace, ConditionTrace, RunStatus } from '@weft/contract';
import { isSettled } from '@weft/contract';
import { toInstant } from '@weft/serve';
import type { KindResults } from '../runs/executor.ts';
import type { RunStore } from '../runs/run.ts';
import { parseDefinition } from './definition.ts';
import type { ActionRow, AutomationRunRow, AutomationRunRows } from './run-store.ts';

/** What run `id` came to so far. */
export function automationResults(id: number, rows: AutomationRunRows, runs: Pick<RunStore, 'find'>): KindResults {
  const row = rows.find(id);
  const run = runs.find(id);
  if (!row || !run) return {};
  const actions = rows.actionsOf(id);
  const output = traceOf(row, actions, run.status, run.source_name);
  const failed = actions.filter(({ status }) => status === 'failed');
  return { output, warnings: failed.map(({ place, message }) => `actions[${place}] failed: ${message}`) };
}

function traceOf(row: AutomationRunRow, actions: readonly ActionRow[], status: RunStatus, name: string): AutomationTrace {
  const conditions = JSON.parse(row.conditions ?? '[]') as ConditionTrace[];
  return {
    automation: { id: row.automation_id, name, enabled: row.was_enabled === 1 },
    trigger: JSON.parse(row.trigger) as AutomationTrace['trigger'],
    outcome: outcomeOf(row, conditions, status),
    ...(row.refused === null ? {} : { reason: row.refused }),
    conditions,
    actions: parseDefinition(row).actions.map(({ type }, place) => {
      const done = actions.find((action) => action.place === place);
      return done ? actionTrace(type, done) : { type, status: 'not_reached' };
    }),
  };
}

function outcomeOf({ refused }: AutomationRunRow, conditions: readonly ConditionTrace[], status: RunStatus): AutomationTrace['outcome'] {
  if (refused !== null) return 'refused';
  if (!isSettled(status)) return 'live';
  if (status === 'succeeded') return conditions.every(({ holds }) => holds) ? 'done' : 'conditions';
  return status === 'failed' ? 'failed' : 'cancelled';
}

function actionTrace(type: ActionTrace['type'], row: ActionRow): ActionTrace {
  const { status, message, child_id: child, started_at: started, finished_at: finished } = row;
  return {
    type,
    status,
    message,
    ...(child === null ? {} : { run_id: child }),
    started_at: toInstant(started),
    ...(finished === null ? {} : { finished_at: toInstant(finished) }),
  };
}
