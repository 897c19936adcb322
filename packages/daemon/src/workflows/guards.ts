// What the guards of workflows know: what the last good runs of the newest revision saw at their steps.
import { hash } from 'node:crypto';
import type { WorkflowGuard } from '@weft/contract';
import { GUARD_NUMBERS } from '@weft/engine';
import type { GoodReading, GoodReadings, RunEnd } from '@weft/engine';
import { toInstant } from '@weft/serve';
import { transaction } from '../db/open.ts';
import type { Database } from '../db/open.ts';
import { allRows } from '../db/rows.ts';

/** A run of a workflow at one of its revisions. */
export interface GuardedRun {
  readonly workflowId: number;
  readonly revision: number;
  /** JSON. */
  readonly inputs: string;
}

export interface WorkflowGuards {
  /** What a run is held against. */
  read(run: GuardedRun): GoodReadings;
  /** Keeps what a run saw, which counts only if the run is settled as succeeded. */
  learn(run: GuardedRun & { readonly runId: number }, seen: RunEnd['seen'], nowMs: number): void;
  /** By step, the newest run first. */
  list(workflowId: number, revision: number): WorkflowGuard[];
  forget(workflowId: number): void;
}

interface GuardRow {
  readonly run_id: number;
  readonly step_id: string;
  readonly inputs: Uint8Array;
  readonly seen: string;
  readonly learned_at: number;
}

/** A run that is no longer kept was good: what others saw goes with the next run that learns. */
const GOOD = `FROM workflow_guard AS guard LEFT JOIN run ON run.id = guard.run_id
  WHERE workflow_id = ?1 AND guard.revision = ?2 AND ifnull(run.status, 'succeeded') = 'succeeded'`;
const NEWEST = `SELECT DISTINCT run_id ${GOOD} ORDER BY run_id DESC LIMIT ${GUARD_NUMBERS.readings}`;

export function createWorkflowGuards({ fast }: Pick<Database, 'fast'>): WorkflowGuards {
  const newest = fast.prepare(
    `SELECT run_id, step_id, inputs, seen, learned_at ${GOOD} AND run_id IN (${NEWEST}) ORDER BY step_id, run_id DESC`,
  );
  const insert = fast.prepare(
    'INSERT INTO workflow_guard (workflow_id, revision, run_id, step_id, inputs, seen, learned_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const prune = fast.prepare(
    `DELETE FROM workflow_guard WHERE workflow_id = ?1 AND (revision < ?2 OR revision = ?2 AND run_id NOT IN (${NEWEST})
       AND run_id NOT IN (SELECT id FROM run WHERE status IN ('queued', 'running', 'waiting_human')))`,
  );
  const forget = fast.prepare('DELETE FROM workflow_guard WHERE workflow_id = ?');
  return {
    read({ workflowId, revision, inputs }) {
      const print = printOf(inputs);
      const readings = new Map<string, GoodReading[]>();
      for (const row of allRows<GuardRow>(newest, workflowId, revision)) {
        const reading = { runId: row.run_id, isSameInputs: print.equals(row.inputs), seen: parseSeen(row) };
        readings.set(row.step_id, [...(readings.get(row.step_id) ?? []), reading]);
      }
      return Object.fromEntries(readings);
    },
    learn({ workflowId, revision, inputs, runId }, seen, nowMs) {
      transaction(fast, () => {
        prune.run(workflowId, revision);
        for (const [id, what] of Object.entries(seen))
          insert.run(workflowId, revision, runId, id, printOf(inputs), JSON.stringify(what), nowMs);
      });
    },
    list: (workflowId, revision) =>
      allRows<GuardRow>(newest, workflowId, revision).map((row) => {
        const { pages, target: _target, ...seen } = parseSeen(row);
        return {
          step_id: row.step_id,
          run_id: row.run_id,
          learned_at: toInstant(row.learned_at),
          ...seen,
          elements: seen.elements.map((print) => ({ ...print })),
          pages: pages.map(({ asksPassword, words, ...page }) => ({ ...page, words: [...words], asks_password: asksPassword })),
        };
      }),
    forget: (workflowId) => void forget.run(workflowId),
  };
}

function printOf(inputs: string): Buffer {
  return hash('sha256', inputs, 'buffer');
}

function parseSeen({ seen }: GuardRow): GoodReading['seen'] {
  // Written by `learn` alone.
  return JSON.parse(seen) as GoodReading['seen'];
}
