// Webhooks of accounts: made, changed, tried, and the log of what was sent.
import { randomBytes } from 'node:crypto';
import { AppError, LIMITS, NewWebhook } from '@weft/contract';
import type { AccountTable, Input, NewWebhook as WebhookBody, ReplyOf, Webhook, WebhookPatch } from '@weft/contract';
import { tryDelivery } from '@weft/engine';
import type { Notice, SendingPorts } from '@weft/engine';
import { mergePatch, newMessageId, toInstant } from '@weft/serve';
import type { Database } from '../db/queries.ts';
import { createDeliveryLog } from './delivery-log.ts';
import type { DeliveryLog, RequireWebhook } from './delivery-log.ts';
import { toDeliveryChannel } from './row.ts';
import type { WebhookRow } from './row.ts';
import { ROTATION_MS } from './secret.ts';
import type { WebhookSecrets } from './secret.ts';

type WithSecret = ReplyOf<AccountTable['webhooks']['create']>['body'];
type Try = ReplyOf<AccountTable['webhooks']['test']>['body'];
type Page = Input<AccountTable['webhooks']['list']>['query'];

export interface Webhooks extends DeliveryLog {
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
}

export interface WebhookPorts {
  readonly database: Database;
  readonly secrets: WebhookSecrets;
  readonly sending: SendingPorts;
}

export function createWebhooks(ports: WebhookPorts): Webhooks {
  const { database, secrets, sending } = ports;
  const { rows, find, transaction } = database;
  const { clock } = sending;
  const requireRow: RequireWebhook = async (accountId: string, id: string, lock = ''): Promise<WebhookRow> => {
    const row = await find<WebhookRow>(`SELECT * FROM webhook WHERE id = $1 AND account_id = $2 ${lock}`, [id, accountId]);
    if (!row) throw new AppError('not_found', `There is no webhook "${id}".`);
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
      const message = { messageId: newMessageId(), notices: [testNotice(row, clock.now())] };
      return await tryDelivery(sending, toDeliveryChannel(row), message, secrets.open(row, clock.now()), signal);
    },
    ...createDeliveryLog(ports, requireRow),
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
