// A process that checks targets: it claims as many of those that are due as it has places for, says that it lives, and gives them back when it stops.
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@weft/contract';
import { scheduleOf } from '@weft/engine';
import type { Hold } from '../credits/books.ts';
import type { TargetClaim } from './claims.ts';
import { checkTarget, holdFor } from './work.ts';
import type { TargetWorkPorts } from './work.ts';

/** Checks what is due until it is stopped. */
export interface TargetWorker {
  /** Looks for what is due now. */
  wake(): void;
  /** Stops asking hosts and gives back what it checked; others check it at once. */
  stop(): Promise<void>;
}

/** What it needs. */
export interface TargetWorkerOptions extends TargetWorkPorts {
  /** Checks at once. */
  readonly places: number;
  logError(message: string, error: unknown): void;
}

const HEARTBEAT_MS = 2000;
const LOOK_MS = 1000;
/** A check that ended so many processes, one after another, is left out. */
const LOSSES_MAX = 3;
/** Below the time after which what it holds is given back. */
const CHECK_MS_MAX = 600_000;
/** What was due for longer than this when nobody checked was missed. */
const MISSED_MS = 120_000;

/** Begins to work. */
export function startTargetWorker(options: TargetWorkerOptions): TargetWorker {
  const { claims, logError } = options;
  const working = new Map<TargetClaim, { readonly stop: AbortController; readonly done: Promise<void> }>();
  const stopping = new AbortController();
  let woken = new AbortController();

  const take = async (): Promise<boolean> => {
    const taken = await claims.claim(options.places - working.size);
    for (const claim of taken) {
      const stop = new AbortController();
      const done = run(claim, options, stop.signal)
        .catch((error: unknown) => logError(`target ${claim.target.id} could not be given back`, error))
        .finally(() => {
          working.delete(claim);
          woken.abort();
        });
      working.set(claim, { stop, done });
    }
    return taken.length > 0;
  };

  const look = async () => {
    while (!stopping.signal.aborted) {
      woken = new AbortController();
      const hasTaken = await take().catch((error: unknown) => {
        logError('no target could be claimed', error);
        return false;
      });
      if (!hasTaken) await pause(LOOK_MS, undefined, { signal: woken.signal }).catch(() => undefined);
    }
  };

  const beat = async () => {
    // Others may be claimed meanwhile, of which this answer says nothing.
    const asked = [...working];
    if (asked.length === 0) return;
    const held = await claims.keepAlive(asked.map(([claim]) => claim));
    // Deleted, or taken over: nothing that it does would count.
    for (const [claim, { stop }] of asked) if (!held.has(claim) && working.has(claim)) stop.abort();
  };

  const looking = look();
  let beating: Promise<void> | undefined;
  const heart = setInterval(() => {
    beating ??= beat()
      .catch((error: unknown) => logError('the targets that are checked could not be kept', error))
      .finally(() => (beating = undefined));
  }, HEARTBEAT_MS).unref();

  return {
    wake: () => woken.abort(),
    async stop() {
      stopping.abort();
      woken.abort();
      await looking;
      for (const { stop } of working.values()) stop.abort();
      await Promise.all([...working.values()].map(({ done }) => done));
      clearInterval(heart);
      await beating;
    },
  };
}

/** Makes the check of a claim, leaves it out, or gives it back. */
async function run(claim: TargetClaim, options: TargetWorkerOptions, signal: AbortSignal): Promise<void> {
  const { claims, credits } = options;
  if (claim.losses >= LOSSES_MAX) {
    const message = `It ended ${claim.losses} processes, one after another: it is left out until it is due again.`;
    return await claims.leaveOut(claim, { because: 'internal', message });
  }
  const isMissed = claim.trigger === 'schedule' && claim.losses === 0 && claim.lateMs > MISSED_MS;
  if (isMissed && scheduleOf(claim.target.definition).missed === 'skip') return await claims.leaveOut(claim, undefined);
  let hold: Hold;
  try {
    hold = await holdFor(claim, credits);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'insufficient_credits') throw error;
    return await claims.leaveOut(claim, { because: 'insufficient_credits', message: error.message });
  }
  await checkHeld(claim, hold, options, signal);
}

async function checkHeld(claim: TargetClaim, hold: Hold, options: TargetWorkerOptions, signal: AbortSignal): Promise<void> {
  const { claims, credits, logError } = options;
  const ending = AbortSignal.any([signal, AbortSignal.timeout(CHECK_MS_MAX)]);
  // What a run that somebody asked for holds stays with it, for whoever goes on; of a deleted target it ends with its time.
  const giveUpHold = async () => void (claim.trigger === 'schedule' && (await credits.settle(hold, 0)));
  try {
    if (!(await checkTarget(claim, hold, options, ending))) await giveUpHold();
  } catch (error) {
    if (signal.aborted) {
      await giveUpHold();
      return await claims.giveBack(claim);
    }
    await credits.settle(hold, 0);
    if (!ending.aborted) logError(`the check of target ${claim.target.id} failed`, error);
    const message = ending.aborted
      ? `The check took longer than ${CHECK_MS_MAX / 1000} seconds and was ended.`
      : 'Something unexpected failed inside the cloud; its log has the details.';
    await claims.leaveOut(claim, { because: 'internal', message });
  }
}
