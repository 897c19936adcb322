// Ids of messages: the same in every attempt, and without a dot, which signatures are made with (Standard Webhooks 1.0.0).
import { randomBytes } from 'node:crypto';

/** A new one. */
export function newMessageId(): string {
  return `msg_${randomBytes(16).toString('hex')}`;
}
