// Rows of runs of automations, and of what each action has done.
import type { ActionTrace, RunFailure } from '@weft/contract';
import type { Database } from '../db/open.ts';
import { allRows } from '../db/rows.ts';

export interface AutomationRunRow {
  readonly run_id: number;
  readonly automation_id: number;
  readonly was_enabled: 0 | 1;
  /** JSON of the AutomationDefinition that it began with. */
  readonly definition: string;
  /** JSON of a TriggerData. */
  readonly trigger: string;
  /** How many automations led here, this one among them. */
  readonly depth: number;
  /** Why it does nothing; null where it acts. */
  readonly refused: string | null;
  /** JSON of a list of `host:port`: what the payload of who may name private addresses names. */
  readonly private_targets: string;
  /** JSON of a list of ConditionTrace; null before they were decided. */
  readonly conditions: string | null;
}

export interface ActionRow {
  readonly run_id: number;
  readonly place: number;
  readonly status: ActionTrace['status'];
  readonly message: string;
  readonly code: RunFailure['code'] | null;
  readonly child_id: number | null;
  readonly until_at: number | null;
  readonly started_at: number;
  readonly finished_at: number | null;
}

export interface AutomationRunRows {
  insert(row: Omit<AutomationRunRow, 'conditions'>): void;
  find(runId: number): AutomationRunRow | undefined;
  keepConditions(runId: number, conditions: string): void;
  actionsOf(runId: number): readonly ActionRow[];
  action(runId: number, place: number): ActionRow | undefined;
  addAction(row: ActionRow): void;
  endAction(runId: number, place: number, end: Pick<ActionRow, 'status' | 'message' | 'code' | 'finished_at'>): void;
}

export function createAutomationRunRows({ fast }: Database): AutomationRunRows {
  const insert = fast.prepare(
    `INSERT INTO automation_run (run_id, automation_id, was_enabled, definition, trigger, depth, refused, private_targets)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const find = fast.prepare('SELECT * FROM automation_run WHERE run_id = ?');
  const keep = fast.prepare('UPDATE automation_run SET conditions = ? WHERE run_id = ?');
  const actions = fast.prepare('SELECT * FROM automation_action WHERE run_id = ? ORDER BY place');
  const action = fast.prepare('SELECT * FROM automation_action WHERE run_id = ? AND place = ?');
  const add = fast.prepare(
    `INSERT INTO automation_action (run_id, place, status, message, code, child_id, until_at, started_at, finished_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const end = fast.prepare(
    'UPDATE automation_action SET status = ?, message = ?, code = ?, finished_at = ? WHERE run_id = ? AND place = ?',
  );
  return {
    insert: ({ run_id: runId, automation_id: automationId, was_enabled, definition, trigger, depth, refused, private_targets: targets }) =>
      void insert.run(runId, automationId, was_enabled, definition, trigger, depth, refused, targets),
    find: (runId) => find.get(runId) as AutomationRunRow | undefined,
    keepConditions: (runId, conditions) => void keep.run(conditions, runId),
    actionsOf: (runId) => allRows<ActionRow>(actions, runId),
    action: (runId, place) => action.get(runId, place) as ActionRow | undefined,
    addAction: (row) => {
      const { run_id: runId, place, status, message, code, child_id: child, until_at: until, started_at, finished_at } = row;
      add.run(runId, place, status, message, code, child, until, started_at, finished_at);
    },
    endAction: (runId, place, { status, message, code, finished_at }) => void end.run(status, message, code, finished_at, runId, place),
  };
}
