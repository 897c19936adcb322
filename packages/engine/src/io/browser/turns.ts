// Who may have a page in the browser: so many at once, of one tenant at a time, and those who wait for their answer first.
import { untilAborted } from '../gate/resolve.ts';

/** For whom a page is opened. */
export interface TurnOf {
  /** Pages of two tenants are never open in one browser; undefined is one tenant, too. */
  readonly tenant?: string | undefined;
  /** Somebody waits for the answer. */
  readonly isUrgent?: boolean | undefined;
}

/** Places for pages. */
export interface BrowserTurns {
  /** Waits for a place; the answer gives it back. Rejects when `signal` aborts. */
  take(of: TurnOf, signal: AbortSignal): Promise<() => void>;
  /** True when no place is taken. */
  areFree(): boolean;
}

/** While others wait, a tenant has the browser for so long from when it got it: another one means another browser process. */
const TURN_MS = 2000;

interface Waiter {
  readonly of: TurnOf;
  readonly admit: () => void;
}

/** `count` places. `nowMs` only grows. */
export function createBrowserTurns(count: number, nowMs: () => number = () => performance.now()): BrowserTurns {
  const waiting: Waiter[] = [];
  let taken = 0;
  let tenant: string | undefined;
  let sinceMs = 0;

  /** The next who may enter now; the first of all once the browser is empty. */
  const next = (): Waiter | undefined => {
    if (taken >= count) return undefined;
    const own = waiting.find(({ of }) => of.tenant === tenant);
    const first = waiting[0];
    if (taken === 0) return own && nowMs() - sinceMs < TURN_MS && !isPassedOver(own) ? own : first;
    const isAlone = waiting.every(({ of }) => of.tenant === tenant);
    return isAlone || nowMs() - sinceMs < TURN_MS ? own && (isPassedOver(own) ? undefined : own) : undefined;
  };
  /** Whether somebody of another tenant waits for an answer, and `waiter` does not. */
  const isPassedOver = (waiter: Waiter) =>
    waiter.of.isUrgent !== true && waiting.some(({ of }) => of.isUrgent === true && of.tenant !== tenant);

  const serve = () => {
    for (let waiter = next(); waiter; waiter = next()) {
      waiting.splice(waiting.indexOf(waiter), 1);
      if (taken === 0 && waiter.of.tenant !== tenant) {
        tenant = waiter.of.tenant;
        sinceMs = nowMs();
      }
      taken += 1;
      waiter.admit();
    }
  };
  const giveBack = () => {
    taken -= 1;
    serve();
  };
  return {
    async take(of, signal) {
      signal.throwIfAborted();
      const turn = Promise.withResolvers<void>();
      const waiter = { of, admit: turn.resolve };
      // Behind those who came before with the same haste.
      const place = of.isUrgent === true ? waiting.findIndex((other) => other.of.isUrgent !== true) : -1;
      waiting.splice(place < 0 ? waiting.length : place, 0, waiter);
      serve();
      try {
        await untilAborted(turn.promise, signal);
      } catch (error) {
        const at = waiting.indexOf(waiter);
        // The turn may have come in the same moment.
        if (at >= 0) waiting.splice(at, 1);
        else giveBack();
        throw error;
      }
      return giveBack;
    },
    areFree: () => taken === 0,
  };
}
