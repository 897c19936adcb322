// The queues of webhooks in PostgreSQL, as the engine's loop takes from them. A hook is sent to by one process at a time.
import type { NoticeData, NoticeLevel } from '@weft/contract';
import type { ClaimedDelivery, DeliverySettlement, DeliveryStore, Notice } from '@weft/engine';
import type { Database } from '../db/queries.ts';
import { toDeliveryChannel } from './row.ts';
import type { WebhookRow } from './row.ts';

/** What the store tells. */
export interface QueueOptions {
  /** Part of the transaction that switches a webhook off. */
  readonly onDisabled: (hook: Pick<WebhookRow, 'id' | 'account_id' | 'url' | 'description'>, reason: string) => Promise<void>;
}

interface DeliveryRow {
  readonly number: number;
  readonly id: string;
  readonly webhook_id: string;
  readonly event: string;
  readonly level: NoticeLevel;
  readonly subject: Notice['subject'];
  readonly data: NoticeData;
  readonly collected: number;
  readonly attempts: number;
  readonly claims: number;
  readonly created_at: number;
  readonly trace: string | null;
}

/** Attempts that are kept of one delivery. */
const TRIES_KEPT = 50;
const READY_AT = 'greatest(next_at, lease_until, rests_until, muted_until)';
const WAITS = 'is_enabled AND next_at IS NOT NULL';
const NEXT = `(SELECT min(due_at) FROM delivery WHERE webhook_id = $1 AND status = 'pending')`;

/** All queues. */
export function createQueues(database: Database, { onDisabled }: QueueOptions): DeliveryStore {
  const { rows, find } = database;
  return {
    async ready(nowMs, limit) {
      const found = await rows<{ id: string }>(
        `SELECT id FROM webhook WHERE ${WAITS} AND ${READY_AT} <= $1 ORDER BY ${READY_AT} LIMIT $2`,
        [nowMs, limit],
      );
      return found.map(({ id }) => id);
    },
    nextReadyMs: async () =>
      (await find<{ at: number }>(`SELECT ${READY_AT} AS at FROM webhook WHERE ${WAITS} ORDER BY ${READY_AT} LIMIT 1`))?.at,
    async find(id) {
      const row = await find<WebhookRow>('SELECT * FROM webhook WHERE id = $1', [id]);
      return row && toDeliveryChannel(row);
    },
    rest: async (id, { untilMs, because }) =>
      void (await rows('UPDATE webhook SET rests_until = $2, rests_because = $3 WHERE id = $1', [id, untilMs, because])),
    claim: createClaim(database),
    ...createEndings(database, onDisabled),
  };
}

function createClaim({ rows, find, transaction }: Database): DeliveryStore['claim'] {
  return (id, nowMs, leaseUntilMs) =>
    transaction(async () => {
      const leased = await rows(`UPDATE webhook SET lease_until = $2 WHERE id = $1 AND ${WAITS} AND ${READY_AT} <= $3 RETURNING 1`, [
        id,
        leaseUntilMs,
        nowMs,
      ]);
      if (leased.length === 0) return undefined;
      const taken = await find<DeliveryRow>(
        `UPDATE delivery SET attempts = attempts + 1, claims = claims + 1, is_open = false WHERE number =
           (SELECT number FROM delivery WHERE webhook_id = $1 AND status = 'pending' AND due_at <= $2 ORDER BY due_at, number LIMIT 1) RETURNING *`,
        [id, nowMs],
      );
      if (!taken) {
        await rows(`UPDATE webhook SET lease_until = 0, next_at = ${NEXT} WHERE id = $1`, [id]);
        return undefined;
      }
      const joined =
        taken.collected > 0
          ? await rows<DeliveryRow>('SELECT * FROM delivery WHERE collected_into = $1 ORDER BY number', [taken.number])
          : [];
      return toClaimed(taken, joined);
    });
}

