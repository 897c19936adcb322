// Builds whose published functions are to be proved again: claimed by one process when they are due, and kept with what that cost.
import { randomBytes } from 'node:crypto';
import { healthNotices, newestRung, nextCheckMs, standAfter } from '@weft/engine';
import type { FunctionHealth, KeptBuildHealth, Recheck } from '@weft/engine';
import type { Hold } from '../credits/books.ts';
import type { Credits } from '../credits/credits.ts';
import type { Database } from '../db/queries.ts';
import type { Tell } from '../webhooks/outbox.ts';
import { CHECK_OPERATION, toldOf } from './build-row.ts';
import type { BuildRow } from './build-row.ts';
import type { Claim } from './jobs.ts';
import { ALIVE_SECONDS } from './jobs.ts';

export interface BuildChecks {
  /** The build that is due longest. */
  claim(): Promise<Claim | undefined>;
  /** Holds what a check may cost. Throws AppError `insufficient_credits`. */
  hold(claim: Claim, most: number): Promise<Hold>;
  /** Keeps how the functions stand, tells of what has turned, and charges `spent`. Nothing is kept or charged where the claim was lost. */
  finish(claim: Claim, rechecks: readonly Recheck[], hold: Hold, spent: number): Promise<void>;
  /** Puts the check off until it is due again, and says why; without a reason nothing is looked at any more. */
  leaveOut(claim: Claim, unchecked: string | undefined): Promise<void>;
  giveBackHold(hold: Hold): Promise<void>;
}

const DUE = 'NOT is_live AND check_at <= now() AND (claim IS NULL OR alive_until < now())';

/** `now` is the time of day. */
export function createBuildChecks(database: Database, credits: Credits, tell: Tell, { now }: { now(): number }): BuildChecks {
  const { rows, find, transaction } = database;
  /** Ends the claim; the row as it was, undefined where the claim was lost. */
  const settle = async (
    { claim, build }: Claim,
    change: (row: BuildRow) => { health: KeptBuildHealth | null; atMs: number | undefined },
  ) => {
    const row = await find<BuildRow & { checks: number }>('SELECT * FROM build WHERE number = $1 AND claim = $2 FOR UPDATE', [
      build.number,
      claim,
    ]);
    if (!row) return undefined;
    const { health, atMs } = change(row);
    await rows(
      `UPDATE build SET claim = NULL, alive_until = NULL, losses = 0, checks = checks + 1, health = $2, check_at = $3 WHERE number = $1`,
      [build.number, health ? JSON.stringify(health) : null, atMs === undefined || row.check_hours === null ? null : new Date(atMs)],
    );
    return row;
  };
  const nextMs = ({ check_hours: hours }: BuildRow, functions: readonly FunctionHealth[], atMs: number) =>
    hours === null ? undefined : nextCheckMs(functions, hours, atMs);
  return {
    claim: () =>
      transaction(async () => {
        const claim = randomBytes(16).toString('base64url');
        const row = await find<BuildRow & { losses: number }>(
          `WITH next AS (SELECT number, claim IS NOT NULL AS is_lost FROM build WHERE ${DUE} ORDER BY check_at LIMIT 1 FOR UPDATE SKIP LOCKED)
           UPDATE build SET claim = $1, alive_until = now() + $2 * interval '1 second', losses = CASE WHEN next.is_lost THEN losses + 1 ELSE 0 END
           FROM next WHERE build.number = next.number RETURNING build.*`,
          [claim, ALIVE_SECONDS],
        );
        return row && { claim, build: row, losses: row.losses };
      }),
    hold: ({ build }, most) => credits.reserve({ accountId: build.account_id, operation: CHECK_OPERATION, about: build.asked.url }, most),
    finish: (claim, rechecks, hold, spent) =>
      transaction(async () => {
        const nowMs = now();
        const { functions, turns, ...unchecked } = standAfter(claim.build.health?.functions ?? [], rechecks, nowMs);
        const health = { functions, checkedMs: nowMs, ...unchecked };
        const row = await settle(claim, (kept) => ({ health, atMs: nextMs(kept, functions, nowMs) }));
        await credits.settle(hold, row ? spent : 0);
        if (!row) return;
        const subject = { kind: 'build', id: newestRung(row.ladder).buildId, name: row.asked.url } as const;
        for (const { event, data } of healthNotices(toldOf(row), turns))
          await tell(row.account_id, { event, subject, data, dedupeKey: `build ${row.number} check ${row.checks} ${event}` });
      }),
    async leaveOut(claim, unchecked) {
      const nowMs = now();
      await transaction(() =>
        settle(claim, (row) => {
          const { functions = [], checkedMs = nowMs } = row.health ?? {};
          if (unchecked === undefined) return { health: row.health, atMs: undefined };
          return { health: { functions, checkedMs, unchecked }, atMs: nextMs(row, [], nowMs) };
        }),
      );
    },
    giveBackHold: async (hold) => void (await credits.settle(hold, 0)),
  };
}
