// Messages of chat and push services: one POST of JSON each, in the form that the service documents.
import type { ChannelTarget } from '@weft/contract';
import type { ChannelSecretsInUse, Message } from '../delivery.ts';
import { cut } from '../words.ts';
import type { HttpMessage } from './http-message.ts';

/** Characters of a text at most: ntfy publishes more as a file, the others refuse it. */
const NTFY_MAX = 3_500;
const SLACK_MAX = 10_000;
const DISCORD_MAX = 4_000;
const TELEGRAM_MAX = 4_000;

/** ntfy's numbers for `info`, `warning`, `error` (https://docs.ntfy.sh/publish/#message-priority). */
const NTFY_PRIORITY = { info: 3, warning: 4, error: 5 } as const;

/** https://docs.ntfy.sh/publish/#publish-as-json */
export function ntfyRequest(
  to: Extract<ChannelTarget, { kind: 'ntfy' }>,
  { title, body, link, level }: Message,
  { token }: ChannelSecretsInUse,
): HttpMessage {
  const message = {
    topic: to.topic,
    title,
    message: cut(body, NTFY_MAX),
    priority: NTFY_PRIORITY[level],
    ...(link ? { click: link } : {}),
  };
  return { url: to.server, ...(token ? { headers: { authorization: `Bearer ${token}` } } : {}), body: JSON.stringify(message) };
}

/** https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks; three characters are escaped, so that nobody is mentioned. */
export function slackRequest({ title, body }: Message, secrets: ChannelSecretsInUse): HttpMessage {
  const escaped = cut(`${title}\n${body}`, SLACK_MAX).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return { url: requireUrl(secrets), body: JSON.stringify({ text: escaped, mrkdwn: false }) };
}

/** https://discord.com/developers/docs/resources/webhook#execute-webhook; nobody is mentioned. */
export function discordRequest({ title, body, link }: Message, secrets: ChannelSecretsInUse): HttpMessage {
  const embed = { title, description: cut(body, DISCORD_MAX), ...(link ? { url: link } : {}) };
  return { url: requireUrl(secrets), body: JSON.stringify({ embeds: [embed], allowed_mentions: { parse: [] } }) };
}

/** https://core.telegram.org/bots/api#sendmessage, as plain text. */
export function telegramRequest(
  to: Extract<ChannelTarget, { kind: 'telegram' }>,
  { title, body }: Message,
  { token }: ChannelSecretsInUse,
): HttpMessage {
  if (token === undefined) throw new Error('The channel has no token; set `secrets.token`.');
  const url = new URL(to.server);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/bot${token}/sendMessage`;
  const message = { chat_id: to.chat_id, text: cut(`${title}\n${body}`, TELEGRAM_MAX), link_preview_options: { is_disabled: true } };
  return { url: url.href, body: JSON.stringify(message) };
}

/** Seconds that Telegram (`parameters.retry_after`) and Discord (`retry_after`) ask for in the body of a refusal, as a header has them. */
export function retryAfterOf(answer: string): string | undefined {
  const seconds = /"retry_after"\s*:\s*(\d{1,9})(?:\.\d+)?/.exec(answer)?.[1];
  return seconds === undefined ? undefined : String(Number(seconds) + 1);
}

function requireUrl({ url }: ChannelSecretsInUse): string {
  if (url === undefined) throw new Error('The channel has no address; set `secrets.url`.');
  return url;
}
