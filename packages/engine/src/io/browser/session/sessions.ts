// Opens sessions of many steps in the pool that single pages use too.
import type { Clock } from '../../../ports.ts';
import type { BrowserSessions } from '../../../run/session.ts';
import { toBrowserError } from '../failure.ts';
import type { BrowserPool } from '../pool.ts';
import { createSession } from './session.ts';

const OPEN_MS = 30_000;

/** Sessions in the browsers of `pool`. */
export function createSessions(pool: BrowserPool, clock: Clock): BrowserSessions {
  return {
    async open(options, signal) {
      const { privateTargets = [], names, proxy, locale, viewport, state, isHeaded } = options;
      try {
        signal.throwIfAborted();
        const job = { owner: undefined, privateTargets, names, proxy, mayReachPrivate: privateTargets.length > 0 };
        const held = await pool.holdContext(job, { locale, viewport, state, isHeaded }, signal);
        return createSession(held, options, clock);
      } catch (error) {
        throw toBrowserError(error, 'about:blank', OPEN_MS, signal);
      }
    },
  };
}
