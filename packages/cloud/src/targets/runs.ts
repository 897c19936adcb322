// Checks of targets that somebody asks for, and what became of all of them.
import { setTimeout as pause } from 'node:timers/promises';
import { AppError, LIMITS } from '@weft/contract';
import type { TargetChange, TargetCheck, TargetRun } from '@weft/contract';
import type { CheckBody } from '@weft/engine';
import type { Credits } from '../credits/credits.ts';
import { firstPrice } from '../credits/prices.ts';
import type { Database } from '../db/queries.ts';
import { changesOf } from './changes.ts';
import { CHECK_OPERATION, newRunId } from './claims.ts';
import type { TargetRow } from './row.ts';

export interface TargetRuns {
  /**
   * Asks for a check, in a transaction with what it may cost; the id of its run. Where one waits already, that is it. Throws AppError
   * `not_found`, `insufficient_credits`.
   */
  ask(accountId: string, targetId: string): Promise<string>;
  /** The run once it is settled, or as it is after so many milliseconds. */
  wait(accountId: string, runId: string, ms: number, signal: AbortSignal): Promise<TargetRun>;
  /** Newest first. Throws AppError `not_found`. */
  list(
    accountId: string,
    targetId: string,
    query: {
      readonly verdict?: TargetCheck['verdict'] | undefined;
      readonly limit?: number | undefined;
      readonly offset?: number | undefined;
    },
  ): Promise<{ readonly data: TargetRun[]; readonly total: number }>;
  /** Deletes checks, changes, values and snapshots that are older than their account keeps them, but for what is known now. */
  prune(): Promise<void>;
}

interface RunRow {
  readonly id: string;
  readonly target_id: string;
  readonly trigger: TargetRun['trigger'];
  readonly status: TargetRun['status'];
  readonly failure: TargetRun['failure'] | null;
  readonly credits: number;
  readonly is_lane_limited: boolean;
  readonly body: CheckBody | null;
  readonly created_at: Date;
  readonly finished_at: Date | null;
}

/** Between two looks at a run that is waited for. */
const LOOK_MS = 100;
const HORIZON = `now() - a.retention_days * interval '1 day'`;
const COLUMNS = `target_run.id, target.id AS target_id, trigger, status, failure, credits, is_lane_limited, body, target_run.created_at, finished_at`;
const FROM = 'FROM target_run JOIN target ON target.number = target_run.target';

/** `traceOf` says what trace a call of `ask` is a part of. */
export function createTargetRuns(
  database: Database,
  credits: Pick<Credits, 'reserve'>,
  traceOf: () => string | undefined = () => undefined,
): TargetRuns {
  const { rows, find, transaction } = database;
  const changes = changesOf(database);

  const shown = async (accountId: string, found: readonly RunRow[]): Promise<TargetRun[]> => {
    const told = await changes.ofRuns(
      accountId,
      found.map(({ id }) => id),
    );
    return found.map((row) => toRun(row, told.get(row.id) ?? []));
  };

  return {
    ask: (accountId, targetId) =>
      transaction(async () => {
        const target = await find<TargetRow>('SELECT * FROM target WHERE id = $1 AND account_id = $2 FOR UPDATE', [targetId, accountId]);
        if (!target) throw new AppError('not_found', `There is no target "${targetId}".`);
        const waiting =
          target.asked === null ? undefined : await find<{ id: string }>('SELECT id FROM target_run WHERE number = $1', [target.asked]);
        if (waiting) return waiting.id;
        const { url, definition } = target;
        const hold = await credits.reserve({ accountId, operation: CHECK_OPERATION, about: url }, firstPrice(definition.lane));
        const id = newRunId();
        await rows(
          `WITH made AS (INSERT INTO target_run (number, id, account_id, target, trigger, status, hold_id, trace)
             VALUES (nextval('target_run_number'), $3, $2, $1, 'call', 'queued', $4, $5) RETURNING number)
           UPDATE target SET asked = made.number, due_at = CASE WHEN claim IS NULL THEN now() ELSE due_at END,
             rank = CASE WHEN claim IS NULL THEN 0 ELSE rank END FROM made WHERE target.number = $1 AND account_id = $2`,
          [target.number, accountId, id, hold.id, traceOf()],
        );
        return id;
      }),
    async wait(accountId, runId, ms, signal) {
      const ending = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
      for (;;) {
        const row = await find<RunRow>(`SELECT ${COLUMNS} ${FROM} WHERE target_run.id = $1 AND target_run.account_id = $2`, [
          runId,
          accountId,
        ]);
        if (!row) throw new AppError('not_found', 'The target of this check was deleted meanwhile, or the check is kept no more.');
        if (row.status !== 'queued' || ending.aborted) return (await shown(accountId, [row]))[0] ?? toRun(row, []);
        await pause(LOOK_MS, undefined, { signal: ending }).catch(() => undefined);
      }
    },
    async list(accountId, targetId, { verdict, limit = LIMITS.listLimitDefault, offset = 0 }) {
      const target = await find<{ number: number }>('SELECT number FROM target WHERE id = $1 AND account_id = $2', [targetId, accountId]);
      if (!target) throw new AppError('not_found', `There is no target "${targetId}".`);
      const wanted = `${FROM} WHERE target_run.target = $1 AND target_run.account_id = $2 AND ($3::text IS NULL OR verdict = $3)`;
      const values = [target.number, accountId, verdict ?? null];
      const found = await rows<RunRow>(`SELECT ${COLUMNS} ${wanted} ORDER BY target_run.number DESC LIMIT $4 OFFSET $5`, [
        ...values,
        limit,
        offset,
      ]);
      const all = await find<{ total: number }>(`SELECT count(*) AS total ${wanted}`, values);
      return { data: await shown(accountId, found), total: all?.total ?? 0 };
    },
    async prune() {
      for (const [table, time] of [
        ['target_run', 'finished_at'],
        ['target_change', 'created_at'],
      ])
        await rows(`DELETE FROM ${table} kept USING account a WHERE a.id = kept.account_id AND kept.${time} < ${HORIZON}`);
      // What is known now was seen first in the newest of them: that is kept for as long as it is known.
      await rows(
        `DELETE FROM target_record kept USING account a WHERE a.id = kept.account_id AND kept.created_at < ${HORIZON}
           AND EXISTS (SELECT 1 FROM target_record later WHERE later.target = kept.target AND later.key = kept.key AND later.number > kept.number)`,
      );
      await rows(
        `DELETE FROM target_snapshot kept USING account a WHERE a.id = kept.account_id AND kept.created_at < ${HORIZON}
           AND EXISTS (SELECT 1 FROM target_snapshot later WHERE later.target = kept.target AND later.number > kept.number)`,
      );
    },
  };
}

function toRun(row: RunRow, changes: readonly TargetChange[]): TargetRun {
  return {
    id: row.id,
    target_id: row.target_id,
    status: row.status,
    trigger: row.trigger,
    ...(row.failure ? { failure: row.failure } : {}),
    credits: row.credits,
    ...(row.is_lane_limited ? { lane_limited: true as const } : {}),
    ...(row.body ? { check: { ...row.body, changes: [...changes] } } : {}),
    created_at: row.created_at.toISOString(),
    ...(row.finished_at ? { finished_at: row.finished_at.toISOString() } : {}),
  };
}
