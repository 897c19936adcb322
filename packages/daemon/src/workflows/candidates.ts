// What runs of workflows found out about going by HTTP instead of in a browser; of the newest revision that they were of.
import type { Step, WorkflowCandidate } from '@weft/contract';
import { judgeCandidate } from '@weft/engine';
import type { CandidateVerdict, HttpCandidate } from '@weft/engine';
import { toInstant } from '@weft/serve';
import { transaction } from '../db/open.ts';
import type { Database } from '../db/open.ts';

export interface WorkflowCandidates {
  find(workflowId: number, revision: number): HttpCandidate | undefined;
  /** What one more run found out. */
  note(workflowId: number, revision: number, verdict: CandidateVerdict, hasInputs: boolean, nowMs: number): void;
  /** For people. */
  describe(workflowId: number, revision: number): WorkflowCandidate;
  forget(workflowId: number): void;
}

interface CandidateRow {
  readonly candidate: string;
  readonly updated_at: number;
}

export function createWorkflowCandidates({ fast }: Pick<Database, 'fast'>): WorkflowCandidates {
  const select = fast.prepare('SELECT candidate, updated_at FROM workflow_candidate WHERE workflow_id = ? AND revision = ?');
  const replace = fast.prepare(
    'INSERT OR REPLACE INTO workflow_candidate (workflow_id, revision, candidate, updated_at) VALUES (?, ?, ?, ?)',
  );
  const isNewest = fast.prepare('SELECT 1 FROM workflow WHERE id = ? AND revision = ?');
  const remove = fast.prepare('DELETE FROM workflow_candidate WHERE workflow_id = ?');
  const rowOf = (id: number, revision: number) => select.get(id, revision) as CandidateRow | undefined;
  // Written by `note` alone.
  const parse = (row: CandidateRow) => JSON.parse(row.candidate) as HttpCandidate;
  const find: WorkflowCandidates['find'] = (id, revision) => {
    const row = rowOf(id, revision);
    return row && parse(row);
  };
  return {
    find,
    note: (id, revision, verdict, hasInputs, nowMs) =>
      transaction(fast, () => {
        // A run of an earlier revision says nothing of this one.
        if (isNewest.get(id, revision))
          replace.run(id, revision, JSON.stringify(judgeCandidate(find(id, revision), verdict, hasInputs)), nowMs);
      }),
    describe: (id, revision) => {
      const row = rowOf(id, revision);
      if (!row) return { status: 'none', reason: 'no run has shown yet whether there can be one', steps: [], runs_since_shadow: 0 };
      const { status, reason, steps, runsSince } = parse(row);
      return { status, reason, steps: steps as Step[], runs_since_shadow: runsSince, updated_at: toInstant(row.updated_at) };
    },
    forget: (id) => void remove.run(id),
  };
}
