// The queues of channels in SQLite, as the engine's loop takes from them. A channel is sent to by one at a time, and so its lease is that of its delivery.
import type { NoticeSubject } from '@weft/contract';
import type { ClaimedDelivery, DeliverySettlement, DeliveryStore, Notice } from '@weft/engine';
import type { Database } from '../db/open.ts';
import { transaction } from '../db/open.ts';
import { allRows } from '../db/rows.ts';
import { toDeliveryChannel } from './channel-store.ts';
import type { ChannelRow } from './channel-store.ts';
import { createNextSetter } from './delivery-store.ts';
import type { DeliveryRow } from './delivery-store.ts';

export interface QueueOptions {
  /** Called in the transaction that switches a channel off. */
  readonly onDisabled: (channel: Pick<ChannelRow, 'id' | 'name'>, reason: string, nowMs: number) => void;
}

/** Attempts that are kept of one delivery. */
const TRIES_KEPT = 50;
const READY_AT = 'max(next_at, lease_until, rests_until, muted_until)';
const WAITS = 'is_enabled = 1 AND next_at IS NOT NULL';

export function createDeliveryStore(database: Database, { onDisabled }: QueueOptions): DeliveryStore {
  const { fast } = database;
  const ready = fast.prepare(`SELECT id FROM notice_channel WHERE ${WAITS} AND ${READY_AT} <= ? ORDER BY ${READY_AT} LIMIT ?`);
  const nextReady = fast.prepare(`SELECT ${READY_AT} AS at FROM notice_channel WHERE ${WAITS} ORDER BY ${READY_AT} LIMIT 1`);
  const find = fast.prepare('SELECT * FROM notice_channel WHERE id = ?');
  const rest = fast.prepare('UPDATE notice_channel SET rests_until = ?, rests_because = ? WHERE id = ?');
  return {
    ready: async (nowMs, limit) => allRows<{ id: number }>(ready, nowMs, limit).map(({ id }) => String(id)),
    nextReadyMs: async () => (nextReady.get() as { at: number } | undefined)?.at,
    async find(channelId) {
      const row = find.get(Number(channelId)) as ChannelRow | undefined;
      return row && toDeliveryChannel(row);
    },
    rest: async (channelId, { untilMs, because }) => void rest.run(untilMs, because, Number(channelId)),
    claim: createClaim(database),
    ...createEndings(database, onDisabled),
  };
}

function createClaim(database: Database): DeliveryStore['claim'] {
  const { fast } = database;
  const lease = fast.prepare(`UPDATE notice_channel SET lease_until = ? WHERE id = ? AND ${WAITS} AND ${READY_AT} <= ?`);
  const unlease = fast.prepare('UPDATE notice_channel SET lease_until = 0 WHERE id = ?');
  const take = fast.prepare(
    `UPDATE delivery SET attempts = attempts + 1, claims = claims + 1, is_open = 0 WHERE id =
       (SELECT id FROM delivery WHERE channel_id = ? AND status = 'pending' AND due_at <= ? ORDER BY due_at, id LIMIT 1) RETURNING *`,
  );
  const collected = fast.prepare('SELECT * FROM delivery WHERE collected_into = ? ORDER BY id');
  const setNext = createNextSetter(database);
  return async (channelId, nowMs, leaseUntilMs) =>
    transaction(fast, () => {
      const id = Number(channelId);
      if (lease.run(leaseUntilMs, id, nowMs).changes === 0) return undefined;
      const row = take.get(id, nowMs) as DeliveryRow | undefined;
      if (row) return toClaimed(row, row.collected > 0 ? allRows<DeliveryRow>(collected, row.id) : []);
      unlease.run(id);
      setNext(id);
      return undefined;
    });
}

