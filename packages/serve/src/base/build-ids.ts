// What builds of both programs draw by chance.
import { randomBytes } from 'node:crypto';

/** A new id of a rung of a build. */
export function newBuildId(): string {
  return `bld_${randomBytes(16).toString('base64url')}`;
}

/** Twelve small letters, which no site knows as a word. */
export function nonsenseWord(): string {
  return [...randomBytes(12)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('');
}
