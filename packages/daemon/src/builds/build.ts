// Builds of this machine: what was asked for, how far they are, and what they came to.
import { AppError, LIMITS, isSettled } from '@weft/contract';
import type { BuildSummary, BuildView, Run, StartBuild, StartDiscovery, UpdateBuild } from '@weft/contract';
import { beginLadder, diffFunctions, newestRung, proposalOf, viewBuild } from '@weft/engine';
import type { KeptBuild } from '@weft/engine';
import { isAdmin, newBuildId, toInstant } from '@weft/serve';
import type { Actor } from '@weft/serve';
import { privateTargetsOf } from '../auth/private-targets.ts';
import { durably } from '../db/open.ts';
import type { Personas } from '../personas/persona.ts';
import type { Executor } from '../runs/executor.ts';
import type { Vault } from '../vault/vault.ts';
import { createBuildResults } from './build-results.ts';
import type { BuildResultPorts, BuildResults } from './build-results.ts';
import type { BuildHealths } from './health.ts';
import { createProposals, proposingOf } from './proposal.ts';
import type { ProposalPorts, Proposals } from './proposal.ts';
import { runOf } from './run-of.ts';
import type { AskedBuild, BuildRow } from './store.ts';

export interface Builds extends BuildResults {
  list(
    query: { readonly limit?: number | undefined; readonly offset?: number | undefined },
    ownerId: string | undefined,
  ): {
    readonly data: BuildSummary[];
    readonly total: number;
  };
  /** Makes a build and its run; the id of its first rung. Throws AppError `forbidden`, `bad_request`, `vault_locked`, `device_capacity`. */
  start(asked: StartBuild | StartDiscovery, isDiscovery: boolean, actor: Actor): string;
  /** The build that a rung is of. Throws AppError `not_found`, as all that take an id. */
  require(buildId: string): BuildRow;
  /** What a poll of a rung shows; `origin` is where this agent is called. */
  view(buildId: string, origin: string): BuildView;
  /** What a poll of the newest rung shows. */
  viewNewest(id: number, origin: string): BuildView;
  /** Makes another build with the same options; the id of its first rung. */
  rebuild(buildId: string, actor: Actor): string;
  /** Changes how often its functions are proved again. */
  update(buildId: string, change: UpdateBuild): void;
  /** Begins to prove its functions again; the run. Throws AppError `conflict` where nothing is proved, `vault_locked`. */
  check(buildId: string, actor: Actor): number;
  /** Lets a build that was built again replace what was published before. Throws AppError `conflict`. */
  accept(buildId: string): ReturnType<Proposals['accept']>;
  /** Throws AppError `conflict`. */
  decline(buildId: string): void;
  /** Ends the run of a build; false where it had ended. */
  cancel(buildId: string): boolean;
  /** Throws AppError `conflict` while the build goes on. */
  delete(buildId: string): void;
  /** Whose key started the build; undefined where there is none. */
  ownerOf(buildId: string): string | undefined;
}

export interface BuildNounPorts extends Omit<BuildResultPorts, 'health' | 'workflows'> {
  readonly health: BuildHealths;
  readonly workflows: BuildResultPorts['workflows'] & ProposalPorts['workflows'];
  readonly executor: () => Executor;
  readonly personas: Pick<Personas, 'require'>;
  readonly vault: Pick<Vault, 'require'>;
}

/** Where workflows are called as functions. */
const FUNCTIONS = '/x/functions';

