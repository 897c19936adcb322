// Signatures of webhooks: HMAC-SHA256 over id, time and body (Standard Webhooks 1.0.0).
import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

/** The value of `webhook-signature`: one signature for each secret, so that a receiver may know either. `timestamp` is in whole seconds. */
export function signWebhook(secrets: readonly string[], id: string, timestamp: number, body: string): string {
  return secrets
    .map((secret) => createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`))
    .map((hmac) => `v1,${hmac.digest('base64')}`)
    .join(' ');
}

function keyOf(secret: string): Uint8Array {
  return Uint8Array.from(atob(secret.slice(PREFIX.length)), (character) => character.charCodeAt(0));
}
