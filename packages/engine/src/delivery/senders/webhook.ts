// Signed webhooks (Standard Webhooks 1.0.0).
import type { ChannelTarget } from '@weft/contract';
import { fitData } from '../admit.ts';
import type { ChannelSecretsInUse, Message, Notice } from '../delivery.ts';
import { signWebhook } from '../signature.ts';
import type { HttpMessage } from './http-message.ts';

/** The data of all notices of a digest together. */
const DIGEST_CHARS_MAX = 64_000;

/** What is posted: `{type, timestamp, data}`; of several notices, `notices.digest` with each in `data.notices`. */
export function webhookRequest(
  to: Extract<ChannelTarget, { kind: 'webhook' }>,
  message: Message,
  { secret, previousSecret }: ChannelSecretsInUse,
  nowMs: number,
): HttpMessage {
  if (secret === undefined) throw new Error('The channel has no secret; set `secrets.secret`.');
  const body = JSON.stringify(payloadOf(message));
  const timestamp = Math.floor(nowMs / 1000);
  const secrets = previousSecret === undefined ? [secret] : [secret, previousSecret];
  return {
    url: to.url,
    headers: {
      'webhook-id': message.id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signWebhook(secrets, message.id, timestamp, body),
    },
    body,
  };
}

function payloadOf({ notices }: Message): object {
  const [first] = notices;
  if (first && notices.length === 1) return noticePayload(first);
  const charsEach = Math.floor(DIGEST_CHARS_MAX / notices.length);
  const timestamp = new Date(first?.atMs ?? 0).toISOString();
  return {
    type: 'notices.digest',
    timestamp,
    data: { count: notices.length, notices: notices.map((notice) => noticePayload({ ...notice, data: fitData(notice.data, charsEach) })) },
  };
}

function noticePayload({ event, level, subject, data, atMs }: Notice): object {
  return { type: event, timestamp: new Date(atMs).toISOString(), data: { ...data, level, subject } };
}
