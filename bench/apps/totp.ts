// Codes of an authenticator by RFC 6238 and RFC 4226, from node:crypto alone: they owe nothing to the engine.
import { createHmac } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const PERIOD_MS = 30_000;

/** The code of six digits that a base32 seed has at `nowMs`. */
export function codeAt(seed: string, nowMs: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(periodAt(nowMs)));
  const digest = createHmac('sha1', fromBase32(seed)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** The number of the 30 seconds that hold `nowMs`: a code is good in one of them, once. */
export function periodAt(nowMs: number): number {
  return Math.floor(nowMs / PERIOD_MS);
}

/** RFC 4648, without padding. */
function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
