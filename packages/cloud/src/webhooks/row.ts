// A webhook as its row has it.
import type { DeliveryChannel, Reach, RestReason } from '@weft/engine';

/** A row. Times without a type of the database are epoch milliseconds. */
export interface WebhookRow {
  readonly id: string;
  readonly number: number;
  readonly account_id: string;
  readonly url: string;
  readonly description: string | null;
  readonly events: readonly string[] | null;
  readonly digest_minutes: number;
  readonly is_enabled: boolean;
  readonly disabled_reason: string | null;
  readonly muted_until: number;
  readonly failing_since: number | null;
  readonly failures: number;
  readonly rests_until: number;
  readonly rests_because: RestReason | null;
  readonly lease_until: number;
  readonly next_at: number | null;
  readonly reach: Reach | null;
  readonly secret: Buffer;
  readonly previous_secret: Buffer | null;
  readonly secret_changed_at: number | null;
  readonly last_sent_at: number | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** What the engine sends to. */
export function toDeliveryChannel(row: WebhookRow): DeliveryChannel {
  return {
    id: row.id,
    name: row.description ?? row.url,
    to: { kind: 'webhook', url: row.url },
    templates: {},
    policy: { levelMin: 'info', digestMinutes: row.digest_minutes, quiet: undefined, mutedUntilMs: row.muted_until },
    failingSinceMs: row.failing_since ?? undefined,
    failures: row.failures,
    reach: row.reach ?? undefined,
  };
}
