// Codes of a seed (RFC 6238): which one, how long it lives, and which may be used next.
import { Secret, TOTP } from 'otpauth';
import type { Totp } from './seed.ts';

/** A code that may be sent, and when. */
export interface NextCode {
  readonly code: string;
  /** Of its period; whoever sends the code spends it. */
  readonly counter: number;
  /** Epoch milliseconds before which it must not be sent. */
  readonly fromMs: number;
  /** Epoch milliseconds at which it ends. */
  readonly untilMs: number;
}

/** A code is sent with so much of its life left, or the next one is. */
const LIFE_MS_MIN = 5000;

/** The code at an instant in epoch milliseconds. */
export function codeAt(totp: Totp, atMs: number): string {
  return generatorOf(totp).generate({ timestamp: atMs });
}

/** Whole seconds that the code at an instant still lives, at least 1. */
export function secondsLeft({ period }: Totp, atMs: number): number {
  return Math.ceil((period * 1000 - (atMs % (period * 1000))) / 1000);
}

/** The code to send next: with five seconds of life left, and never of a period whose counter was spent already. */
export function nextCode(totp: Totp, nowMs: number, spentCounter: number | undefined): NextCode {
  const periodMs = totp.period * 1000;
  const lifeMs = Math.min(LIFE_MS_MIN, periodMs / 2);
  const first = Math.floor((nowMs + lifeMs) / periodMs);
  const counter = Math.max(first, (spentCounter ?? -1) + 1);
  const fromMs = Math.max(nowMs, counter * periodMs);
  return { code: codeAt(totp, counter * periodMs), counter, fromMs, untilMs: (counter + 1) * periodMs };
}

/** By how many periods the clock of a code is ahead, -1 to 1; undefined where the code is none of these three. Spaces are passed over. */
export function findDrift(totp: Totp, code: string, atMs: number): number | undefined {
  return generatorOf(totp).validate({ token: code.replaceAll(/\s/g, ''), timestamp: atMs, window: 1 }) ?? undefined;
}

function generatorOf({ secret, algorithm, digits, period }: Totp): TOTP {
  // The buffer of a seed is its own.
  return new TOTP({ secret: new Secret({ buffer: secret.slice().buffer }), algorithm, digits, period });
}
