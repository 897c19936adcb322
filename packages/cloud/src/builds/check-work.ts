// Proves the published functions of one build again, for as long as its claim holds and within the credits that are held.
import { AppError } from '@weft/contract';
import { PageError, recheckFunction, recheckPrice, DEFAULT_BUILD_LIMITS } from '@weft/engine';
import type { BuiltFunction, Recheck } from '@weft/engine';
import type { Hold } from '../credits/books.ts';
import type { Database } from '../db/queries.ts';
import type { Functions } from '../published/function.ts';
import { publishedFunctions } from './build-row.ts';
import type { BuildChecks } from './checks.ts';
import type { BuildJobs, Claim } from './jobs.ts';
import { Purse, buildPorts } from './work.ts';
import type { BuildAskingPorts } from './work.ts';

export interface CheckWorkPorts extends BuildAskingPorts {
  readonly database: Pick<Database, 'as'>;
  readonly jobs: BuildJobs;
  readonly checks: BuildChecks;
  readonly functions: Pick<Functions, 'find'>;
  logError(message: string, error: unknown): void;
}

/** A check that ended so many workers, one after another, waits until it is due again. */
const LOSSES_MAX = 3;

/** Sees the rows of its account alone. */
export async function workOnCheck(claim: Claim, ports: CheckWorkPorts, stop: AbortSignal): Promise<void> {
  await ports.database.as(claim.build.account_id, () => work(claim, ports, stop));
}

async function work(claim: Claim, ports: CheckWorkPorts, stop: AbortSignal): Promise<void> {
  const { checks, jobs, logError } = ports;
  if (claim.losses >= LOSSES_MAX) return await checks.leaveOut(claim, `It ended ${claim.losses} workers, one after another.`);
  const functions = await watched(claim, ports);
  // What was deleted by its owner is looked at no more.
  if (functions.length === 0) return await checks.leaveOut(claim, undefined);
  const most = recheckPrice(functions);
  let hold: Hold;
  try {
    hold = await checks.hold(claim, most);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'insufficient_credits') throw error;
    return await checks.leaveOut(claim, error.message);
  }
  const purse = new Purse(most);
  try {
    const own = buildPorts(claim, purse, ports);
    const rechecks: Recheck[] = [];
    for (const built of functions)
      rechecks.push(await recheckFunction(built, { ...claim.build.asked, limits: DEFAULT_BUILD_LIMITS }, own, stop));
    await checks.finish(claim, rechecks, hold, purse.take());
  } catch (error) {
    await checks.giveBackHold(hold);
    const isStopped = stop.aborted || (error instanceof PageError && error.code === 'aborted');
    if (isStopped) return await jobs.giveBack(claim);
    logError('published functions could not be proved again', error);
    await checks.leaveOut(claim, 'Something unexpected failed inside the cloud; its log has the details.');
  }
}

/** Functions of the build that are still published. */
async function watched({ build }: Claim, { functions }: CheckWorkPorts): Promise<readonly BuiltFunction[]> {
  const { slug } = build.asked;
  const found: BuiltFunction[] = [];
  for (const { built, path } of publishedFunctions(build))
    if (slug !== undefined && (await functions.find(build.account_id, { slug, path }))) found.push(built);
  return found;
}
