// One attempt to deliver: words, sending by the kind of the channel, and what is told of the answer.
import { PageError } from '../errors.ts';
import { parseRetryAfter } from '../crawl/hosts/host-pace.ts';
import { createMasker } from '../mask/masker.ts';
import type { Page } from '../ports.ts';
import { targetsNamedBy } from '../url/named-targets.ts';
import { graverOf } from './admit.ts';
import type { Attempt, ChannelSecretsInUse, ClaimedDelivery, DeliveryChannel, Message } from './delivery.ts';
import { MailError } from './ports.ts';
import type { SendingPorts } from './ports.ts';
import { discordRequest, ntfyRequest, retryAfterOf, slackRequest, telegramRequest } from './senders/chat.ts';
import { mailOf } from './senders/mail.ts';
import type { HttpMessage } from './senders/http-message.ts';
import { webhookRequest } from './senders/webhook.ts';
import { renderTexts } from './templates.ts';
import { cut, wordsOf } from './words.ts';

/** Of one attempt in all. */
const ATTEMPT_MS = 15_000;
/** What is read of an answer. */
const ANSWER_BYTES_MAX = 65_536;
/** What is kept of it. */
const ANSWER_CHARS_KEPT = 1_000;

/** What is sent: a delivery that was claimed, or a test. */
export type Sendable = Pick<ClaimedDelivery, 'messageId' | 'notices' | 'trace'>;

/** Sends `delivery` to `channel` once. Never throws: what went wrong is the attempt. */
export async function attemptDelivery(
  ports: SendingPorts,
  channel: DeliveryChannel,
  delivery: Sendable,
  secrets: ChannelSecretsInUse,
  signal: AbortSignal,
): Promise<Attempt> {
  const masker = createMasker(maskedValues(secrets));
  const { title, body, note } = renderTexts(channel.templates, delivery.notices);
  const { link } = wordsOf(delivery.notices);
  const level = delivery.notices.map((notice) => notice.level).reduce(graverOf, 'info');
  const message: Message = { id: delivery.messageId, notices: delivery.notices, title, body, link, level };
  const { traced = untraced } = ports;
  const sending = traced(delivery.trace, (traceparent) => send({ ports, channel, traceparent }, message, secrets, signal));
  const attempt = await sending.catch((error: unknown) => failedAttempt(error));
  return {
    ...attempt,
    ...(attempt.answer ? { answer: cut(masker.text(attempt.answer), ANSWER_CHARS_KEPT) } : {}),
    ...(attempt.error ? { error: cut(masker.text(attempt.error), ANSWER_CHARS_KEPT) } : {}),
    ...(note ? { note: masker.text(note) } : {}),
  };
}

function untraced<T>(_parent: string | undefined, work: (traceparent: string | undefined) => Promise<T>): Promise<T> {
  return work(undefined);
}

/** By what and where to a message is sent, and the trace that its receiver goes on with. */
interface Way {
  readonly ports: SendingPorts;
  readonly channel: DeliveryChannel;
  readonly traceparent: string | undefined;
}

async function send(way: Way, message: Message, secrets: ChannelSecretsInUse, signal: AbortSignal): Promise<Attempt> {
  const { ports } = way;
  const { to } = way.channel;
  if (to.kind === 'desktop') {
    await ports.showOnDesktop(message.title, message.body, AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)]));
    return { outcome: 'sent' };
  }
  if (to.kind === 'smtp') {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)]);
    const { status, answer } = await ports.sendMail(mailOf(to, message, secrets), limit);
    return { outcome: 'sent', answer, ...(status === undefined ? {} : { status }) };
  }
  return await sendHttp(way, requestOf(to, message, secrets, ports.clock.now()), signal);
}

function requestOf(
  to: Exclude<DeliveryChannel['to'], { kind: 'desktop' | 'smtp' }>,
  message: Message,
  secrets: ChannelSecretsInUse,
  nowMs: number,
): HttpMessage {
  if (to.kind === 'webhook') return webhookRequest(to, message, secrets, nowMs);
  if (to.kind === 'ntfy') return ntfyRequest(to, message, secrets);
  if (to.kind === 'telegram') return telegramRequest(to, message, secrets);
  return to.kind === 'slack' ? slackRequest(message, secrets) : discordRequest(message, secrets);
}

/** A channel's own address may be private (D31, D48); where a redirect leads is never asked. */
async function sendHttp({ ports, channel, traceparent }: Way, request: HttpMessage, signal: AbortSignal): Promise<Attempt> {
  const trace = traceparent === undefined ? {} : { traceparent };
  const page = await ports.fetcher.fetch(
    {
      url: request.url,
      lane: 'http',
      method: 'POST',
      headers: { ...request.headers, ...trace, 'content-type': 'application/json', accept: '*/*' },
      body: new TextEncoder().encode(request.body),
      timeoutMs: ATTEMPT_MS,
      followRedirects: false,
      excerptBytes: ANSWER_BYTES_MAX,
      privateTargets: targetsNamedBy(request.url),
      names: { admit: (_url, reach) => reach === 'public' || channel.reach !== 'public' },
    },
    signal,
  );
  return attemptOf(page, ports.clock.now());
}

function attemptOf(page: Page, nowMs: number): Attempt {
  const answer = new TextDecoder().decode(page.body);
  const isSent = page.status >= 200 && page.status < 300;
  const header = page.headers.find(([name]) => name === 'retry-after')?.[1];
  const retryAtMs = isSent ? undefined : (parseRetryAfter(header, nowMs) ?? parseRetryAfter(retryAfterOf(answer), nowMs));
  const isRedirect = page.status >= 300 && page.status < 400;
  return {
    outcome: isSent ? 'sent' : 'failed',
    status: page.status,
    ...(answer === '' ? {} : { answer }),
    ...(isRedirect
      ? { error: `It answered ${page.status}: redirects are not followed. Give the channel the address that it leads to.` }
      : {}),
    ...(retryAtMs === undefined ? {} : { retryAtMs }),
    ...(page.reach ? { reach: page.reach } : {}),
  };
}

function failedAttempt(error: unknown): Attempt {
  if (error instanceof MailError)
    return { outcome: 'failed', error: error.message, ...(error.status === undefined ? {} : { status: error.status }) };
  if (error instanceof PageError) return { outcome: 'failed', error: error.message };
  if (error instanceof Error && error.name === 'TimeoutError')
    return { outcome: 'failed', error: `It took longer than ${ATTEMPT_MS / 1000} seconds.` };
  return { outcome: 'failed', error: error instanceof Error ? error.message : 'Something unexpected failed.' };
}

/** An address that is secret is so in its parts: errors name some of them. */
function maskedValues(secrets: ChannelSecretsInUse): string[] {
  const values = Object.values(secrets).filter((value) => value !== undefined);
  const path = URL.parse(secrets.url ?? '')?.pathname ?? '/';
  return [...values, ...(path.length > 1 ? [path] : [])];
}
