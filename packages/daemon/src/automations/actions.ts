// What actions do on this agent: each in one transaction with the row that says that it was done.
import { AppError } from '@weft/contract';
import { ActionFault } from '@weft/engine';
import type { Clock, Order } from '@weft/engine';
import type { CrawlDefinitions } from '../crawl/definition.ts';
import { targetsInTexts } from '../auth/private-targets.ts';
import type { Database } from '../db/open.ts';
import { transaction } from '../db/open.ts';
import type { Monitors } from '../monitors/monitor.ts';
import type { Notices } from '../notices/notice.ts';
import type { RunRow } from '../runs/run.ts';
import type { Workflows } from '../workflows/workflow.ts';
import type { Automations } from './automation.ts';
import { parseDefinition } from './definition.ts';
import type { ActionRow, AutomationRunRow, AutomationRunRows } from './run-store.ts';

export interface ActionPorts {
  readonly database: Database;
  readonly rows: AutomationRunRows;
  readonly clock: Clock;
  readonly workflows: Pick<Workflows, 'run'>;
  readonly crawls: Pick<CrawlDefinitions, 'runFor'>;
  readonly monitors: Pick<Monitors, 'check' | 'update'>;
  readonly automations: Pick<Automations, 'enable'>;
  readonly notices: Pick<Notices, 'tell'>;
}

/** What an action did. */
interface Deed {
  readonly message: string;
  readonly childId?: number;
  readonly untilMs?: number;
  /** It has ended with that. */
  readonly isDone: boolean;
}

/** Does what `order` says as action `place` of `run`; answers its row. Throws ActionFault, and then nothing was done. */
export function beginAction(run: RunRow, place: number, order: Order, ports: ActionPorts): ActionRow {
  const { database, rows, clock } = ports;
  return orFault(() =>
    transaction(database.fast, () => {
      const before = rows.action(run.id, place);
      const of = rows.find(run.id);
      if (before) return before;
      if (!of) throw new Error(`Run ${run.id} is none of an automation.`);
      const { message, childId = null, untilMs = null, isDone } = act(run, of, place, order, ports);
      const nowMs = clock.now();
      const ended = isDone ? ({ status: 'done', finished_at: nowMs } as const) : ({ status: 'running', finished_at: null } as const);
      const row = { run_id: run.id, place, message, code: null, child_id: childId, until_at: untilMs, started_at: nowMs, ...ended };
      rows.addAction(row);
      return row;
    }),
  );
}

function act(run: RunRow, of: AutomationRunRow, place: number, order: Order, ports: ActionPorts): Deed {
  const made = { trigger: 'automation', parent_id: run.id } as const;
  const { actions } = parseDefinition(of);
  const action = actions[place];
  const isDone = action !== undefined && 'wait' in action && action.wait === false;
  switch (order.type) {
    case 'run_workflow': {
      // Who wrote the automation may name private addresses, and who called it may where they are an administrator; what a page says may not (D31).
      const mayName = [...targetsInTexts(action), ...(JSON.parse(of.private_targets) as string[])];
      const childId = ports.workflows.run(String(order.workflowId), { inputs: order.inputs, made }, { id: run.owner_id, mayName });
      return { message: `Run ${childId} of workflow ${order.workflowId} was made.`, childId, isDone };
    }
    case 'run_crawl': {
      const childId = ports.crawls.runFor(order.ref, run.owner_id, made);
      return { message: `Run ${childId} of saved crawl ${order.ref} was made.`, childId, isDone };
    }
    case 'check': {
      const childId = ports.monitors.check(order.monitor_id, run.owner_id, made);
      return { message: `Check ${childId} of monitor ${order.monitor_id} was made.`, childId, isDone };
    }
    case 'notify':
      return { message: tell(run, of, place, order, ports), isDone: true };
    case 'set':
      return { message: set(order, ports), isDone: true };
    case 'pause':
      return { message: `Until ${new Date(order.untilMs).toISOString()}.`, untilMs: order.untilMs, isDone: false };
  }
}

function tell(
  run: RunRow,
  of: AutomationRunRow,
  place: number,
  { channels, title, body, level }: Extract<Order, { readonly type: 'notify' }>,
  { notices }: ActionPorts,
): string {
  const automation = { id: of.automation_id, name: run.source_name };
  const { monitor, change } = JSON.parse(of.trigger) as Readonly<Record<string, unknown>>;
  const deliveries = notices.tell({
    event: 'automation.notice',
    subject: { kind: 'automation', ...automation },
    ...(channels ? { channels } : {}),
    level,
    data: {
      title,
      message: body,
      automation,
      run: { id: run.id },
      ...(monitor === undefined ? {} : { monitor }),
      ...(change === undefined ? {} : { change }),
    },
    dedupe_key: `automation-${run.id}-${place}`,
  });
  return deliveries.length === 0 ? 'No channel is told: there is none.' : `Deliveries ${deliveries.join(', ')} were queued.`;
}

function set(order: Extract<Order, { readonly type: 'set' }>, { monitors, automations }: ActionPorts): string {
  const { monitor_id: monitor, automation_id: automation, patch } = order;
  if (automation !== undefined && 'enabled' in patch) {
    const { enabled } = automations.enable(automation, patch.enabled);
    return `Automation ${automation} is ${enabled ? 'enabled' : 'disabled'}.`;
  }
  if (monitor === undefined || 'enabled' in patch) throw new Error('An action that sets nothing was kept.');
  monitors.update(monitor, patch);
  return `${Object.keys(patch).join(', ')} of monitor ${monitor} ${Object.keys(patch).length === 1 ? 'was' : 'were'} set.`;
}

function orFault<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new ActionFault(error.code === 'vault_locked' ? 'vault_locked' : 'input', error.message);
  }
}