export function createBuilds(ports: BuildNounPorts): Builds {
  const { database, store, runs, clock, health } = ports;
  const proposals = createProposals(ports);

  const requireRow = (buildId: string): BuildRow => {
    const row = store.findByRung(buildId);
    if (!row) throw new AppError('not_found', `There is no build ${buildId}: weft api list shows those that there are.`);
    return row;
  };
  const isLive = (row: BuildRow) => !isSettled(runs.require(row.run_id).status);
  const keptOf = (row: BuildRow): KeptBuild => ({
    url: row.asked.url,
    objective: row.asked.objective,
    isDiscovery: row.asked.isDiscovery,
    ladder: row.ladder,
    result: isLive(row) ? undefined : row.result,
    stopped: stoppedBy(runs.require(row.run_id)),
    createdAt: toInstant(row.created_at),
    updatedAt: toInstant(row.updated_at),
  });
  const show = (row: BuildRow, buildId: string, origin: string): BuildView => {
    const before = row.rebuild_of === undefined ? undefined : store.find(row.rebuild_of);
    const publishedAs = Object.fromEntries([...store.workflows(row.id)].map(([name, { slug }]) => [name, slug] as const));
    const proposal = proposalOf(proposingOf(row, isLive(row)));
    const view = viewBuild(keptOf(row), buildId, {
      run_id: row.run_id,
      ...(before ? { rebuild_of: newestRung(before.ladder).buildId } : {}),
      ...(before?.result && row.result && !isLive(row) ? { diff: diffFunctions(before.result.functions, row.result.functions) } : {}),
      ...(proposal === undefined ? {} : { proposal }),
      health: health.view(row),
      publishedAs,
      ...(Object.keys(publishedAs).length > 0 ? { served: { url: `${origin}${FUNCTIONS}`, paths: publishedAs } } : {}),
    });
    if (!view) throw new AppError('not_found', `There is no build ${buildId}.`);
    return view;
  };
  const make = (asked: AskedBuild, ownerId: string, rebuildOf: number | undefined): string => {
    if (asked.persona_id !== undefined) requirePersona(asked.persona_id, ports);
    const buildId = newBuildId();
    durably(database.fast, () => {
      const id = store.nextId();
      const nowMs = clock.now();
      runs.create(runOf(id, asked, ownerId), (run_id) => {
        const ladder = beginLadder(buildId, { respectRobots: asked.respectRobots });
        store.insert({ id, owner_id: ownerId, run_id, asked, ladder, rebuild_of: rebuildOf, created_at: nowMs, updated_at: nowMs });
        return null;
      });
    });
    return buildId;
  };

  return {
    ...createBuildResults(ports, requireRow),
    list({ limit = LIMITS.listLimitDefault, offset = 0 }, ownerId) {
      const data = store.list(ownerId, limit, offset).map((row) => summaryOf(show(row, newestRung(row.ladder).buildId, '')));
      return { data, total: store.count(ownerId) };
    },
    start: (asked, isDiscovery, actor) => make(askedOf(asked, isDiscovery, actor), actor.id, undefined),
    require: requireRow,
    view: (buildId, origin) => show(requireRow(buildId), buildId, origin),
    viewNewest(id, origin) {
      const row = store.find(id);
      if (!row) throw new AppError('not_found', 'The build was deleted meanwhile.');
      return show(row, newestRung(row.ladder).buildId, origin);
    },
    rebuild(buildId, actor) {
      const row = requireRow(buildId);
      return make(row.asked, actor.id, row.id);
    },
    update: (buildId, change) => health.update(requireRow(buildId), change),
    check: (buildId, actor) => health.check(requireRow(buildId), actor.id),
    accept: (buildId) => proposals.accept(requireRow(buildId)),
    decline: (buildId) => proposals.decline(requireRow(buildId)),
    cancel(buildId) {
      const { run_id: runId } = requireRow(buildId);
      const isCancelled = runs.settle(runId, 'cancelled');
      if (isCancelled) ports.executor().abort(runId);
      return isCancelled;
    },
    delete(buildId) {
      const row = requireRow(buildId);
      if (isLive(row)) throw new AppError('conflict', `Build ${buildId} goes on; end it first: weft api cancel ${buildId}`);
      health.forget(row.id);
      store.delete(row.id);
    },
    ownerOf: (buildId) => store.findByRung(buildId)?.owner_id,
  };
}

/** What is kept of a body. Throws AppError `forbidden` for what its sender may not say (D16, D31). */
function askedOf(body: StartBuild | StartDiscovery, isDiscovery: boolean, actor: Actor): AskedBuild {
  const { url, objective = '', respect_robots: respectRobots = true, ai_supervise: aiSupervise = true, har, persona_id } = body;
  if (!respectRobots && !isAdmin(actor))
    throw new AppError('forbidden', '"respect_robots": false needs the admin scope or the runtime token.');
  if (persona_id !== undefined && !isAdmin(actor))
    throw new AppError('forbidden', '"persona_id" needs the admin scope or the runtime token.');
  const checkHours = 'check_hours' in body ? body.check_hours : undefined;
  return {
    url,
    objective,
    isDiscovery,
    respectRobots,
    aiSupervise,
    ...(har === undefined ? {} : { har }),
    ...(persona_id === undefined ? {} : { persona_id }),
    ...(checkHours === undefined ? {} : { checkHours }),
    privateTargets: privateTargetsOf(url, actor),
  };
}

function requirePersona(id: number, { personas, vault }: Pick<BuildNounPorts, 'personas' | 'vault'>): void {
  try {
    personas.require(id);
  } catch (error) {
    throw error instanceof AppError ? new AppError('bad_request', `"persona_id" is ${id}. ${error.message}`) : error;
  }
  vault.require();
}

/** How the run of a build ended, where that is more than its ladder says. */
function stoppedBy({ status, failure }: Run): KeptBuild['stopped'] {
  if (status === 'cancelled') return { status };
  return status === 'failed' ? { status, ...(failure ? { reason: failure.message } : {}) } : undefined;
}

function summaryOf({
  build_id,
  rung,
  mode,
  status,
  url,
  objective,
  run_id,
  functions = [],
  created_at,
  updated_at,
}: BuildView): BuildSummary {
  const proved = functions.filter(({ state }) => state === 'proved').length;
  return {
    build_id,
    rung,
    mode,
    status,
    url,
    ...(objective === undefined ? {} : { objective }),
    ...(run_id === undefined ? {} : { run_id }),
    functions: { proved, all: functions.length },
    created_at,
    updated_at,
  };
}
