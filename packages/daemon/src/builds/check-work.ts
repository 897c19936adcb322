// Executes runs that prove the functions of a build again; what they came to is kept and told in one transaction.
import type { RunFailure } from '@weft/contract';
import { healthNotices, isReached, recheckFunction, standAfter } from '@weft/engine';
import type { NetworkWatch, Recheck } from '@weft/engine';
import { AppError } from '@weft/contract';
import { durably } from '../db/open.ts';
import type { Database } from '../db/open.ts';
import type { Notices } from '../notices/notice.ts';
import type { RunWork } from '../runs/executor.ts';
import { watchedFunctions } from './health.ts';
import type { BuildHealths } from './health.ts';
import type { BuildRow } from './store.ts';
import { tellOfBuild, toldOf } from './tell.ts';
import { buildPorts, optionsOf } from './work.ts';
import type { BuildWorkPorts } from './work.ts';

export interface CheckWorkPorts extends BuildWorkPorts {
  readonly database: Database;
  readonly notices: Pick<Notices, 'tell'>;
  readonly health: Pick<BuildHealths, 'plan'>;
  readonly network: NetworkWatch;
}

const OFFLINE = 'This machine reaches no host.';

/** A check with a broken proof is a run that has failed; one that could not look changes nothing but what it says. */
export function checkBuildWork(ports: CheckWorkPorts): RunWork {
  return async (run, signal, turn) => {
    turn.hear();
    const row = ports.store.find(run.source_id ?? 0);
    if (!row) return { code: 'input', message: 'The build was deleted meanwhile.' };
    const { clock } = ports.asking;
    if (!ports.network.mayTry(clock.steadyMs())) return leaveOut(row, OFFLINE, ports);
    try {
      const rechecks: Recheck[] = [];
      const own = buildPorts(row, async () => undefined, ports);
      for (const each of watchedFunctions(row, ports.store)) {
        const recheck = await recheckFunction(each, optionsOf(row.asked), own, signal);
        ports.runs.append(run.id, { type: 'log', level: recheck.change ? 'warn' : 'info', message: wordsOf(recheck) });
        rechecks.push(recheck);
      }
      signal.throwIfAborted();
      if (await isOffline(row, rechecks, ports, signal)) return leaveOut(row, OFFLINE, ports);
      return keep(row, run.id, rechecks, ports);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return leaveOut(row, error.message, ports);
    }
  };
}

/** What the answers of the site, or that none came, say of the network; true where this machine is offline. */
async function isOffline(
  { asked: { url, privateTargets } }: BuildRow,
  rechecks: readonly Recheck[],
  { network, asking }: CheckWorkPorts,
  signal: AbortSignal,
): Promise<boolean> {
  const { origin } = new URL(url);
  const silent = rechecks.find(({ unreached }) => unreached !== undefined)?.unreached;
  if (silent !== undefined) return await network.failed(origin, silent, async (witness) => await isReached(witness, asking, signal));
  network.answered({ origin, privateTargets });
  return false;
}

function keep(row: BuildRow, runId: number, rechecks: readonly Recheck[], ports: CheckWorkPorts): RunFailure | undefined {
  const { store, database, notices, health, asking } = ports;
  const nowMs = asking.clock.now();
  durably(database.fast, () => {
    // Another check may have ended meanwhile.
    const before = store.find(row.id)?.health?.functions ?? [];
    const { functions, turns, ...unchecked } = standAfter(before, rechecks, nowMs);
    store.setHealth(row.id, { functions, checkedMs: nowMs, ...unchecked });
    for (const notice of healthNotices(toldOf(row), turns)) tellOfBuild(row, notice, runId, notices);
    health.plan(row.id);
  });
  const broken = rechecks.filter(({ change }) => change !== undefined);
  return broken.length > 0 ? { code: broken[0]?.unreached ?? 'assert', message: broken.map(wordsOf).join(' ') } : undefined;
}

function leaveOut(row: BuildRow, unchecked: string, { store, database, health, asking }: CheckWorkPorts): RunFailure {
  durably(database.fast, () => {
    const { functions = [], checkedMs = asking.clock.now() } = row.health ?? {};
    store.setHealth(row.id, { functions, checkedMs, unchecked });
    health.plan(row.id);
  });
  return { code: 'input', message: `The functions could not be proved again: ${unchecked}` };
}

function wordsOf({ function: name, change, isCut }: Recheck): string {
  if (isCut) return `${name} was not proved to its end: the site asked for more pages than its calls may take.`;
  return change ? `${name}: ${change.kind}. ${change.message}` : `${name} holds.`;
}
