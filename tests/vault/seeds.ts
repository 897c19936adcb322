// Seeds for tests: read by the engine, which its own tests hold to the RFC.
import assert from 'node:assert/strict';
import { readSeed as read } from '../../packages/engine/src/totp/seed.ts';
import type { Totp } from '../../packages/engine/src/totp/seed.ts';

export { codeAt } from '../../packages/engine/src/totp/codes.ts';

export function readSeed(text: string): Totp {
  const found = read(text);
  assert.ok('totp' in found);
  return found.totp;
}
