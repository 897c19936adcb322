// Steps that runs no longer found their element for, as they would find it now; a person decides.
import { AppError } from '@weft/contract';
import type { Step, WorkflowRepair } from '@weft/contract';
import type { StepRepair } from '@weft/engine';
import { toInstant } from '@weft/serve';
import { transaction } from '../db/open.ts';
import type { Database } from '../db/open.ts';
import { allRows } from '../db/rows.ts';

export interface WorkflowRepairs {
  /** Keeps what a run proposed; the newest of a step stays. */
  propose(of: { readonly workflowId: number; readonly revision: number; readonly runId: number }, repair: StepRepair, nowMs: number): void;
  /** By step. */
  list(workflowId: number, revision: number): WorkflowRepair[];
  /** Throws AppError `not_found`. */
  require(workflowId: number, revision: number, stepId: string): WorkflowRepair;
  /** The proposals of other steps stand for the next revision as well. */
  accepted(workflowId: number, stepId: string, revision: number): void;
  drop(workflowId: number, stepId: string): void;
}

interface RepairRow {
  readonly step_id: string;
  readonly run_id: number;
  readonly repair: string;
  readonly created_at: number;
}

export function createWorkflowRepairs({ fast }: Pick<Database, 'fast'>): WorkflowRepairs {
  const replace = fast.prepare(
    'INSERT OR REPLACE INTO workflow_repair (workflow_id, revision, step_id, run_id, repair, created_at) SELECT id, revision, ?, ?, ?, ? FROM workflow WHERE id = ? AND revision = ?',
  );
  const select = fast.prepare(
    'SELECT step_id, run_id, repair, created_at FROM workflow_repair WHERE workflow_id = ? AND revision = ? ORDER BY step_id',
  );
  const remove = fast.prepare('DELETE FROM workflow_repair WHERE workflow_id = ? AND step_id = ?');
  const carry = fast.prepare('UPDATE workflow_repair SET revision = ?2 WHERE workflow_id = ?1 AND revision = ?2 - 1');
  const list: WorkflowRepairs['list'] = (id, revision) => allRows<RepairRow>(select, id, revision).map(shown);
  const drop: WorkflowRepairs['drop'] = (id, stepId) => void remove.run(id, stepId);
  return {
    propose: ({ workflowId, revision, runId }, { stepId, ...repair }, nowMs) =>
      void replace.run(stepId, runId, JSON.stringify(repair), nowMs, workflowId, revision),
    list,
    require(id, revision, stepId) {
      const found = list(id, revision).find(({ step_id }) => step_id === stepId);
      if (!found) throw new AppError('not_found', `There is no proposal for step "${stepId}" of workflow ${id}.`);
      return found;
    },
    accepted: (id, stepId, revision) =>
      transaction(fast, () => {
        drop(id, stepId);
        carry.run(id, revision);
      }),
    drop,
  };
}

/** The steps with `changed` in the place of the one of its id, however deep. */
export function withStep(steps: readonly Step[], changed: Step): Step[] {
  return steps.map((step) => {
    if (step.id === changed.id) return changed;
    if (step.type === 'if') {
      const branches = step.branches.map((branch) => ({ ...branch, body: withStep(branch.body, changed) }));
      return { ...step, branches, ...(step.else ? { else: withStep(step.else, changed) } : {}) };
    }
    const isHolder = step.type === 'forEach' || step.type === 'while' || step.type === 'paginate';
    return isHolder ? { ...step, body: withStep(step.body, changed) } : step;
  });
}

function shown({ step_id, run_id, repair, created_at }: RepairRow): WorkflowRepair {
  // Written by `propose` alone.
  const { step, score, evidence } = JSON.parse(repair) as Omit<StepRepair, 'stepId'>;
  return { step_id, run_id, step, score, evidence: [...evidence], created_at: toInstant(created_at) };
}
