// Works on one build for as long as its claim holds: the engine's ladder on public pages, every rung paid in the transaction that keeps it.
import { randomBytes } from 'node:crypto';
import { AppError } from '@weft/contract';
import {
  DEFAULT_BUILD_LIMITS,
  EMPTY_CATALOGUE,
  PageError,
  ReachMemory,
  StaleOwnerError,
  createSupervise,
  createSweep,
  endRung,
  isEnded,
  newestRung,
  runBuild,
} from '@weft/engine';
import type { AskingPorts, BrowserSessions, BuildPorts, BuildResult, Model, ViewReader } from '@weft/engine';
import { createCookieStore } from '@weft/engine/io';
import { newBuildId, nonsenseWord } from '@weft/serve';
import type { Database } from '../db/queries.ts';
import { askingFor } from '../hosts/asker.ts';
import type { Functions } from '../published/function.ts';
import { SUPERVISE_PRICE } from '../credits/prices.ts';
import { publishable } from './build-row.ts';
import type { PublishedPart } from './build-row.ts';
import type { BuildJobs, Claim } from './jobs.ts';

/** What builds ask with. */
export interface BuildAskingPorts {
  readonly asking: AskingPorts & { readonly views: ViewReader };
  /** Absent where no browser holds sessions. */
  readonly sessions: BrowserSessions | undefined;
  readonly jobs: Pick<BuildJobs, 'keepAnswer'>;
  /** Absent where the operator names none. */
  readonly model: Model | undefined;
}

export interface BuildWorkPorts extends BuildAskingPorts {
  readonly database: Pick<Database, 'as'>;
  readonly jobs: BuildJobs;
  readonly functions: Pick<Functions, 'publish'>;
  logError(message: string, error: unknown): void;
}

/** A build that ended so many workers, one after another, ends with them. */
const LOSSES_MAX = 3;

/** Builds until the ladder has ended, the claim is taken away, or `stop` aborts; it sees the rows of its account alone. */
export async function workOnBuild(claim: Claim, ports: BuildWorkPorts, stop: AbortSignal): Promise<void> {
  await ports.database.as(claim.build.account_id, () => work(claim, ports, stop));
}

async function work(claim: Claim, ports: BuildWorkPorts, stop: AbortSignal): Promise<void> {
  const { jobs, logError } = ports;
  const { asked, ladder, result } = claim.build;
  const purse = new Purse(claim.build.budget - claim.build.charged);
  const keep = async (kept: BuildResult) => await jobs.keep(claim, kept, purse.take());
  try {
    if (claim.losses >= LOSSES_MAX) return await giveUp(claim, keep, jobs);
    const ended = await runBuild(
      { ...asked, limits: DEFAULT_BUILD_LIMITS },
      buildPorts(claim, purse, ports),
      { ladder, before: result ?? undefined, keep },
      stop,
    );
    await jobs.finish(claim, ended, await publish(claim, ended, ports));
  } catch (error) {
    const isStopped = stop.aborted || error instanceof StaleOwnerError || (error instanceof PageError && error.code === 'aborted');
    if (!isStopped) logError(`build ${newestRung(ladder).buildId} ended its worker`, error);
    await jobs.giveBack(claim);
  }
}

async function giveUp(claim: Claim, keep: (result: BuildResult) => Promise<void>, jobs: BuildJobs): Promise<void> {
  const { ladder, result } = claim.build;
  const measured = `It ended ${claim.losses} workers, one after another: it is not tried again.`;
  const ended = isEnded(ladder) ? ladder : endRung(ladder, { kind: 'failed', measured, aiSupervise: false }, newBuildId);
  const kept = { ...(result ?? NOTHING), ladder: ended };
  await keep(kept);
  await jobs.finish(claim, kept, undefined);
}

const NOTHING: Omit<BuildResult, 'ladder'> = {
  catalogue: EMPTY_CATALOGUE,
  draft: { functions: [], none_match: false },
  draftSource: 'mechanical',
  functions: [],
  unused: [],
};

/** What work may still spend; what it has spent since it was kept last is charged with the next rung. */
export class Purse {
  private left: number;
  private spent = 0;

  constructor(left: number) {
    this.left = left;
  }

  spend(credits: number): boolean {
    if (credits > this.left) return false;
    this.left -= credits;
    this.spent += credits;
    return true;
  }

  take(): number {
    const { spent } = this;
    this.spent = 0;
    return spent;
  }
}

/** What a build, or proving it again, asks its site with. */
export function buildPorts(claim: Claim, purse: Purse, { asking, sessions, jobs, model }: BuildAskingPorts): BuildPorts {
  return {
    ...askingFor(asking, { tenant: claim.build.account_id, isUrgent: false }),
    sessions,
    cookies: (state) => createCookieStore(state?.cookies ?? []),
    privateTargets: [],
    names: new ReachMemory(),
    keepAnswer: (sha256, bytes) => jobs.keepAnswer(claim, sha256, bytes),
    tell: async () => undefined,
    spend: async (credits) => purse.spend(credits),
    newBuildId,
    nonsense: nonsenseWord,
    ...(model ? askingModel(model, purse) : {}),
  };
}

function askingModel(model: Model, purse: Purse): Pick<BuildPorts, 'supervise' | 'sweep'> {
  const own = { model, mask: (text: string) => text, nonce: () => randomBytes(8).toString('hex') };
  const supervise = createSupervise(own);
  return {
    sweep: createSweep(own),
    supervise: async (request, signal) =>
      purse.spend(SUPERVISE_PRICE)
        ? await supervise(request, signal)
        : { tokensIn: 0, tokensOut: 0, reason: `The credits of the build did not reach for the call, which costs ${SUPERVISE_PRICE}.` },
  };
}

/** Publishes what was proved, where a slug was named; each function, or why it was not. */
async function publish({ build }: Claim, { functions }: BuildResult, ports: BuildWorkPorts): Promise<readonly PublishedPart[] | undefined> {
  const { slug } = build.asked;
  // What was built again waits to be accepted.
  if (slug === undefined || build.rebuild_of !== null) return undefined;
  const parts: PublishedPart[] = [];
  for (const { name, workflow, certificate } of functions) {
    if (certificate.state !== 'proved') continue;
    const path = name.replaceAll('_', '-').slice(0, 40).replace(/-+$/, '');
    try {
      await ports.functions.publish(build.account_id, { slug, path }, publishable(workflow));
      parts.push({ function: name, path });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      parts.push({ function: name, reason: error.message });
    }
  }
  return parts;
}
