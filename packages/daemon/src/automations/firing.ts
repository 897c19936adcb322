// Sets automations off: each time a run, also where the mode of the automation refuses it.
import type { RunTrigger } from '@weft/contract';
import { admitRun } from '@weft/engine';
import type { TriggerData } from '@weft/engine';
import type { Clock } from '@weft/engine';
import { toInstant } from '@weft/serve';
import type { Database } from '../db/open.ts';
import { durably } from '../db/open.ts';
import type { Executor } from '../runs/executor.ts';
import type { Runs } from '../runs/run.ts';
import { modeOf, parseDefinition } from './definition.ts';
import type { AutomationRunRows } from './run-store.ts';
import { AUTOMATION_SOURCE } from './store.ts';
import type { AutomationRow, AutomationStore } from './store.ts';

/** For whom, and why. */
export interface SetOff {
  readonly data: TriggerData;
  readonly made: Extract<RunTrigger, 'automation' | 'schedule' | 'call'>;
  readonly ownerId: string;
  /** How many automations led here, this one among them. */
  readonly depth: number;
  /** Private addresses, as `host:port`, that the payload may lead to (D31). */
  readonly privateTargets: readonly string[];
}

/** Makes the run, in one transaction; its id. Throws AppError `device_capacity`. */
export type Fire = (row: AutomationRow, how: SetOff) => number;

export interface FiringPorts {
  readonly database: Database;
  readonly store: Pick<AutomationStore, 'liveRuns'>;
  readonly rows: Pick<AutomationRunRows, 'insert'>;
  readonly runs: Pick<Runs, 'create' | 'append' | 'settle'>;
  readonly clock: Clock;
  /** Asked for later: the executor is made of the kinds of runs. */
  readonly executor: () => Pick<Executor, 'abort'>;
}

export function createFiring(ports: FiringPorts): Fire {
  const { database, store, runs, executor } = ports;
  return (row, how) =>
    durably(database.fast, () => {
      const live = store.liveRuns(row.id);
      const admission = admitRun({ ...modeOf(parseDefinition(row)), live, depth: how.depth });
      const id = insertRun(row, how, admission.kind === 'refuse' ? admission.reason : undefined, ports);
      if (admission.kind === 'refuse') {
        runs.append(id, { type: 'log', level: 'warn', message: admission.reason });
        runs.settle(id, 'cancelled');
      }
      if (admission.kind === 'restart') {
        for (const other of live) runs.settle(other, 'cancelled');
        queueMicrotask(() => live.forEach((other) => executor().abort(other)));
      }
      return id;
    });
}

function insertRun(row: AutomationRow, how: SetOff, refused: string | undefined, { rows, runs, clock }: FiringPorts): number {
  const { data, made, ownerId, depth, privateTargets } = how;
  const source = { source_kind: AUTOMATION_SOURCE, source_id: row.id, source_name: row.name };
  const { id } = runs.create({ kind: 'automation', ...source, owner_id: ownerId, trigger: made }, (runId) => {
    rows.insert({
      run_id: runId,
      automation_id: row.id,
      was_enabled: row.enabled,
      definition: row.definition,
      trigger: JSON.stringify({ ...data, at: toInstant(clock.now()) }),
      depth,
      refused: refused ?? null,
      private_targets: JSON.stringify(privateTargets),
    });
    return null;
  });
  runs.append(id, { type: 'log', level: 'info', message: data.summary });
  if (row.enabled === 0)
    runs.append(id, { type: 'log', level: 'warn', message: 'The automation is disabled; it acts because somebody ran it.' });
  return id;
}
