// Webhooks of an account: signed messages of what happened (D48, Standard Webhooks 1.0.0), each with its log.
import { z } from 'zod';
import { CHANGE_KINDS } from '../groups/monitors/change.ts';
import { DeliveryStatus, DeliveryTry, NoticeData } from '../groups/notices/delivery.ts';
import { NoticeLevel } from '../groups/notices/channel.ts';
import { WEB_URL_WIRE, instant, instantText, integerText, listQuery, webUrl } from '../ids.ts';
import { LIMITS } from '../limits.ts';
import type { OperationGroup } from '../operation.ts';
import { patchOf } from '../patch.ts';
import { cursorList, json, list, none } from '../replies.ts';

/** What webhooks are told of; `run` is what somebody asked for, `webhook.disabled` goes to the other hooks. */
export const WEBHOOK_EVENTS = [
  ...CHANGE_KINDS.map((kind) => `target.${kind}` as const),
  'crawl.succeeded',
  'crawl.failed',
  'crawl.cancelled',
  'build.succeeded',
  'build.failed',
  'build.degraded',
  'build.recovered',
  'run.succeeded',
  'run.failed',
  'credits.low',
  'credits.exhausted',
  'webhook.disabled',
  'webhook.test',
] as const;
/** An event that webhooks are told of. */
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

const GROUPS = [...new Set(WEBHOOK_EVENTS.map((event) => `${event.split('.')[0] ?? ''}.*`))];

const httpsUrl = webUrl.refine((text) => URL.parse(text)?.protocol === 'https:', 'must be an https address').meta({ wire: WEB_URL_WIRE });

const fields = {
  url: httpsUrl.describe('Where messages are sent. Redirects are not followed, and an address that is not public is not reached.'),
  description: z.string().min(1).max(200).optional().describe('For people.'),
  events: z
    .array(z.enum([...WEBHOOK_EVENTS, ...GROUPS]))
    .min(1)
    .max(50)
    .optional()
    .describe('What it is told of: events, or all of a kind as `target.*`; everything unless said.'),
  digest_minutes: z
    .int()
    .min(0)
    .max(1440)
    .optional()
    .describe('Collects what comes within so many minutes into one message; 0, which sends each by itself, unless said.'),
  enabled: z.boolean().optional().describe('True unless said. true begins anew after failures too; what waits is sent.'),
};

/** The body that makes a webhook. */
export const NewWebhook = z.strictObject(fields).meta({ id: 'CreateWebhook' });
export type NewWebhook = z.infer<typeof NewWebhook>;

/** A merge patch of a webhook (RFC 7396). */
export const WebhookPatch = z
  .strictObject({
    ...patchOf(fields),
    muted_until: instantText
      .nullable()
      .optional()
      .describe('What comes before is dropped, and what waited already is sent then. null: it speaks again.'),
  })
  .meta({ id: 'WebhookPatch' });
export type WebhookPatch = z.infer<typeof WebhookPatch>;

const shown = {
  ...fields,
  id: z.string().describe('`hook_` and a random part.'),
  digest_minutes: z.int().min(0),
  enabled: z.boolean(),
  disabled_reason: z.string().optional().describe('Why it is not enabled, where nobody has switched it off.'),
  muted_until: instant.optional(),
  failing_since: instant.optional().describe('Since when nothing has arrived that was sent.'),
  rests_until: instant.optional().describe('Before when nothing more is sent, because the receiver asked for that, or failed.'),
  previous_secret_until: instant.optional().describe('Until when messages are signed with the secret before this one, too.'),
  last_sent_at: instant.optional(),
  created_at: instant,
  updated_at: instant,
};

/** A webhook. */
export const Webhook = z.strictObject(shown).meta({ id: 'Webhook' });
export type Webhook = z.infer<typeof Webhook>;

const secret = z.string().describe('`whsec_...`, by which the receiver knows that a message is from here. Shown this once.');
const NewlyMade = z.strictObject({ ...shown, secret }).meta({ id: 'WebhookWithSecret' });

const delivery = {
  id: z.string().describe('The same in every attempt; `webhook-id` of the message.'),
  event: z.string(),
  level: NoticeLevel,
  status: DeliveryStatus,
  reason: z.string().optional().describe('Why it was dropped or given up.'),
  collected_into: z.string().optional().describe('The delivery whose message holds it.'),
  attempts: z.int().min(0),
  next_at: instant.optional().describe('When it is sent next, unless the webhook rests.'),
  created_at: instant,
  settled_at: instant.optional(),
};

/** A delivery of a webhook. */
export const WebhookDelivery = z.strictObject(delivery).meta({ id: 'WebhookDelivery' });
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

