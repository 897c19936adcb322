// Makes tokens and keeps the runtime token's file (D14).
import { createHash, randomBytes } from 'node:crypto';
import { findTokenFamily, formatToken } from '@weft/contract';
import type { TokenFamily } from '@weft/contract';
import { ConfigError } from '../config.ts';
import { findPrivate, writePrivate } from '../home.ts';

/** A new token of 32 random bytes. */
export function newToken(family: TokenFamily): string {
  return formatToken(family, randomBytes(32).toString('base64url'));
}

/** What is stored and looked up instead of a token. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The runtime token in `path`, made on first use. Throws ConfigError when the file holds something else. */
export function ensureRuntimeToken(path: string): string {
  const kept = findPrivate(path)?.trim();
  if (kept === undefined) return replaceRuntimeToken(path);
  if (findTokenFamily(kept) === 'wlt') return kept;
  throw new ConfigError(`The file ${path} does not hold a runtime token; delete it and start again to get a new one.`);
}

/** 32 random bytes in `path`, made on first use. */
export function ensureSecret(path: string): Uint8Array {
  const kept = findPrivate(path)?.trim();
  if (kept !== undefined) return Buffer.from(kept, 'base64url');
  const secret = randomBytes(32);
  writePrivate(path, `${secret.toString('base64url')}\n`);
  return secret;
}

/** Writes a new runtime token over the old one. */
export function replaceRuntimeToken(path: string): string {
  const token = newToken('wlt');
  writePrivate(path, `${token}\n`);
  return token;
}
