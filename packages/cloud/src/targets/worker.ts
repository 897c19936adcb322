// Checks targets that are due: each is made, left out, or given back.
import { AppError } from '@weft/contract';
import { scheduleOf } from '@weft/engine';
import type { Hold } from '../credits/books.ts';
import { startJobWorker } from '../jobs/worker.ts';
import type { JobWorker } from '../jobs/worker.ts';
import type { Tracer } from '../observe/tracer.ts';
import type { TargetClaim } from './claims.ts';
import { checkTarget, holdFor } from './work.ts';
import type { TargetWorkPorts } from './work.ts';

/** What it needs. */
export interface TargetWorkerOptions extends TargetWorkPorts {
  /** Checks at once. */
  readonly places: number;
  readonly tracer: Tracer;
  logError(message: string, error: unknown): void;
}

/** A check that ended so many processes, one after another, is left out. */
const LOSSES_MAX = 3;
/** Below the time after which what it holds is given back. */
const CHECK_MS_MAX = 600_000;
/** What was due for longer than this when nobody checked was missed. */
const MISSED_MS = 120_000;

/** Begins to work. */
export function startTargetWorker(options: TargetWorkerOptions): JobWorker {
  const { claims, places, tracer, logError } = options;
  return startJobWorker<TargetClaim>({
    name: 'targets',
    places,
    // A check is short: it keeps its place until it has ended.
    turnMs: Infinity,
    claim: (free) => claims.claim(free),
    keepAlive: async (held) => ({ held: await claims.keepAlive(held), waiting: 0 }),
    run: (claim, over, stop) =>
      tracer.trace('target check', { kind: 'consumer', parent: claim.trace, attributes: { 'weft.target': claim.target.id } }, () =>
        run(claim, options, AbortSignal.any([over, stop])),
      ),
    drainsAlways: () => false,
    logError,
  });
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
