// Keeps the runtime token's file (D14).
import { findTokenFamily } from '@weft/contract';
import { ConfigError } from '../config.ts';
import { findPrivate, writePrivate, newToken } from '@weft/serve';

/** The runtime token in `path`, made on first use. Throws ConfigError when the file holds something else. */
export function ensureRuntimeToken(path: string): string {
  const kept = findPrivate(path)?.trim();
  if (kept === undefined) return replaceRuntimeToken(path);
  if (findTokenFamily(kept) === 'wlt') return kept;
  throw new ConfigError(`The file ${path} does not hold a runtime token; delete it and start again to get a new one.`);
}

/** Writes a new runtime token over the old one. */
export function replaceRuntimeToken(path: string): string {
  const token = newToken('wlt');
  writePrivate(path, `${token}\n`);
  return token;
}
