// How often a passphrase may be guessed: five times freely, then after waits that double.
import { AppError } from '@weft/contract';

export interface Guesses {
  /** Throws AppError `too_many_requests` while the last wrong one is too recent. */
  check(): void;
  failed(): void;
  passed(): void;
}

const FREE = 5;
const FIRST_WAIT_MS = 1000;
const WAIT_MS_MAX = 300_000;

/** `steadyMs` only grows. */
export function createGuesses(steadyMs: () => number): Guesses {
  let count = 0;
  let nextMs = 0;
  return {
    check() {
      const waitSeconds = Math.ceil((nextMs - steadyMs()) / 1000);
      if (count < FREE || waitSeconds <= 0) return;
      throw new AppError('too_many_requests', `${count} wrong passphrases; the next is looked at in ${waitSeconds} seconds.`, {
        retryAfterSeconds: waitSeconds,
      });
    },
    failed() {
      count++;
      nextMs = steadyMs() + Math.min(WAIT_MS_MAX, FIRST_WAIT_MS * 2 ** (count - FREE));
    },
    passed: () => void (count = 0),
  };
}