/** A delivery with what it carries and how it went. */
export const WebhookDeliveryDetails = z
  .strictObject({
    ...delivery,
    subject: z.strictObject({ kind: z.string(), id: z.string().optional(), name: z.string().optional() }),
    data: NoticeData,
    tries: z.array(DeliveryTry).describe('The newest last, at most 50.'),
  })
  .meta({ id: 'WebhookDeliveryDetails' });
export type WebhookDeliveryDetails = z.infer<typeof WebhookDeliveryDetails>;

const hookId = z.string().regex(/^hook_[A-Za-z0-9_-]{22}$/, 'must be the id of a webhook, `hook_...`');
const params = z.strictObject({ id: hookId });
const deliveryParams = z.strictObject({
  id: hookId,
  delivery: z.string().regex(/^msg_[0-9a-f]{32}$/, 'must be the id of a delivery, `msg_...`'),
});

/** Webhooks: an owner's alone (D42). */
export const webhooks = {
  list: {
    id: 'webhooks.list',
    method: 'GET',
    path: '/api/account/webhooks',
    summary: 'list webhooks',
    scopes: ['admin'],
    query: z.strictObject(listQuery),
    replies: { 200: list(Webhook, 'Oldest first.') },
  },
  create: {
    id: 'webhooks.create',
    method: 'POST',
    path: '/api/account/webhooks',
    summary: 'create a webhook',
    scopes: ['admin'],
    body: NewWebhook,
    replies: { 201: json(NewlyMade, 'With its secret, this once.') },
    errors: ['conflict'],
    idempotency: 'once',
  },
  read: {
    id: 'webhooks.read',
    method: 'GET',
    path: '/api/account/webhooks/{id}',
    summary: 'read a webhook',
    scopes: ['admin'],
    params,
    replies: { 200: json(Webhook, 'Without its secret.') },
    errors: ['not_found'],
  },
  update: {
    id: 'webhooks.update',
    method: 'PATCH',
    path: '/api/account/webhooks/{id}',
    summary: 'update a webhook, switch it off or on again',
    scopes: ['admin'],
    params,
    body: WebhookPatch,
    replies: { 200: json(Webhook, 'The webhook as it is now.') },
    errors: ['not_found'],
  },
  delete: {
    id: 'webhooks.delete',
    method: 'DELETE',
    path: '/api/account/webhooks/{id}',
    summary: 'delete a webhook with its log',
    scopes: ['admin'],
    params,
    replies: { 204: none('Gone; nothing more is sent there.') },
    errors: ['not_found'],
  },
  rotate: {
    id: 'webhooks.rotate',
    method: 'POST',
    path: '/api/account/webhooks/{id}/rotate-secret',
    summary: 'give a webhook another secret',
    scopes: ['admin'],
    params,
    replies: { 200: json(NewlyMade, 'With the new secret, this once; for a day messages are signed with the one before, too.') },
    errors: ['not_found', 'conflict'],
    idempotency: 'once',
  },
  test: {
    id: 'webhooks.test',
    method: 'POST',
    path: '/api/account/webhooks/{id}/test',
    summary: 'send a message to a webhook now',
    scopes: ['admin'],
    params,
    replies: { 200: json(DeliveryTry, 'How it went; a failure is an answer too. It is sent to a muted webhook as well.') },
    errors: ['not_found'],
  },
  deliveries: {
    id: 'webhooks.deliveries',
    method: 'GET',
    path: '/api/account/webhooks/{id}/deliveries',
    summary: 'list the deliveries of a webhook',
    scopes: ['admin'],
    params,
    query: z.strictObject({
      limit: integerText(1, LIMITS.listLimitMax).optional().describe(`How many at most; ${LIMITS.listLimitDefault} unless said.`),
      cursor: z.string().max(200).optional().describe('`next_cursor` of the answer before.'),
      status: DeliveryStatus.optional(),
    }),
    replies: { 200: cursorList(WebhookDelivery, 'Deliveries, newest first; kept for 30 days.') },
    errors: ['not_found'],
  },
  delivery: {
    id: 'webhooks.delivery',
    method: 'GET',
    path: '/api/account/webhooks/{id}/deliveries/{delivery}',
    summary: 'read a delivery with its attempts',
    scopes: ['admin'],
    params: deliveryParams,
    replies: { 200: json(WebhookDeliveryDetails, 'What it carries, and how it went.') },
    errors: ['not_found'],
  },
  redeliver: {
    id: 'webhooks.redeliver',
    method: 'POST',
    path: '/api/account/webhooks/{id}/deliveries/{delivery}/redeliver',
    summary: 'send a delivery again',
    scopes: ['admin'],
    params: deliveryParams,
    replies: { 200: json(WebhookDelivery, 'It waits to be sent, under the id that it had.') },
    errors: ['not_found', 'conflict'],
  },
} as const satisfies OperationGroup;
