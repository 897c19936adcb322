// Who checks which target: what is due is claimed in sets, for seconds at a time, and goes to another process once nobody says that it lives.
import { randomBytes } from 'node:crypto';
import type { RunFailure, Target } from '@weft/contract';
import type { Hold } from '../credits/books.ts';
import type { Credits } from '../credits/credits.ts';
import type { Database } from '../db/queries.ts';
import { nextDueOf } from './row.ts';
import type { TargetRow, Trigger } from './row.ts';

/** What the credits of a check are held for. */
export const CHECK_OPERATION = 'targets.run';

/** A claim on a target. Its number is given once. */
export interface TargetClaim {
  readonly claim: number;
  readonly run: number;
  readonly runId: string;
  readonly trigger: Trigger;
  /** Of a run that somebody asked for; undefined where credits are still to be held. */
  readonly hold: Hold | undefined;
  /** What it was asked for within, for traces. */
  readonly trace: string | undefined;
  /** Claims of this check that were lost before. */
  readonly losses: number;
  /** For how many milliseconds it has been due. */
  readonly lateMs: number;
  readonly target: Pick<TargetRow, 'number' | 'id' | 'account_id' | 'url' | 'definition'>;
}

export interface TargetClaims {
  /**
   * At most so many targets that are due: those that somebody waits for first, then those that are due longest. While more are due than are
   * claimed, accounts take turns.
   */
  claim(limit: number): Promise<readonly TargetClaim[]>;
  /** Says that these claims live; the numbers of those that still hold. */
  keepAlive(claims: readonly TargetClaim[]): Promise<ReadonlySet<number>>;
  /** Gives a target back for others to check at once. */
  giveBack(claim: TargetClaim): Promise<void>;
  /** Leaves a check out: it is due again as scheduled, and the target says why it was not made; without a reason, silently. */
  leaveOut(claim: TargetClaim, why: { readonly because: LeftOut['because']; readonly message: string } | undefined): Promise<void>;
}

type LeftOut = NonNullable<Target['left_out']>;

/** A process that has said nothing for so long is taken for dead: four of its heartbeats. */
export const ALIVE_SECONDS = 8;

/** Accounts that may have their turn in one claim. */
const ACCOUNTS_IN_TURN = 32;
/** The next accounts that have targets, each found by one look into the index. */
const ACCOUNTS_BEHIND = `WITH RECURSIVE turn AS (
  (SELECT account_id, 1 AS place FROM target WHERE due_at IS NOT NULL AND account_id > $1 ORDER BY account_id LIMIT 1)
  UNION ALL
  SELECT next.account_id, place + 1 FROM turn CROSS JOIN LATERAL (
    SELECT account_id FROM target WHERE due_at IS NOT NULL AND account_id > turn.account_id ORDER BY account_id LIMIT 1) next
  WHERE place < ${ACCOUNTS_IN_TURN})
  SELECT account_id FROM turn ORDER BY place`;
/**
 * What waits for a lock is left to whoever has it; a claim moves the time at which its target is due to the end of the lease. A claim that a
 * crash of the server takes back is one that was never made: it is not waited for on the disk.
 */
const CLAIM = `WITH asked AS (SELECT number FROM target WHERE rank = 0 AND due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED),
  turns AS (
    SELECT due.number, account.place FROM unnest($3::text[]) WITH ORDINALITY account(id, place) CROSS JOIN LATERAL (
      SELECT number FROM target WHERE account_id = account.id AND due_at <= now() ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED) due),
  oldest AS (SELECT number FROM target WHERE rank = 1 AND due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED),
  due AS (
    SELECT number FROM (
      SELECT number, 0 AS place FROM asked UNION ALL SELECT number, place FROM turns UNION ALL SELECT number, ${ACCOUNTS_IN_TURN} + 1 FROM oldest) found
    GROUP BY number ORDER BY min(place) LIMIT $1),
  unsynced AS (SELECT set_config('synchronous_commit', 'off', true)),
  taken AS (
    UPDATE target SET claim = nextval('target_claim'), asked = CASE WHEN claim IS NULL THEN NULL ELSE asked END,
      run = CASE WHEN claim IS NULL THEN coalesce(asked, nextval('target_run_number')) ELSE run END,
      losses = CASE WHEN claim IS NULL THEN 0 ELSE losses + 1 END,
      begun_for = CASE WHEN claim IS NULL THEN due_at ELSE begun_for END, due_at = now() + $2 * interval '1 second'
    FROM due WHERE target.number = due.number
    RETURNING target.number, target.id, target.account_id, url, definition, losses, claim, run, rank,
      (extract(epoch FROM now() - begun_for) * 1000)::float8 AS late_ms)
  SELECT taken.*, target_run.id AS run_id, hold_id, trace FROM taken CROSS JOIN unsynced
  LEFT JOIN target_run ON target_run.number = taken.run ORDER BY rank`;

