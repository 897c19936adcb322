// The log of what was sent to a webhook, and sending it again.
import { AppError, LIMITS } from '@weft/contract';
import type { AccountTable, Input, ReplyOf, WebhookDelivery, WebhookDeliveryDetails } from '@weft/contract';
import type { SendingPorts } from '@weft/engine';
import { toInstant } from '@weft/serve';
import type { Database } from '../db/queries.ts';
import type { WebhookRow } from './row.ts';

type Try = ReplyOf<AccountTable['webhooks']['test']>['body'];
type DeliveriesQuery = Input<AccountTable['webhooks']['deliveries']>['query'];

/** What accounts see of deliveries. Methods that take an id throw AppError `not_found`. */
export interface DeliveryLog {
  /** Newest first. Throws AppError `bad_request` for a cursor that is none. */
  deliveries(
    accountId: string,
    id: string,
    query: DeliveriesQuery,
  ): Promise<{ readonly data: WebhookDelivery[]; readonly nextCursor: string | undefined }>;
  delivery(accountId: string, id: string, deliveryId: string): Promise<WebhookDeliveryDetails>;
  /** Sends it again. Throws AppError `conflict` where it was collected into another, or the webhook is switched off. */
  redeliver(accountId: string, id: string, deliveryId: string): Promise<WebhookDelivery>;
  /** Deletes deliveries that are past their time. */
  prune(): Promise<void>;
}

/** A webhook of the account, or AppError `not_found`. */
export type RequireWebhook = (accountId: string, id: string, lock?: string) => Promise<WebhookRow>;

/** What the log stands on. */
export interface DeliveryLogPorts {
  readonly database: Database;
  readonly sending: Pick<SendingPorts, 'clock'>;
}

interface DeliveryRow {
  readonly number: number;
  readonly id: string;
  readonly event: string;
  readonly level: WebhookDelivery['level'];
  readonly status: WebhookDelivery['status'];
  readonly reason: string | null;
  readonly into_id: string | null;
  readonly attempts: number;
  readonly due_at: number | null;
  readonly created_at: number;
  readonly settled_at: number | null;
  readonly subject: WebhookDeliveryDetails['subject'];
  readonly data: WebhookDeliveryDetails['data'];
}

const RETENTION_DAYS = 30;
const DELIVERY = 'SELECT d.*, m.id AS into_id FROM delivery d LEFT JOIN delivery m ON m.number = d.collected_into';

export function createDeliveryLog({ database, sending: { clock } }: DeliveryLogPorts, requireRow: RequireWebhook): DeliveryLog {
  const { rows, find, transaction } = database;
  const requireDelivery = async (accountId: string, id: string, deliveryId: string): Promise<DeliveryRow> => {
    const row = await find<DeliveryRow>(`${DELIVERY} WHERE d.id = $1 AND d.webhook_id = $2 AND d.account_id = $3`, [
      deliveryId,
      id,
      accountId,
    ]);
    if (!row) throw new AppError('not_found', `The webhook "${id}" has no delivery "${deliveryId}".`);
    return row;
  };

  return {
    async deliveries(accountId, id, { limit = LIMITS.listLimitDefault, cursor, status }) {
      await requireRow(accountId, id);
      const found = await rows<DeliveryRow>(
        `${DELIVERY} WHERE d.webhook_id = $1 AND d.account_id = $2 AND ($3::text IS NULL OR d.status = $3) AND d.number < $4 ORDER BY d.number DESC LIMIT $5`,
        [id, accountId, status ?? null, beforeOf(cursor), limit + 1],
      );
      const shown = found.slice(0, limit);
      const last = found.length > limit ? shown.at(-1) : undefined;
      return { data: shown.map(toDelivery), nextCursor: last && String(last.number) };
    },
    async delivery(accountId, id, deliveryId) {
      const row = await requireDelivery(accountId, id, deliveryId);
      const tries = await rows<{ at: number; body: Omit<Try, 'at'> }>(
        'SELECT at, body FROM delivery_try WHERE delivery = $1 AND account_id = $2 ORDER BY number',
        [row.number, accountId],
      );
      return {
        ...toDelivery(row),
        subject: row.subject,
        data: row.data,
        tries: tries.map(({ at, body }) => ({ ...body, at: toInstant(at) })),
      };
    },
    redeliver: (accountId, id, deliveryId) =>
      transaction(async () => {
        const hook = await requireRow(accountId, id, 'FOR UPDATE');
        const { into_id: into, number } = await requireDelivery(accountId, id, deliveryId);
        if (into !== null) throw new AppError('conflict', `"${deliveryId}" was collected into the message of "${into}": send that again.`);
        if (!hook.is_enabled) throw new AppError('conflict', `The webhook "${id}" is switched off; enable it first.`);
        const nowMs = clock.now();
        await rows(
          `UPDATE delivery SET status = 'pending', reason = NULL, due_at = $2, settled_at = NULL, attempts = 0, is_open = false WHERE number = $1`,
          [number, nowMs],
        );
        await rows('UPDATE webhook SET rests_until = 0, rests_because = NULL, next_at = least(next_at, $2) WHERE id = $1', [id, nowMs]);
        return toDelivery(await requireDelivery(accountId, id, deliveryId));
      }),
    async prune() {
      await rows(
        `WITH gone AS (DELETE FROM delivery WHERE created_at < $1 RETURNING webhook_id)
         UPDATE webhook SET next_at = (SELECT min(due_at) FROM delivery WHERE webhook_id = webhook.id AND status = 'pending' AND created_at >= $1)
         WHERE id IN (SELECT webhook_id FROM gone)`,
        [clock.now() - RETENTION_DAYS * 86_400_000],
      );
    },
  };
}

function beforeOf(cursor: string | undefined): number {
  if (cursor === undefined) return Number.MAX_SAFE_INTEGER;
  if (!/^[1-9]\d{0,14}$/.test(cursor))
    throw new AppError('bad_request', 'The cursor is not one that this list gave; leave it out to begin anew.');
  return Number(cursor);
}

function toDelivery(row: DeliveryRow): WebhookDelivery {
  return {
    id: row.id,
    event: row.event,
    level: row.level,
    status: row.status,
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(row.into_id === null ? {} : { collected_into: row.into_id }),
    attempts: row.attempts,
    ...(row.due_at === null ? {} : { next_at: toInstant(row.due_at) }),
    created_at: toInstant(row.created_at),
    ...(row.settled_at === null ? {} : { settled_at: toInstant(row.settled_at) }),
  };
}
