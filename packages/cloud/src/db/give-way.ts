// What takes many rows gives way to those who work: it waits for none of them for long, and begins anew.
import { setTimeout as pause } from 'node:timers/promises';
import type { Queries } from './queries.ts';

/** What others use is waited for so long; they wait behind whoever waits for it, and less than it takes to find a deadlock. */
const LOCK_MS = 300;
const TRIES = 200;
const PAUSE_MS = 300;
/** PostgreSQL, Appendix A: a lock that was not had in time, and a deadlock. */
const IN_THE_WAY: readonly unknown[] = ['55P03', '40P01'];

/** Within a transaction: from here on nothing is waited for for long. */
export async function waitBriefly({ rows }: Pick<Queries, 'rows'>): Promise<void> {
  await rows(`SET LOCAL lock_timeout = ${LOCK_MS}`);
}

/** Does `work`, a transaction that waits briefly, until nobody is in its way; throws what else it throws. */
export async function givingWay<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const { code } = (error ?? {}) as { readonly code?: unknown };
      if (tries >= TRIES || !IN_THE_WAY.includes(code)) throw error;
      await pause(PAUSE_MS);
    }
  }
}