interface ClaimedRow extends Pick<TargetRow, 'number' | 'id' | 'account_id' | 'url' | 'definition' | 'losses'> {
  readonly claim: number;
  readonly run: number;
  readonly run_id: string | null;
  readonly hold_id: string | null;
  readonly trace: string | null;
  readonly late_ms: number;
}

export function createTargetClaims(database: Database, credits: Pick<Credits, 'settle'>): TargetClaims {
  const { rows, find, transaction } = database;
  /** Whether the last claim left something due, as far as is known; the account that had its turn last. */
  let isBehind = false;
  let last = '';

  const release = (claim: TargetClaim, work: (row: TargetRow, nowMs: number) => Promise<void>) =>
    transaction(async () => {
      const { number, account_id: accountId } = claim.target;
      const row = await find<TargetRow & { readonly now: Date }>(
        'SELECT *, now() AS now FROM target WHERE number = $1 AND account_id = $2 AND claim = $3 FOR UPDATE',
        [number, accountId, claim.claim],
      );
      if (row) await work(row, row.now.getTime());
    });

  const settleAsked = async ({ run, target }: TargetClaim, failure: RunFailure) => {
    const asked = await find<{ hold_id: string | null }>(
      `UPDATE target_run SET status = 'failed', failure = $3, finished_at = now() WHERE number = $1 AND account_id = $2 AND status = 'queued'
       RETURNING hold_id`,
      [run, target.account_id, JSON.stringify(failure)],
    );
    if (asked && asked.hold_id !== null) await credits.settle(holdOf(target, asked.hold_id), 0);
  };

  return {
    async claim(limit) {
      if (limit <= 0) return [];
      const accounts = isBehind ? (await rows<{ account_id: string }>(ACCOUNTS_BEHIND, [last])).map(({ account_id: id }) => id) : [];
      const claimed = await rows<ClaimedRow>(CLAIM, [limit, ALIVE_SECONDS, accounts]);
      isBehind = claimed.length >= limit;
      const reached = Math.max(-1, ...claimed.map(({ account_id: id }) => accounts.indexOf(id)));
      const hasEnded = reached < 0 && accounts.length < ACCOUNTS_IN_TURN;
      last = hasEnded ? '' : (accounts.at(reached) ?? '');
      return claimed.map(toClaim);
    },
    async keepAlive(claims) {
      const kept = await rows<{ claim: number }>(
        `UPDATE target SET due_at = now() + $3 * interval '1 second' FROM unnest($1::bigint[], $2::bigint[]) AS held (number, claim)
         WHERE target.number = held.number AND target.claim = held.claim RETURNING target.claim`,
        [claims.map(({ target }) => target.number), claims.map(({ claim }) => claim), ALIVE_SECONDS],
      );
      return new Set(kept.map(({ claim }) => claim));
    },
    giveBack: (claim) =>
      release(claim, async (row) => {
        // The run that somebody waits for stays the target's next one.
        await rows(
          `UPDATE target SET claim = NULL, run = NULL, losses = 0, due_at = coalesce(begun_for, now()), begun_for = NULL, asked = coalesce($3, asked)
           WHERE number = $1 AND account_id = $2`,
          [row.number, row.account_id, claim.trigger === 'call' ? claim.run : null],
        );
      }),
    leaveOut: (claim, why) =>
      release(claim, async (row, nowMs) => {
        const lastDueAt = claim.trigger === 'schedule' ? row.begun_for : row.last_due_at;
        const next = nextDueOf({ ...row, last_due_at: lastDueAt }, nowMs);
        const since = row.left_out?.since ?? new Date(nowMs).toISOString();
        const leftOut: LeftOut | null = why ? { ...why, since, checks: (row.left_out?.checks ?? 0) + 1 } : row.left_out;
        if (why) await settleAsked(claim, { code: 'internal', message: why.message });
        await rows(
          `UPDATE target SET claim = NULL, run = NULL, losses = 0, begun_for = NULL, left_out = $3, last_due_at = $4,
             due_at = CASE WHEN asked IS NULL THEN $5 ELSE now() END, rank = CASE WHEN asked IS NULL THEN 1 ELSE 0 END
           WHERE number = $1 AND account_id = $2`,
          [row.number, row.account_id, leftOut && JSON.stringify(leftOut), lastDueAt, next ?? null],
        );
      }),
  };
}

function toClaim({ claim, run, run_id: asked, hold_id: holdId, trace, losses, late_ms: lateMs, ...target }: ClaimedRow): TargetClaim {
  return {
    claim,
    run,
    runId: asked ?? newRunId(),
    trigger: asked === null ? 'schedule' : 'call',
    hold: holdId === null ? undefined : holdOf(target, holdId),
    trace: trace ?? undefined,
    losses,
    lateMs,
    target,
  };
}

/** The id of a run of a target. */
export function newRunId(): string {
  return `run_${randomBytes(16).toString('base64url')}`;
}

function holdOf({ account_id: accountId, url }: TargetClaim['target'], id: string): Hold {
  return { id, accountId, operation: CHECK_OPERATION, about: url };
}
