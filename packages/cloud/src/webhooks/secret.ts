// The secrets by which receivers know our messages: made here, sealed in their rows, opened for an attempt.
import { randomBytes } from 'node:crypto';
import { openValue, sealValue } from '@weft/serve';
import type { SealPlace } from '@weft/serve';
import type { WebhookRow } from './row.ts';

/** So long the secret before the last one signs beside it. */
export const ROTATION_MS = 86_400_000;
const SECRET_BYTES = 32;

/** Seals secrets of webhooks with the key that all processes of a cloud share. */
export interface WebhookSecrets {
  /** A new secret, and as it is kept. */
  make(id: string): { readonly secret: string; readonly sealed: Buffer };
  /** Those that sign a message now. */
  open(
    row: Pick<WebhookRow, 'id' | 'secret' | 'previous_secret' | 'secret_changed_at'>,
    nowMs: number,
  ): { readonly secret: string; readonly previousSecret?: string };
}

export function createWebhookSecrets(key: Uint8Array): WebhookSecrets {
  const placeOf = (record: string): SealPlace => ({ vault: 'cloud', table: 'webhook', record, field: 'secret', epoch: 1, version: 1 });
  const open = (id: string, sealed: Uint8Array) => openValue(key, placeOf(id), sealed).toString();
  return {
    make(id) {
      const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
      return { secret, sealed: sealValue(key, placeOf(id), Buffer.from(secret)) };
    },
    open({ id, secret, previous_secret: previous, secret_changed_at: changedMs }, nowMs) {
      const isRotating = previous !== null && changedMs !== null && nowMs - changedMs < ROTATION_MS;
      return { secret: open(id, secret), ...(isRotating ? { previousSecret: open(id, previous) } : {}) };
    },
  };
}
