// Where a channel leads to: one kind each, with what may be told of it. Values that must not be seen are sent beside it, and sealed.
import { z } from 'zod';
import { WEB_URL_WIRE, webUrl } from '../../ids.ts';
import { sealedText } from '../../sealed.ts';

/** Webhook secrets by Standard Webhooks 1.0.0: `whsec_` and base64 of 24 to 64 bytes. */
const WEBHOOK_SECRET = /^whsec_(?=[A-Za-z0-9+/]{32,86}={0,2}$)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const RECIPIENTS_MAX = 20;

/** True for the names and addresses of this machine (RFC 6761, 6.3; RFC 1122, 3.2.1.3; RFC 4291, 2.5.3). */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** An https address, or an http one of this machine (D48). Refusals quote nothing of it. */
const deliveryUrl = webUrl
  .refine((text) => {
    const url = URL.parse(text);
    return url?.protocol !== 'http:' || isLoopback(url.hostname);
  }, 'must be an https address; http is for addresses of this machine alone, such as http://127.0.0.1:9000')
  .meta({ wire: WEB_URL_WIRE });

const mailAddress = z
  .string()
  .max(320)
  .regex(/^[^\s<>,;:"@]+@[^\s<>,;:"@]+$/, 'must be a mail address such as me@example.com');

const server = z
  .string()
  .max(253)
  .regex(/^[A-Za-z0-9.:-]+$/, 'must be the name or the address of a server, without a port');

const Webhook = z.strictObject({
  kind: z.literal('webhook'),
  url: deliveryUrl.describe('Where signed messages are sent (Standard Webhooks 1.0.0): https, or http of this machine.'),
});

const Smtp = z
  .strictObject({
    kind: z.literal('smtp'),
    host: server,
    port: z.int().min(1).max(65_535).default(587),
    security: z
      .enum(['tls', 'starttls', 'none'])
      .default('starttls')
      .describe('`tls` from the first byte, `starttls` before anything is sent, or `none`, for a server on this machine alone.'),
    username: z.string().min(1).max(320).optional(),
    from: mailAddress,
    to: z.array(mailAddress).min(1).max(RECIPIENTS_MAX),
  })
  .refine(({ security, host }) => security !== 'none' || isLoopback(host), {
    path: ['security'],
    error: 'may be none only for a server on this machine, such as 127.0.0.1; use starttls or tls',
  });

const Desktop = z.strictObject({ kind: z.literal('desktop') });

const Ntfy = z.strictObject({
  kind: z.literal('ntfy'),
  server: deliveryUrl.default('https://ntfy.sh'),
  topic: z.string().regex(/^[-_A-Za-z0-9]{1,64}$/, 'must be 1 to 64 letters, digits, - and _'),
});

const Slack = z.strictObject({ kind: z.literal('slack') });
const Discord = z.strictObject({ kind: z.literal('discord') });

const Telegram = z.strictObject({
  kind: z.literal('telegram'),
  server: deliveryUrl.default('https://api.telegram.org'),
  chat_id: z.string().regex(/^(?:-?\d{1,20}|@\w{1,64})$/, 'must be the number of a chat, or the @name of a public one'),
});

/** Where a channel leads to. */
export const ChannelTarget = z
  .discriminatedUnion('kind', [Webhook, Smtp, Desktop, Ntfy, Slack, Discord, Telegram])
  .meta({ id: 'ChannelTarget' });
export type ChannelTarget = z.infer<typeof ChannelTarget>;
/** The kinds of channels. */
export type ChannelKind = ChannelTarget['kind'];

/** The values that a channel has sealed, each for some kinds; they go in and never come out. */
export const ChannelSecrets = z
  .strictObject({
    secret: sealedText(1, 200)
      .regex(WEBHOOK_SECRET, 'must be whsec_ and base64 of 24 to 64 random bytes')
      .optional()
      .describe('`webhook`: signs what is sent. Another one leaves the one before valid beside it for a day.'),
    url: sealedText(1, 2000)
      .check((context) => {
        const [issue] = deliveryUrl.safeParse(context.value).error?.issues ?? [];
        if (issue) context.issues.push({ code: 'custom', message: issue.message, input: context.value });
      })
      .optional()
      .describe('`slack`, `discord`: the address of the incoming webhook.'),
    token: sealedText(1, 1000).optional().describe('`telegram`: of the bot. `ntfy`: where the topic is protected.'),
    password: sealedText(1, 1000).optional().describe('`smtp`: of `username`.'),
  })
  .meta({ id: 'ChannelSecrets' });
export type ChannelSecrets = z.infer<typeof ChannelSecrets>;
/** The names of the values that channels have sealed. */
export type ChannelSecretName = keyof ChannelSecrets;

/** What each kind has sealed: what it needs, and what it may have. */
export const SECRETS_OF: Readonly<
  Record<ChannelKind, { readonly needed: readonly ChannelSecretName[]; readonly allowed: readonly ChannelSecretName[] }>
> = {
  webhook: { needed: ['secret'], allowed: ['secret'] },
  smtp: { needed: [], allowed: ['password'] },
  desktop: { needed: [], allowed: [] },
  ntfy: { needed: [], allowed: ['token'] },
  slack: { needed: ['url'], allowed: ['url'] },
  discord: { needed: ['url'], allowed: ['url'] },
  telegram: { needed: ['token'], allowed: ['token'] },
};
