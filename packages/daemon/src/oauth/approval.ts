// The code that a person carries from a terminal to the consent page: any web page can lead a browser there, none can read the terminal.
import { randomInt } from 'node:crypto';
import type { OAuthApproval } from '@weft/contract';
import type { CrawlClock } from '@weft/engine';
import { hashToken, toInstant } from '@weft/serve';
import { timingSafeEqual } from 'node:crypto';

const LIFE_MS = 300_000;
const TRIES_MAX = 5;
/** Without letters and digits that are taken for one another. */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ23456789';
const LENGTH = 8;

export interface Approvals {
  /** A new code; an earlier one is dead. */
  make(): OAuthApproval;
  /** True once for the code that is good now; the fifth wrong one kills it. */
  spend(text: string): boolean;
}

interface LiveCode {
  readonly hash: Buffer;
  readonly untilMs: number;
  triesLeft: number;
}

export function createApprovals(clock: CrawlClock): Approvals {
  let live: LiveCode | undefined;
  return {
    make() {
      const letters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
      live = { hash: hashToken(letters), untilMs: clock.steadyMs() + LIFE_MS, triesLeft: TRIES_MAX };
      return { code: `${letters.slice(0, 4)}-${letters.slice(4)}`, expires_at: toInstant(clock.now() + LIFE_MS) };
    },
    spend(text) {
      if (!live || clock.steadyMs() >= live.untilMs) return false;
      const isRight = timingSafeEqual(hashToken(text.toUpperCase().replace(/[^A-Z0-9]/g, '')), live.hash);
      live.triesLeft--;
      if (isRight || live.triesLeft === 0) live = undefined;
      return isRight;
    },
  };
}
