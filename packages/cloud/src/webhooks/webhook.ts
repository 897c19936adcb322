// Webhooks of accounts: made, changed, tried, and the log of what was sent.
import { randomBytes } from 'node:crypto';
import { AppError, LIMITS, NewWebhook } from '@weft/contract';
import type {
  AccountTable,
  Input,
  NewWebhook as WebhookBody,
  ReplyOf,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookPatch,
} from '@weft/contract';
import { attemptDelivery } from '@weft/engine';
import type { Notice, SendingPorts } from '@weft/engine';
import { mergePatch, newMessageId, toInstant } from '@weft/serve';
import type { Database } from '../db/queries.ts';
import { toDeliveryChannel } from './row.ts';
import type { WebhookRow } from './row.ts';
import { ROTATION_MS } from './secret.ts';
import type { WebhookSecrets } from './secret.ts';

type WithSecret = ReplyOf<AccountTable['webhooks']['create']>['body'];
type Try = ReplyOf<AccountTable['webhooks']['test']>['body'];
type Page = Input<AccountTable['webhooks']['list']>['query'];
type DeliveriesQuery = Input<AccountTable['webhooks']['deliveries']>['query'];

export interface Webhooks {
  /** Oldest first. */
  list(accountId: string, page: Page): Promise<{ readonly data: Webhook[]; readonly total: number }>;
  create(accountId: string, body: WebhookBody): Promise<WithSecret>;
  /** All methods that take an id throw AppError `not_found`. */
  read(accountId: string, id: string): Promise<Webhook>;
  /** Throws AppError `bad_request`. */
  update(accountId: string, id: string, patch: WebhookPatch): Promise<Webhook>;
  delete(accountId: string, id: string): Promise<void>;
  /** Gives it another secret. */
  rotate(accountId: string, id: string): Promise<WithSecret>;
  /** Sends a message now. */
  test(accountId: string, id: string, signal: AbortSignal): Promise<Try>;
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

export interface WebhookPorts {
  readonly database: Database;
  readonly secrets: WebhookSecrets;
  readonly sending: SendingPorts;
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

export function createWebhooks({ database, secrets, sending }: WebhookPorts): Webhooks {
  const { rows, find, transaction } = database;
  const { clock } = sending;
  const requireRow = async (accountId: string, id: string, lock = ''): Promise<WebhookRow> => {
    const row = await find<WebhookRow>(`SELECT * FROM webhook WHERE id = $1 AND account_id = $2 ${lock}`, [id, accountId]);
    if (!row) throw new AppError('not_found', `There is no webhook "${id}".`);
    return row;
  };
  const requireDelivery = async (accountId: string, id: string, deliveryId: string): Promise<DeliveryRow> => {
    const row = await find<DeliveryRow>(`${DELIVERY} WHERE d.id = $1 AND d.webhook_id = $2 AND d.account_id = $3`, [
      deliveryId,
      id,
      accountId,
    ]);
    if (!row) throw new AppError('not_found', `The webhook "${id}" has no delivery "${deliveryId}".`);
    return row;
  };
  const read = async (accountId: string, id: string) => toWebhook(await requireRow(accountId, id), clock.now());
  return {
    async list(accountId, { limit = LIMITS.listLimitDefault, offset = 0 }) {
      const data = await rows<WebhookRow>('SELECT * FROM webhook WHERE account_id = $1 ORDER BY number LIMIT $2 OFFSET $3', [
        accountId,
        limit,
        offset,
      ]);
      const all = await find<{ total: number }>('SELECT count(*) AS total FROM webhook WHERE account_id = $1', [accountId]);
      return { data: data.map((row) => toWebhook(row, clock.now())), total: all?.total ?? 0 };
    },
    async create(accountId, { url, description, events, digest_minutes: digest = 0, enabled = true }) {
      const id = `hook_${randomBytes(16).toString('base64url')}`;
      const { secret, sealed } = secrets.make(id);
      await rows(
        'INSERT INTO webhook (id, account_id, url, description, events, digest_minutes, is_enabled, secret) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)',
        [id, accountId, url, description ?? null, events ? JSON.stringify(events) : null, digest, enabled, sealed],
      );
      return { ...(await read(accountId, id)), secret };
    },
    read,
    update: (accountId, id, { muted_until: muted, ...patch }) =>
      transaction(async () => {
        const row = await requireRow(accountId, id, 'FOR UPDATE');
        const {
          url,
          description,
          events,
          digest_minutes: digest = 0,
          enabled = true,
        } = mergePatch<WebhookBody>(bodyOf(row), patch, NewWebhook, 'webhook');
        if (typeof muted === 'string' && Date.parse(muted) <= clock.now())
          throw new AppError('bad_request', `"muted_until" must be later than now (${toInstant(clock.now())}); null ends the silence.`);
        const mutedMs = muted === undefined ? row.muted_until : muted === null ? 0 : Date.parse(muted);
        // Whoever changes a webhook wants it tried: it rests no more, and what was switched off begins anew.
        const begins = patch.enabled === true;
        await rows(
          `UPDATE webhook SET url = $3, description = $4, events = $5, digest_minutes = $6, is_enabled = $7, muted_until = $8, rests_until = 0,
             rests_because = NULL, reach = CASE WHEN url = $3 THEN reach END, updated_at = now(),
             disabled_reason = CASE WHEN $9 OR NOT $7 THEN NULL ELSE disabled_reason END,
             failing_since = CASE WHEN $9 THEN NULL ELSE failing_since END, failures = CASE WHEN $9 THEN 0 ELSE failures END
           WHERE id = $1 AND account_id = $2`,
          [id, accountId, url, description ?? null, events ? JSON.stringify(events) : null, digest, enabled, mutedMs, begins],
        );
        return await read(accountId, id);
      }),
    async delete(accountId, id) {
      const gone = await rows('DELETE FROM webhook WHERE id = $1 AND account_id = $2 RETURNING 1', [id, accountId]);
      if (gone.length === 0) throw new AppError('not_found', `There is no webhook "${id}".`);
    },
    async rotate(accountId, id) {
      const { secret, sealed } = secrets.make(id);
      const changed = await rows(
        'UPDATE webhook SET previous_secret = secret, secret = $3, secret_changed_at = $4, updated_at = now() WHERE id = $1 AND account_id = $2 RETURNING 1',
        [id, accountId, sealed, clock.now()],
      );
      if (changed.length === 0) throw new AppError('not_found', `There is no webhook "${id}".`);
      return { ...(await read(accountId, id)), secret };
    },
    async test(accountId, id, signal) {
      const row = await requireRow(accountId, id);
      const startedMs = clock.steadyMs();
      const message = { messageId: newMessageId(), notices: [testNotice(row, clock.now())] };
      const attempt = await attemptDelivery(sending, toDeliveryChannel(row), message, secrets.open(row, clock.now()), signal);
      const { outcome, status, answer, error, note } = attempt;
      return {
        at: toInstant(clock.now()),
        outcome,
        duration_ms: Math.max(0, Math.round(clock.steadyMs() - startedMs)),
        ...(status === undefined ? {} : { status }),
        ...(answer === undefined ? {} : { answer }),
        ...(error === undefined ? {} : { error }),
        ...(note === undefined ? {} : { note }),
      };
    },
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

function testNotice({ id, description, url }: WebhookRow, nowMs: number): Notice {
  const data = { message: `This is a test of the webhook "${description ?? url}": it works.` };
  return { event: 'webhook.test', level: 'info', subject: { kind: 'webhook', id }, data, atMs: nowMs };
}

function bodyOf({ url, description, events, digest_minutes: digest, is_enabled: enabled }: WebhookRow): WebhookBody {
  return {
    url,
    ...(description === null ? {} : { description }),
    // Written from a body alone.
    ...(events === null ? {} : { events: [...events] as NonNullable<WebhookBody['events']> }),
    digest_minutes: digest,
    enabled,
  };
}

function beforeOf(cursor: string | undefined): number {
  if (cursor === undefined) return Number.MAX_SAFE_INTEGER;
  if (!/^[1-9]\d{0,14}$/.test(cursor))
    throw new AppError('bad_request', 'The cursor is not one that this list gave; leave it out to begin anew.');
  return Number(cursor);
}

function toWebhook(row: WebhookRow, nowMs: number): Webhook {
  const { digest_minutes = 0, enabled = true, ...body } = bodyOf(row);
  const previousMs = row.previous_secret === null ? 0 : (row.secret_changed_at ?? 0) + ROTATION_MS;
  const later = { muted_until: row.muted_until, rests_until: row.rests_until, previous_secret_until: previousMs };
  return {
    ...body,
    id: row.id,
    digest_minutes,
    enabled,
    ...(row.disabled_reason === null ? {} : { disabled_reason: row.disabled_reason }),
    ...Object.fromEntries(Object.entries(later).flatMap(([name, ms]) => (ms > nowMs ? [[name, toInstant(ms)]] : []))),
    ...(row.failing_since === null ? {} : { failing_since: toInstant(row.failing_since) }),
    ...(row.last_sent_at === null ? {} : { last_sent_at: toInstant(row.last_sent_at) }),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
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
