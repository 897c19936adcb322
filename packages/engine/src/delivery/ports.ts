// What deliveries need from the outside.
import type { CrawlClock } from '../crawl/crawl-ports.ts';
import type { Fetcher, Reach } from '../ports.ts';
import type { Attempt, ChannelSecretsInUse, ClaimedDelivery, DeliveryChannel } from './delivery.ts';

/** Why a channel is left alone for a time. */
export type RestReason = 'failed' | 'retry_after' | 'quiet_hours' | 'vault_locked';

/** Until when a channel is left alone; epoch milliseconds. */
export interface ChannelRest {
  readonly untilMs: number;
  readonly because: RestReason;
}

/** What an attempt means for its delivery and its channel. */
export interface DeliverySettlement {
  readonly nowMs: number;
  readonly attempt: Attempt;
  readonly durationMs: number;
  readonly verdict: DeliveryVerdict;
  /** Undefined where it arrived. */
  readonly failingSinceMs: number | undefined;
  /** Attempts since then, this one among them. */
  readonly failures: number;
  readonly rest: ChannelRest | undefined;
  /** Why nothing more is sent to the channel until somebody enables it. */
  readonly disabledReason: string | undefined;
  readonly reach: Reach | undefined;
}

/** Whether a delivery has arrived, is tried again, or is given up. */
export type DeliveryVerdict =
  | { readonly kind: 'sent' }
  | { readonly kind: 'retry'; readonly atMs: number }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * One queue for each channel, whose deliveries are sent one after another in the order in which they are due. Every call is one transaction and
 * costs O(log n), however long a queue is. One suite (tests/store/delivery-store-suite.ts) holds for every implementation.
 */
export interface DeliveryStore {
  /** At most `limit` enabled channels with a delivery that is due, that neither rest nor are leased; those that wait longest first. */
  ready(nowMs: number, limit: number): Promise<readonly string[]>;
  /** When the next channel becomes ready; undefined where nothing waits. May lie in the past. */
  nextReadyMs(): Promise<number | undefined>;
  /** Undefined for one that is deleted. */
  find(channelId: string): Promise<DeliveryChannel | undefined>;
  /**
   * Takes the delivery of a ready channel that is due longest, and leases the channel until `leaseUntilMs`: whoever is not heard of by then has
   * died, and the delivery goes to the next who asks. Undefined where the channel is not ready any more.
   */
  claim(channelId: string, nowMs: number, leaseUntilMs: number): Promise<ClaimedDelivery | undefined>;
  /** Leaves a channel alone that nobody has claimed. */
  rest(channelId: string, rest: ChannelRest): Promise<void>;
  /** Puts a delivery back as if it had not been claimed. A claim that is not the last one changes nothing. */
  release(claimed: ClaimedDelivery): Promise<void>;
  /** Writes an attempt, and what follows of it. A claim that is not the last one changes nothing: false. */
  settle(claimed: ClaimedDelivery, settlement: DeliverySettlement): Promise<boolean>;
}

/** A mail with its way. */
export interface Mail {
  readonly host: string;
  readonly port: number;
  readonly security: 'tls' | 'starttls' | 'none';
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Without the brackets. */
  readonly messageId: string;
}

/** Sends a mail: what the server answered. Throws MailError. */
export type SendMail = (mail: Mail, signal: AbortSignal) => Promise<{ readonly status: number | undefined; readonly answer: string }>;

/** A mail that was not taken; `status` is the server's, where it answered. */
export class MailError extends Error {
  readonly status: number | undefined;

  constructor(message: string, status: number | undefined, cause: unknown) {
    super(message, { cause });
    this.name = 'MailError';
    this.status = status;
  }
}

/** Shows a message on the desktop of this machine. Throws with a sentence that says why it can't. */
export type ShowOnDesktop = (title: string, body: string, signal: AbortSignal) => Promise<void>;

/** What one attempt needs. */
export interface SendingPorts {
  readonly fetcher: Pick<Fetcher, 'fetch'>;
  readonly sendMail: SendMail;
  readonly showOnDesktop: ShowOnDesktop;
  readonly clock: CrawlClock;
  /** Runs the sending of a message as a part of the trace `parent`; `work` is told what the receiver goes on with. Nothing is traced unless said. */
  traced?<T>(parent: string | undefined, work: (traceparent: string | undefined) => Promise<T>): Promise<T>;
}

/** What the loop needs. */
export interface DeliveryPorts extends SendingPorts {
  readonly store: DeliveryStore;
  /** Opens the values that a channel has sealed; undefined while they can't be. */
  secretsOf(channel: DeliveryChannel): Promise<ChannelSecretsInUse | undefined>;
  /** From 0 up to 1. */
  random(): number;
  logError(message: string, error: unknown): void;
}
