// The outbox: what is told is written in the transaction in which it happens, a row for each webhook that wants it.
import type { NoticeData, WebhookEvent } from '@weft/contract';
import { COLLECTED_MAX, admitNotice, fitData, levelOfEvent } from '@weft/engine';
import { newMessageId } from '@weft/serve';
import type { Database } from '../db/queries.ts';
import { unnest } from '../db/sets.ts';
import { toDeliveryChannel } from './row.ts';
import type { WebhookRow } from './row.ts';

/** Something that happened to an account. */
export interface AccountNotice {
  readonly event: WebhookEvent;
  readonly subject: {
    readonly kind: 'target' | 'crawl' | 'build' | 'run' | 'account' | 'webhook';
    readonly id?: string;
    readonly name?: string;
  };
  /** `message` is a sentence for people. */
  readonly data: NoticeData & { readonly message: string };
  /** What is told twice under one is told once. */
  readonly dedupeKey: string;
}

/** Tells the webhooks of an account, as a part of the caller's transaction. */
export type Tell = (accountId: string, notice: AccountNotice) => Promise<void>;

/** A delivery that is to be written. */
export interface NewDelivery extends Omit<AccountNotice, 'event'> {
  readonly event: string;
  readonly webhookId: string;
  readonly nowMs: number;
  /** The trace that it is told within. */
  readonly trace?: string | undefined;
}

/** Writes deliveries, each in the transaction of its caller; nothing where the hook was told of its key before. */
export interface DeliveryRows {
  /** They wait to be sent until `dueMs`. */
  queue(accountId: string, deliveries: readonly NewDelivery[], dueMs: number): Promise<readonly string[]>;
  /** They are in the log, and why they are not sent. */
  drop(accountId: string, deliveries: readonly NewDelivery[], reason: string): Promise<void>;
  /** Joins the message that is open while it holds fewer than `max`, or opens the next, which is due at `dueMs`. */
  collect(accountId: string, delivery: NewDelivery, dueMs: number, max: number): Promise<void>;
}

const ONCE = 'ON CONFLICT (webhook_id, dedupe_key) WHERE dedupe_key IS NOT NULL DO NOTHING';

/** The outbox of all accounts; `traceOf` says what trace a call of it is a part of. */
export function createOutbox(database: Database, clock: { now(): number }, traceOf: () => string | undefined = () => undefined): Tell {
  const rows = createDeliveryRows(database);
  return async (accountId, notice) => {
    const hooks = await database.rows<WebhookRow>('SELECT * FROM webhook WHERE account_id = $1 ORDER BY number', [accountId]);
    const nowMs = clock.now();
    for (const hook of hooks.filter((one) => wants(one, notice.event))) {
      const delivery = { ...notice, webhookId: hook.id, nowMs, trace: traceOf() };
      if (!hook.is_enabled && hook.disabled_reason === null) await rows.drop(accountId, [delivery], 'The webhook was switched off.');
      else await admit(delivery, hook, accountId, rows);
    }
  };
}

async function admit(delivery: NewDelivery, hook: WebhookRow, accountId: string, rows: DeliveryRows): Promise<void> {
  const admission = admitNotice(toDeliveryChannel(hook).policy, levelOfEvent(delivery.event), delivery.nowMs);
  if (admission.kind === 'drop') await rows.drop(accountId, [delivery], admission.reason);
  else if (admission.kind === 'collect') await rows.collect(accountId, delivery, admission.dueMs, COLLECTED_MAX);
  else await rows.queue(accountId, [delivery], admission.dueMs);
}

function wants({ events }: Pick<WebhookRow, 'events'>, event: string): boolean {
  return events === null || events.some((one) => one === event || (one.endsWith('.*') && event.startsWith(one.slice(0, -1))));
}

/** Rows of deliveries. */
export function createDeliveryRows({ rows, find, transaction }: Database): DeliveryRows {
  const insert = async (
    accountId: string,
    deliveries: readonly NewDelivery[],
    rest: { readonly status: string; readonly reason?: string; readonly dueMs?: number; readonly isOpen?: boolean; readonly into?: number },
  ): Promise<readonly string[]> => {
    const { from, values } = unnest(
      deliveries,
      [
        ['id', 'text', () => newMessageId()],
        ['webhook_id', 'text', ({ webhookId }) => webhookId],
        ['event', 'text', ({ event }) => event],
        ['level', 'text', ({ event }) => levelOfEvent(event)],
        ['subject', 'text', ({ subject }) => JSON.stringify(subject)],
        ['data', 'text', ({ data }) => JSON.stringify(fitData(data))],
        ['dedupe_key', 'text', ({ dedupeKey }) => dedupeKey],
        ['created_at', 'bigint', ({ nowMs }) => nowMs],
        ['trace', 'text', ({ trace }) => trace],
      ],
      7,
    );
    const made = await rows<{ id: string }>(
      `INSERT INTO delivery (account_id, status, reason, due_at, is_open, collected_into, settled_at, id, webhook_id, event, level, subject, data, dedupe_key, created_at, trace)
       SELECT $1, $2, $3, $4::bigint, $5, $6::bigint, CASE WHEN $2 = 'dropped' THEN created_at END, id, webhook_id, event, level, subject::json,
         data::json, dedupe_key, created_at, trace FROM ${from} ORDER BY place ${ONCE} RETURNING id`,
      [accountId, rest.status, rest.reason ?? null, rest.dueMs ?? null, rest.isOpen ?? false, rest.into ?? null, ...values],
    );
    return made.map(({ id }) => id);
  };
  const queue = (accountId: string, deliveries: readonly NewDelivery[], dueMs: number, isOpen = false) =>
    transaction(async () => {
      const made = await insert(accountId, deliveries, { status: 'pending', dueMs, isOpen });
      await rows('UPDATE webhook SET next_at = least(next_at, $3) WHERE account_id = $1 AND id = ANY($2)', [
        accountId,
        deliveries.map(({ webhookId }) => webhookId),
        dueMs,
      ]);
      return made;
    });
  return {
    queue,
    drop: async (accountId, deliveries, reason) => void (await insert(accountId, deliveries, { status: 'dropped', reason })),
    collect: (accountId, delivery, dueMs, max) =>
      transaction(async () => {
        const open = await find<{ number: number; collected: number; due_at: number }>(
          'SELECT number, collected, due_at FROM delivery WHERE webhook_id = $1 AND account_id = $2 AND is_open FOR UPDATE',
          [delivery.webhookId, accountId],
        );
        if (open && open.collected + 1 < max) {
          const made = await insert(accountId, [delivery], { status: 'collected', into: open.number });
          if (made.length > 0) await rows('UPDATE delivery SET collected = collected + 1 WHERE number = $1', [open.number]);
          return;
        }
        if (open) await rows('UPDATE delivery SET is_open = false WHERE number = $1', [open.number]);
        // What no longer fits is sent in a message of its own, at the same time.
        await queue(accountId, [delivery], open?.due_at ?? dueMs, true);
      }),
  };
}
