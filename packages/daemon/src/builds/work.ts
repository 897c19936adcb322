// Executes runs of builds: the engine's ladder on this agent's pages, browser, persona and model.
import { randomBytes } from 'node:crypto';
import { isSettled } from '@weft/contract';
import type { RunFailure } from '@weft/contract';
import { DEFAULT_BUILD_LIMITS, PageError, ReachMemory, isEnded, newestRung, proveDraft, runBuild } from '@weft/engine';
import type { AskingPorts, BrowserSessions, BuildOptions, BuildPorts, BuildProgress, BuildResult, Draft } from '@weft/engine';
import { createCookieStore } from '@weft/engine/io';
import type { ViewPool } from '@weft/engine/io';
import { SHARED } from '../personas/profile.ts';
import type { Profiles } from '../personas/profile.ts';
import type { RunWork } from '../runs/executor.ts';
import type { Runs } from '../runs/run.ts';
import type { Vault } from '../vault/vault.ts';
import { newBuildId } from './build.ts';
import type { AskedBuild, BuildRow, BuildStore } from './store.ts';

/** What builds ask sites with. */
export interface BuildWorkPorts {
  readonly store: BuildStore;
  readonly runs: Runs;
  readonly asking: AskingPorts;
  readonly views: ViewPool;
  readonly sessions: BrowserSessions | undefined;
  readonly profiles: Pick<Profiles, 'read'>;
  readonly vault: Pick<Vault, 'require'>;
}

/** Executes runs of builds; one that a dead process left behind goes on with the rung that it was at. */
export function buildWork(ports: BuildWorkPorts): RunWork {
  return async (run, signal, turn) => {
    const row = ports.store.find(run.source_id ?? 0);
    if (!row) throw new Error(`Run ${run.id} has no build.`);
    turn.hear();
    const requireLive = () => {
      if (signal.aborted || isSettled(ports.runs.require(run.id).status)) throw new PageError('aborted', 'The build was stopped.');
    };
    const keep = async ({ ladder, ...result }: BuildResult) => {
      requireLive();
      ports.store.keep(row.id, ladder, result, ports.asking.clock.now());
    };
    const options = optionsOf(row.asked);
    const tell: BuildPorts['tell'] = async (progress) => {
      requireLive();
      ports.runs.append(run.id, { type: 'log', level: 'info', message: wordsOf(progress) });
    };
    const own = buildPorts(row, tell, ports);
    if (row.picked !== undefined && row.result) {
      // It was held against the evidence when it was chosen.
      const proved = await proveDraft(row.picked as Draft, options, own, { ...row.result, ladder: row.ladder }, signal);
      await keep(proved);
      return failureOf(proved);
    }
    return failureOf(await runBuild(options, own, { ladder: row.ladder, before: row.result, keep }, signal));
  };
}

/** A build that proved nothing has failed; what it found stays to be picked. */
function failureOf({ ladder }: Pick<BuildResult, 'ladder'>): RunFailure | undefined {
  const { status, measured = 'Nothing was proved.' } = newestRung(ladder);
  return isEnded(ladder) && status === 'failed' ? { code: 'selector', message: measured } : undefined;
}

/** What the engine is told of `asked`. */
export function optionsOf({ url, objective, isDiscovery, respectRobots, aiSupervise, har }: AskedBuild): BuildOptions {
  return { url, objective, isDiscovery, respectRobots, aiSupervise, har, limits: DEFAULT_BUILD_LIMITS };
}

/** What a build, or one call of a function of it, asks its site with. */
export function buildPorts({ id, asked }: BuildRow, tell: BuildPorts['tell'], ports: BuildWorkPorts): BuildPorts {
  const { store, asking, views, sessions, profiles, vault } = ports;
  if (asked.persona_id !== undefined) vault.require();
  return {
    ...asking,
    views,
    sessions,
    cookies: (state) => createCookieStore(state?.cookies ?? []),
    state: asked.persona_id === undefined ? undefined : profiles.read(asked.persona_id, SHARED)?.state,
    privateTargets: asked.privateTargets,
    names: new ReachMemory(),
    keepAnswer: async (sha256, bytes) => store.keepAnswer(id, sha256, bytes),
    tell,
    spend: async () => true,
    newBuildId,
    nonsense,
  };
}

/** Twelve small letters. */
function nonsense(): string {
  return [...randomBytes(12)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('');
}

function wordsOf(progress: BuildProgress): string {
  switch (progress.type) {
    case 'rung':
      return `${progress.rung} ${progress.status}${progress.reason === undefined ? '' : `: ${progress.reason}`}`;
    case 'page':
      return `${progress.url} ${progress.message ?? progress.status ?? ''}`.trim();
    case 'found':
      return `${progress.candidates} candidates`;
    case 'proof':
      return `${progress.function} ${progress.state}: ${progress.reason}`;
  }
}
