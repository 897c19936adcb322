// Builds of this machine: what was asked for, how far they are, and what they came to.
import { AppError, LIMITS, isSettled } from '@weft/contract';
import type {
  BuildSummary,
  BuildView,
  PickDraft,
  PublishBuild,
  BuiltWorkflow,
  StartBuild,
  StartDiscovery,
  VerifiedFunction,
} from '@weft/contract';
import {
  EMPTY_CATALOGUE,
  acceptDraft,
  beginLadder,
  diffFunctions,
  evidenceOf,
  newestRung,
  verifyCertificate,
  viewBuild,
} from '@weft/engine';
import type { BuildResult, Clock, KeptBuild } from '@weft/engine';
import { isAdmin, newBuildId, toInstant } from '@weft/serve';
import type { Actor } from '@weft/serve';
import { privateTargetsOf } from '../auth/private-targets.ts';
import { durably } from '../db/open.ts';
import type { Database } from '../db/open.ts';
import type { Personas } from '../personas/persona.ts';
import type { Executor } from '../runs/executor.ts';
import type { Runs } from '../runs/run.ts';
import type { Vault } from '../vault/vault.ts';
import type { Workflows } from '../workflows/workflow.ts';
import { BUILD_SOURCE } from './store.ts';
import type { AskedBuild, BuildRow, BuildStore } from './store.ts';

export interface Builds {
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
  /** What a poll of a rung shows. */
  view(buildId: string): BuildView;
  /** What a poll of the newest rung shows. */
  viewNewest(id: number): BuildView;
  evidence(buildId: string): NonNullable<BuildView['evidence']>;
  /** Begins to prove what a person has chosen; the id of the build. Throws AppError `conflict` while it goes on, `bad_request`. */
  pick(buildId: string, draft: PickDraft): number;
  /** Decides the proofs again. Throws AppError `conflict` while the build goes on. */
  verify(buildId: string): Promise<VerifiedFunction[]>;
  /** Makes another build with the same options; the id of its first rung. */
  rebuild(buildId: string, actor: Actor): string;
  /** Keeps functions as workflows. Throws AppError `not_found`, `conflict`. */
  publish(buildId: string, wanted: PublishBuild): BuiltWorkflow[];
  /** Ends the run of a build; false where it had ended. */
  cancel(buildId: string): boolean;
  /** Throws AppError `conflict` while the build goes on. */
  delete(buildId: string): void;
  /** Whose key started the build; undefined where there is none. */
  ownerOf(buildId: string): string | undefined;
}

export interface BuildNounPorts {
  readonly database: Database;
  readonly store: BuildStore;
  readonly runs: Runs;
  readonly executor: () => Executor;
  readonly workflows: Workflows;
  readonly personas: Pick<Personas, 'require'>;
  readonly vault: Pick<Vault, 'require'>;
  readonly clock: Clock;
}

