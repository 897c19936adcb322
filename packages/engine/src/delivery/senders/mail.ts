// Mails: plain text, and the same as HTML in which nothing is markup but ours.
import type { ChannelTarget } from '@weft/contract';
import type { ChannelSecretsInUse, Message } from '../delivery.ts';
import type { Mail } from '../ports.ts';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function mailOf(to: Extract<ChannelTarget, { kind: 'smtp' }>, message: Message, { password }: ChannelSecretsInUse): Mail {
  const { host, port, security, username, from } = to;
  return {
    host,
    port,
    security,
    username,
    password,
    from,
    to: to.to,
    subject: message.title,
    text: message.body,
    html: htmlOf(message),
    // The same in every attempt, so that a mail server can tell that it has the mail already.
    messageId: `${message.id}@${from.split('@')[1]}`,
  };
}

function htmlOf({ body, link }: Message): string {
  const shown = `<pre style="white-space:pre-wrap;font-family:inherit">${escapeHtml(body)}</pre>`;
  return link === undefined ? shown : `${shown}<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}