function createEndings(database: Database, onDisabled: QueueOptions['onDisabled']): Pick<DeliveryStore, 'release' | 'settle'> {
  const { fast } = database;
  const isCurrent = fast.prepare(`SELECT 1 FROM delivery WHERE id = ? AND claims = ? AND status = 'pending'`);
  const putBack = fast.prepare('UPDATE delivery SET attempts = max(attempts - 1, 0) WHERE id = ?');
  const unlease = fast.prepare('UPDATE notice_channel SET lease_until = 0 WHERE id = ?');
  const retry = fast.prepare('UPDATE delivery SET due_at = ? WHERE id = ?');
  const end = fast.prepare('UPDATE delivery SET status = ?, reason = ?, due_at = NULL, settled_at = ? WHERE id = ?');
  const insertTry = fast.prepare('INSERT INTO delivery_try (delivery_id, at, body) VALUES (?, ?, ?)');
  const cutTries = fast.prepare(
    'DELETE FROM delivery_try WHERE delivery_id = ?1 AND id <= (SELECT id FROM delivery_try WHERE delivery_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)',
  );
  const update = fast.prepare(
    `UPDATE notice_channel SET lease_until = 0, failing_since = ?, failures = ?, rests_until = ?, rests_because = ?, reach = ?,
       last_sent_at = ifnull(?, last_sent_at) WHERE id = ?`,
  );
  const disable = fast.prepare('UPDATE notice_channel SET is_enabled = 0, disabled_reason = ? WHERE id = ? RETURNING id, name');
  const setNext = createNextSetter(database);
  const settleRow = (id: number, { verdict, nowMs }: DeliverySettlement) => {
    if (verdict.kind === 'retry') retry.run(verdict.atMs, id);
    else end.run(verdict.kind, verdict.kind === 'failed' ? verdict.reason : null, nowMs, id);
  };
  const settleChannel = (id: number, { nowMs, attempt, failingSinceMs, failures, rest, reach, disabledReason }: DeliverySettlement) => {
    const sentMs = attempt.outcome === 'sent' ? nowMs : null;
    update.run(failingSinceMs ?? null, failures, rest?.untilMs ?? 0, rest?.because ?? null, reach ?? null, sentMs, id);
    const disabled =
      disabledReason === undefined ? undefined : (disable.get(disabledReason, id) as { id: number; name: string } | undefined);
    if (disabled) onDisabled(disabled, disabledReason ?? '', nowMs);
    setNext(id);
  };
  const ifCurrent = (claimed: ClaimedDelivery, act: (deliveryId: number, channelId: number) => void) =>
    transaction(fast, () => {
      if (!isCurrent.get(Number(claimed.id), claimed.claim)) return false;
      act(Number(claimed.id), Number(claimed.channelId));
      return true;
    });
  return {
    async release(claimed) {
      ifCurrent(claimed, (deliveryId, channelId) => {
        putBack.run(deliveryId);
        unlease.run(channelId);
      });
    },
    settle: async (claimed, settlement) =>
      ifCurrent(claimed, (deliveryId, channelId) => {
        settleRow(deliveryId, settlement);
        insertTry.run(deliveryId, settlement.nowMs, tryBody(settlement));
        cutTries.run(deliveryId, TRIES_KEPT);
        settleChannel(channelId, settlement);
      }),
  };
}

function tryBody({ attempt, durationMs }: DeliverySettlement): string {
  const { outcome, status, answer, error, note } = attempt;
  return JSON.stringify({ outcome, status, duration_ms: Math.max(0, Math.round(durationMs)), answer, error, note });
}

function toClaimed(row: DeliveryRow, collected: readonly DeliveryRow[]): ClaimedDelivery {
  return {
    id: String(row.id),
    channelId: String(row.channel_id),
    messageId: row.message_id,
    attempt: row.attempts,
    claim: row.claims,
    notices: [row, ...collected].map(toNotice),
  };
}

function toNotice(row: DeliveryRow): Notice {
  const [subject, data] = [row.subject, row.data].map((text) => JSON.parse(text) as unknown);
  return { event: row.event, level: row.level, subject: subject as NoticeSubject, data: data as Notice['data'], atMs: row.created_at };
}