export function createBuilds(ports: BuildNounPorts): Builds {
  const { database, store, runs, clock, workflows } = ports;

  const requireRow = (buildId: string): BuildRow => {
    const row = store.findByRung(buildId);
    if (!row) throw new AppError('not_found', `There is no build ${buildId}: weft api list shows those that there are.`);
    return row;
  };
  const isLive = (row: BuildRow) => !isSettled(runs.require(row.run_id).status);
  const requireEnded = (row: BuildRow): NonNullable<BuildRow['result']> => {
    const { buildId } = newestRung(row.ladder);
    if (isLive(row)) throw new AppError('conflict', `Build ${buildId} goes on; wait for it or end it: weft api cancel ${buildId}`);
    if (!row.result)
      throw new AppError('conflict', `Build ${buildId} ended before it had found anything; build again: weft api rebuild ${buildId}`);
    return row.result;
  };
  const keptOf = (row: BuildRow): KeptBuild => ({
    url: row.asked.url,
    objective: row.asked.objective,
    isDiscovery: row.asked.isDiscovery,
    ladder: row.ladder,
    result: isLive(row) ? undefined : row.result,
    isCancelled: runs.require(row.run_id).status === 'cancelled',
    createdAt: toInstant(row.created_at),
    updatedAt: toInstant(row.updated_at),
  });
  const show = (row: BuildRow, buildId: string): BuildView => {
    const before = row.rebuild_of === undefined ? undefined : store.find(row.rebuild_of);
    const publishedAs = Object.fromEntries([...store.workflows(row.id)].map(([name, { slug }]) => [name, slug] as const));
    const view = viewBuild(keptOf(row), buildId, {
      run_id: row.run_id,
      ...(before ? { rebuild_of: newestRung(before.ladder).buildId } : {}),
      ...(before?.result && row.result && !isLive(row) ? { diff: diffFunctions(before.result.functions, row.result.functions) } : {}),
      publishedAs,
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
    list({ limit = LIMITS.listLimitDefault, offset = 0 }, ownerId) {
      const data = store.list(ownerId, limit, offset).map((row) => summaryOf(show(row, newestRung(row.ladder).buildId)));
      return { data, total: store.count(ownerId) };
    },
    start: (asked, isDiscovery, actor) => make(askedOf(asked, isDiscovery, actor), actor.id, undefined),
    require: requireRow,
    view: (buildId) => show(requireRow(buildId), buildId),
    viewNewest(id) {
      const row = store.find(id);
      if (!row) throw new AppError('not_found', 'The build was deleted meanwhile.');
      return show(row, newestRung(row.ladder).buildId);
    },
    evidence(buildId) {
      const { result } = requireRow(buildId);
      return evidenceOf(result?.catalogue ?? EMPTY_CATALOGUE);
    },
    pick(buildId, draft) {
      const row = requireRow(buildId);
      const { catalogue } = requireEnded(row);
      const accepted = acceptDraft({ ...draft, none_match: false }, catalogue);
      if (!accepted.draft || accepted.draft.functions.length === 0)
        throw new AppError('bad_request', `${accepted.dropped.join(' ')} weft api show ${buildId} --evidence names what was found.`);
      const picked = accepted.draft;
      durably(database.fast, () =>
        runs.create(runOf(row.id, row.asked, row.owner_id), (runId) => {
          store.pick(row.id, runId, picked, clock.now());
          return null;
        }),
      );
      return row.id;
    },
    async verify(buildId) {
      const row = requireRow(buildId);
      const verified: VerifiedFunction[] = [];
      for (const { name, certificate } of requireEnded(row).functions) {
        const { faults, ...said } = await verifyCertificate(certificate, async (sha256) => store.answer(row.id, sha256));
        verified.push({ name, ...said, faults: [...faults] });
      }
      return verified;
    },
    rebuild(buildId, actor) {
      const row = requireRow(buildId);
      return make(row.asked, actor.id, row.id);
    },
    publish(buildId, { functions: wanted, slug, expose = true }) {
      const row = requireRow(buildId);
      const { functions } = requireEnded(row);
      const chosen = chooseFunctions(functions, wanted, buildId);
      const prefix = slug ?? hostSlug(row.asked.url);
      return durably(database.fast, () =>
        chosen.map(({ name, workflow }) => {
          const saved = workflows.create({
            ...workflow,
            name: `${prefix} ${name}`,
            expose,
            ...(row.asked.persona_id === undefined ? {} : { persona_id: row.asked.persona_id }),
          });
          store.noteWorkflow(row.id, name, saved.id);
          return { name, workflow_id: saved.id, workflow_slug: saved.slug };
        }),
      );
    },
    cancel(buildId) {
      const { run_id: runId } = requireRow(buildId);
      const isCancelled = runs.settle(runId, 'cancelled');
      if (isCancelled) ports.executor().abort(runId);
      return isCancelled;
    },
    delete(buildId) {
      const row = requireRow(buildId);
      if (isLive(row)) throw new AppError('conflict', `Build ${buildId} goes on; end it first: weft api cancel ${buildId}`);
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
  return {
    url,
    objective,
    isDiscovery,
    respectRobots,
    aiSupervise,
    ...(har === undefined ? {} : { har }),
    ...(persona_id === undefined ? {} : { persona_id }),
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

function runOf(id: number, { url, persona_id: personaId }: AskedBuild, ownerId: string) {
  const source = { source_kind: BUILD_SOURCE, source_id: id, source_name: url };
  return { kind: 'build', ...source, owner_id: ownerId, persona_id: personaId ?? null } as const;
}

/** Throws AppError `not_found` for a name that there is not, `conflict` for what was not proved. */
function chooseFunctions(functions: BuildResult['functions'], wanted: readonly string[] | undefined, buildId: string) {
  if (wanted === undefined) {
    const proved = functions.filter(({ certificate }) => certificate.state === 'proved');
    if (proved.length > 0) return proved;
    throw new AppError('conflict', `Nothing of build ${buildId} was proved. To keep an unproved function all the same, name it.`);
  }
  return wanted.map((name) => {
    const found = functions.find((each) => each.name === name);
    if (!found)
      throw new AppError(
        'not_found',
        `There is no function "${name}"; there are ${functions.map((each) => each.name).join(', ') || 'none'}.`,
      );
    if (found.certificate.state === 'failed') throw new AppError('conflict', `"${name}" failed its proof: ${found.certificate.reason}`);
    return found;
  });
}

/** `shop` for `https://www.shop.example/`. */
function hostSlug(url: string): string {
  const { hostname, port } = new URL(url);
  const name = /^[\d.]+$|^\[/.test(hostname) ? `site-${port || 'local'}` : (hostname.replace(/^www\./, '').split('.')[0] ?? 'site');
  return name.slice(0, 40);
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
