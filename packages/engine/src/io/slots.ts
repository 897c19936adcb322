// A fixed number of places that are taken and given back, first come, first served.
import { untilAborted } from './gate/resolve.ts';

/** Places for work that must not all run at once. */
export interface Slots {
  /** Waits for a place; the answer gives it back. Rejects when `signal` aborts. */
  take(signal: AbortSignal): Promise<() => void>;
  /** True when no place is taken. */
  areFree(): boolean;
}

/** `count` free places. */
export function createSlots(count: number): Slots {
  const waiting: (() => void)[] = [];
  let taken = 0;
  const giveBack = () => {
    const next = waiting.shift();
    if (next) next();
    else taken -= 1;
  };
  return {
    async take(signal) {
      signal.throwIfAborted();
      if (taken < count) {
        taken += 1;
        return giveBack;
      }
      const turn = Promise.withResolvers<void>();
      waiting.push(turn.resolve);
      try {
        await untilAborted(turn.promise, signal);
      } catch (error) {
        const place = waiting.indexOf(turn.resolve);
        // The turn may have come in the same moment.
        if (place >= 0) waiting.splice(place, 1);
        else giveBack();
        throw error;
      }
      return giveBack;
    },
    areFree: () => taken === 0,
  };
}
