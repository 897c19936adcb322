// Signing secrets of webhooks, made here and shown once: the agent tells nobody.
import { randomBytes } from 'node:crypto';

/** `whsec_` and base64 of 32 random bytes (Standard Webhooks 1.0.0). */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
