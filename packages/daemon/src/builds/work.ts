// Executes runs of builds: the engine's ladder on this agent's pages, browser, persona and model.
import { randomBytes } from 'node:crypto';
import { AppError, isSettled } from '@weft/contract';
import type { RunFailure } from '@weft/contract';
import {
  DEFAULT_BUILD_LIMITS,
  PageError,
  ReachMemory,
  actAs,
  buildPicked,
  createMasker,
  createSupervise,
  createSweep,
  endNotice,
  isEnded,
  newestRung,
  runBuild,
} from '@weft/engine';
import type { AskingPorts, BrowserSessions, BuildOptions, BuildPorts, BuildProgress, BuildResult, Model } from '@weft/engine';
import { createCookieStore } from '@weft/engine/io';
import type { ViewPool } from '@weft/engine/io';
import { actingOf } from '../personas/persona.ts';
import type { Personas } from '../personas/persona.ts';
import { durably } from '../db/open.ts';
import type { Database } from '../db/open.ts';
import type { Notices } from '../notices/notice.ts';
import { newBuildId, nonsenseWord } from '@weft/serve';
import { SHARED } from '../personas/profile.ts';
import type { Profiles } from '../personas/profile.ts';
import type { RunWork } from '../runs/executor.ts';
import type { Runs } from '../runs/run.ts';
import type { Vault } from '../vault/vault.ts';
import type { AskedBuild, BuildRow, BuildStore } from './store.ts';
import { tellOfBuild, toldOf } from './tell.ts';

/** What builds ask sites with. */
export interface BuildWorkPorts {
  readonly store: BuildStore;
  readonly runs: Runs;
  readonly asking: AskingPorts;
  readonly views: ViewPool;
  readonly sessions: BrowserSessions | undefined;
  readonly profiles: Pick<Profiles, 'read'>;
  readonly personas: Pick<Personas, 'require' | 'allValues'>;
  readonly vault: Pick<Vault, 'require'>;
  /** Undefined where the settings name none. */
  readonly model: Model | undefined;
}

/** What builds keep and tell with. */
export interface BuildingPorts extends BuildWorkPorts {
  readonly database: Database;
  readonly notices: Pick<Notices, 'tell'>;
}

/** Executes runs of builds; one that a dead process left behind goes on with the rung that it was at. */
export function buildWork(ports: BuildingPorts): RunWork {
  return async (run, signal, turn) => {
    const row = ports.store.find(run.source_id ?? 0);
    if (!row) throw new Error(`Run ${run.id} has no build.`);
    turn.hear();
    const requireLive = () => {
      if (signal.aborted || isSettled(ports.runs.require(run.id).status)) throw new PageError('aborted', 'The build was stopped.');
    };
    const keep = async ({ ladder, ...result }: BuildResult) => {
      requireLive();
      durably(ports.database.fast, () => {
        ports.store.keep(row.id, ladder, result, ports.asking.clock.now());
        if (isEnded(ladder)) tellOfBuild(row, endNotice({ ...toldOf(row), ladder }, result.functions), run.id, ports.notices);
      });
    };
    const options = optionsOf(row.asked);
    const tell: BuildPorts['tell'] = async (progress) => {
      requireLive();
      ports.runs.append(run.id, { type: 'log', level: 'info', message: wordsOf(progress) });
    };
    try {
      const own = buildPorts(row, tell, ports);
      if (row.picked === undefined || !row.result)
        return failureOf(await runBuild(options, own, { ladder: row.ladder, before: row.result, keep }, signal));
      // It was held against the evidence when it was chosen.
      const { result } = await buildPicked(options, own, { ...row.result, ladder: row.ladder }, row.picked, signal);
      await keep(result);
      return failureOf(result);
    } catch (error) {
      // What was stopped goes on, or was ended by whoever knows of it.
      if (!signal.aborted) tellOfBuild(row, endNotice(toldOf(row), [], failureMessage(error)), run.id, ports.notices);
      throw error;
    }
  };
}

function failureMessage(error: unknown): string {
  return error instanceof PageError || error instanceof AppError ? error.message : 'something unexpected failed; the log has the details.';
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

/** What a build, or one call of a function of it, asks its site with. Throws AppError `vault_locked` for one that acts as a persona. */
export function buildPorts(row: BuildRow, tell: BuildPorts['tell'], ports: BuildWorkPorts): BuildPorts {
  const { asking, views, sessions, store, model } = ports;
  const { id, asked } = row;
  const all: BuildPorts = {
    ...asking,
    views,
    sessions,
    cookies: (state) => createCookieStore(state?.cookies ?? []),
    privateTargets: asked.privateTargets,
    names: new ReachMemory(),
    keepAnswer: async (sha256, bytes) => store.keepAnswer(id, sha256, bytes),
    tell,
    // The owner of this machine pays for nothing but the model.
    spend: async () => true,
    newBuildId,
    nonsense: nonsenseWord,
  };
  const { values, ...acting } = asked.persona_id === undefined ? NOBODY : somebody(asked.persona_id, all, ports);
  return { ...all, ...acting, ...(model ? askingModel(model, values.secrets) : {}) };
}

const NOBODY = { values: { secrets: [] } };

function somebody(id: number, all: BuildPorts, { vault, personas, profiles }: BuildWorkPorts) {
  vault.require();
  const values = personas.allValues(id);
  return { values, ...actAs(all, actingOf(personas.require(id)), values), state: profiles.read(id, SHARED)?.state };
}

/** What a build asks a model with, which is shown no secret of whom it acts as. */
function askingModel(model: Model, secrets: readonly string[]): Pick<BuildPorts, 'supervise' | 'sweep'> {
  const masker = createMasker(secrets);
  const own = { model, mask: (text: string) => masker.text(text), nonce: () => randomBytes(8).toString('hex') };
  return { supervise: createSupervise(own), sweep: createSweep(own) };
}

/** What the log of a run says of its build. */
export function wordsOf(progress: BuildProgress): string {
  switch (progress.type) {
    case 'rung':
      return `${progress.rung} ${progress.status}${progress.reason === undefined ? '' : `: ${progress.reason}`}`;
    case 'page':
      return `${progress.url} ${progress.message ?? progress.status ?? ''}`.trim();
    case 'found':
      return `${progress.candidates} ${progress.candidates === 1 ? 'candidate' : 'candidates'}`;
    case 'waiting':
      return `waiting for ${progress.host} since ${new Date(progress.sinceMs).toISOString()}`;
    case 'proof':
      return `${progress.function} ${progress.state}: ${progress.reason}`;
  }
}
