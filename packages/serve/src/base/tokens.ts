// Makes tokens and secrets, and what is kept instead of them (D14).
import { hash, randomBytes } from 'node:crypto';
import { formatToken } from '@weft/contract';
import type { TokenFamily } from '@weft/contract';
import { findPrivate, writePrivate } from './private-files.ts';

/** A new token of 32 random bytes. */
export function newToken(family: TokenFamily): string {
  return formatToken(family, randomBytes(32).toString('base64url'));
}

/** What is stored and looked up instead of a token. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** 32 random bytes in `path`, made on first use. */
export function ensureSecret(path: string): Uint8Array {
  const kept = findPrivate(path)?.trim();
  if (kept !== undefined) return Buffer.from(kept, 'base64url');
  const secret = randomBytes(32);
  writePrivate(path, `${secret.toString('base64url')}\n`);
  return secret;
}
