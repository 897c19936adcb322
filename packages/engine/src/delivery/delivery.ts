// What is delivered, where to, and what came of an attempt: the words that the loop, its store and the senders share.
import type { ChannelTarget, ChannelTemplates, NoticeData, NoticeLevel, QuietHours } from '@weft/contract';
import type { Reach } from '../ports.ts';

/** What a notice is about: a kind of thing, and which. */
export interface NoticeSubject {
  readonly kind: string;
  readonly id?: number | string | undefined;
  readonly name?: string | undefined;
}

/** Something that was told. */
export interface Notice {
  /** Dotted words, such as `monitor.changed`. */
  readonly event: string;
  readonly level: NoticeLevel;
  readonly subject: NoticeSubject;
  readonly data: NoticeData;
  /** Epoch milliseconds at which it was told. */
  readonly atMs: number;
}

/** What decides whether and when a channel is told of a notice. */
export interface ChannelPolicy {
  readonly levelMin: NoticeLevel;
  /** 0 for none. */
  readonly digestMinutes: number;
  readonly quiet: QuietHours | undefined;
  /** Epoch milliseconds; in the past where it is not muted. */
  readonly mutedUntilMs: number;
}

/** A channel as the loop needs it. */
export interface DeliveryChannel {
  readonly id: string;
  readonly name: string;
  readonly to: ChannelTarget;
  readonly templates: ChannelTemplates;
  readonly policy: ChannelPolicy;
  /** Since when nothing has arrived. */
  readonly failingSinceMs: number | undefined;
  /** Attempts since then. */
  readonly failures: number;
  /** Where its server was found before: one that was public is never looked for on a private network later. */
  readonly reach: Reach | undefined;
}

/** The values that a channel has sealed, opened for one attempt. */
export interface ChannelSecretsInUse {
  readonly secret?: string;
  /** The one before, while it is still valid. */
  readonly previousSecret?: string;
  readonly url?: string;
  readonly token?: string;
  readonly password?: string;
}

/** A delivery that was taken from the queue. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly channelId: string;
  /** The same in every attempt. */
  readonly messageId: string;
  /** This attempt, from 1. */
  readonly attempt: number;
  /** Tells this claim from a later one of the same delivery. */
  readonly claim: number;
  /** What it was told within: a `traceparent` (W3C Trace Context, 3.2). */
  readonly trace?: string | undefined;
  /** One, or those that a digest collected, the oldest first. */
  readonly notices: readonly Notice[];
}

/** A message with its words. */
export interface Message {
  readonly id: string;
  readonly notices: readonly Notice[];
  /** One line. */
  readonly title: string;
  readonly body: string;
  readonly link: string | undefined;
  readonly level: NoticeLevel;
}

/** What came of one attempt. */
export interface Attempt {
  readonly outcome: 'sent' | 'failed';
  /** Of the HTTP answer, or of the mail server. */
  readonly status?: number;
  /** The first bytes of the answer, secrets masked. */
  readonly answer?: string;
  readonly error?: string;
  readonly note?: string;
  /** Epoch milliseconds that the server named. */
  readonly retryAtMs?: number;
  readonly reach?: Reach;
}