function createEndings(
  { rows, find, transaction }: Database,
  onDisabled: QueueOptions['onDisabled'],
): Pick<DeliveryStore, 'release' | 'settle'> {
  /** The hook first, as where it is claimed: two that lock in different orders wait for each other. */
  const ifCurrent = (claimed: ClaimedDelivery, act: () => Promise<void>) =>
    transaction(async () => {
      await rows('SELECT 1 FROM webhook WHERE id = $1 FOR UPDATE', [claimed.channelId]);
      const current = await find(`SELECT 1 FROM delivery WHERE number = $1 AND claims = $2 AND status = 'pending' FOR UPDATE`, [
        Number(claimed.id),
        claimed.claim,
      ]);
      if (current) await act();
      return current !== undefined;
    });
  return {
    async release(claimed) {
      await ifCurrent(claimed, async () => {
        await rows('UPDATE delivery SET attempts = greatest(attempts - 1, 0) WHERE number = $1', [Number(claimed.id)]);
        await rows('UPDATE webhook SET lease_until = 0 WHERE id = $1', [claimed.channelId]);
      });
    },
    settle: (claimed, settlement) =>
      ifCurrent(claimed, async () => {
        await settleDelivery(Number(claimed.id), settlement, rows);
        await addTry(Number(claimed.id), settlement, rows);
        const disabled = await settleHook(claimed.channelId, settlement, find);
        if (disabled) await onDisabled(disabled, settlement.disabledReason ?? '');
      }),
  };
}

type Rows = Database['rows'];

async function settleDelivery(number: number, { verdict, nowMs }: DeliverySettlement, rows: Rows): Promise<void> {
  if (verdict.kind === 'retry') await rows('UPDATE delivery SET due_at = $2 WHERE number = $1', [number, verdict.atMs]);
  else
    await rows('UPDATE delivery SET status = $2, reason = $3, due_at = NULL, settled_at = $4 WHERE number = $1', [
      number,
      verdict.kind,
      verdict.kind === 'failed' ? verdict.reason : null,
      nowMs,
    ]);
}

async function addTry(number: number, { attempt, durationMs, nowMs }: DeliverySettlement, rows: Rows): Promise<void> {
  const { outcome, status, answer, error, note } = attempt;
  const body = JSON.stringify({ outcome, status, duration_ms: Math.max(0, Math.round(durationMs)), answer, error, note });
  await rows(
    `INSERT INTO delivery_try (delivery, account_id, at, body) SELECT number, account_id, $2, $3 FROM delivery WHERE number = $1`,
    [number, nowMs, body],
  );
  await rows(
    `DELETE FROM delivery_try WHERE delivery = $1 AND number <=
       (SELECT number FROM delivery_try WHERE delivery = $1 ORDER BY number DESC LIMIT 1 OFFSET $2)`,
    [number, TRIES_KEPT],
  );
}

/** The hook, where it was switched off. */
async function settleHook(id: string, settlement: DeliverySettlement, find: Database['find']): Promise<WebhookRow | undefined> {
  const { nowMs, attempt, failingSinceMs, failures, rest, reach, disabledReason } = settlement;
  const row = await find<WebhookRow>(
    `UPDATE webhook SET lease_until = 0, failing_since = $2, failures = $3, rests_until = $4, rests_because = $5, reach = $6,
       last_sent_at = coalesce($7, last_sent_at), is_enabled = is_enabled AND $8::text IS NULL, disabled_reason = coalesce($8, disabled_reason),
       next_at = ${NEXT} WHERE id = $1 RETURNING *`,
    [
      id,
      failingSinceMs ?? null,
      failures,
      rest?.untilMs ?? 0,
      rest?.because ?? null,
      reach ?? null,
      attempt.outcome === 'sent' ? nowMs : null,
      disabledReason ?? null,
    ],
  );
  return disabledReason === undefined ? undefined : row;
}

function toClaimed(row: DeliveryRow, joined: readonly DeliveryRow[]): ClaimedDelivery {
  return {
    id: String(row.number),
    channelId: row.webhook_id,
    messageId: row.id,
    attempt: row.attempts,
    claim: row.claims,
    trace: row.trace ?? undefined,
    notices: [row, ...joined].map(({ event, level, subject, data, created_at: atMs }) => ({ event, level, subject, data, atMs })),
  };
}
