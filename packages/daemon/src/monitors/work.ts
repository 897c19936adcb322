// Executes checks: the engine's loop on this agent's rows, pages and workflows.
import { AppError, isSettled } from '@weft/contract';
import type { RunFailure } from '@weft/contract';
import { PageError, VaultLocked, codeOfTrouble, isPageErrorCode, runCheck } from '@weft/engine';
import type { AskingPorts, CheckActor, CheckPorts, CheckStore, Lane, NetworkWatch, WorkflowOutcome, WorkflowToCheck } from '@weft/engine';
import { createCookieStore } from '@weft/engine/io';
import type { ViewPool } from '@weft/engine/io';
import type { LoopMeter } from './loop-meter.ts';
import type { DatasetWriter } from '../datasets/writer.ts';
import { actingOf } from '../personas/persona.ts';
import type { Personas } from '../personas/persona.ts';
import { SHARED } from '../personas/profile.ts';
import type { Profiles } from '../personas/profile.ts';
import type { Executor } from '../runs/executor.ts';
import type { RunRow, Runs } from '../runs/run.ts';
import type { RunTurn } from '../runs/turn.ts';
import type { Secrets } from '../secrets/secret.ts';
import type { Vault } from '../vault/vault.ts';
import type { LastPages } from '../workflows/last-pages.ts';
import type { Workflows } from '../workflows/workflow.ts';

export interface CheckWorkPorts {
  readonly asking: AskingPorts;
  readonly store: CheckStore;
  readonly views: ViewPool;
  readonly network: NetworkWatch;
  readonly loop: LoopMeter;
  readonly runs: Runs;
  readonly records: DatasetWriter;
  readonly workflows: Workflows;
  readonly lastPages: LastPages;
  readonly personas: Pick<Personas, 'require' | 'allValues'>;
  readonly profiles: Pick<Profiles, 'read'>;
  readonly secrets: Pick<Secrets, 'valueFor'>;
  readonly vault: Pick<Vault, 'require'>;
  /** Asked for when a check runs a workflow: both are made of each other. */
  readonly executor: () => Executor;
}

/** Rows of a workflow that a check reads at most; the verdict is on the first of them. */
const ROWS_MAX = 10_000;
/** Longer than any run may last; timers count 31 bits of milliseconds. */
const RUN_MS_MAX = 2_000_000_000;
const STEP = { type: 'step', index: 0, step_type: 'check' } as const;

/** Does one check. Trouble with looking fails its run under the code of the trouble; the verdict is the run's results. */
export function checkWork(ports: CheckWorkPorts) {
  return async (run: RunRow, signal: AbortSignal, turn: RunTurn): Promise<RunFailure | undefined> => {
    const { runs } = ports;
    runs.append(run.id, { ...STEP, status: 'started' });
    const checkPorts = checkPortsOf({ ownerId: run.owner_id, runId: run.id }, ports, turn);
    const outcome = await ports.loop.during(() => runCheck(run.id, run.source_id ?? 0, checkPorts, signal));
    if (!outcome) return { code: 'interrupted', message: 'The monitor was deleted while it was checked.' };
    const { judgement, durationMs } = outcome;
    for (const { kind, summary } of judgement.changes) runs.append(run.id, { type: 'change', kind, message: summary });
    const { trouble } = judgement;
    const failure = trouble && { code: codeOfTrouble(trouble.code), message: trouble.message };
    runs.append(run.id, { ...STEP, status: failure ? 'failed' : 'succeeded', duration_ms: durationMs });
    return failure;
  };
}

/** For whom a check is made, and by which run. */
export interface CheckCaller {
  readonly ownerId: string;
  readonly runId: number | null;
}

/** What a check by `actor` goes by. */
export function checkPortsOf(
  actor: CheckCaller,
  ports: CheckWorkPorts,
  turn: Pick<RunTurn, 'rest' | 'work' | 'hear' | 'heldMs' | 'whileWaiting'>,
): CheckPorts {
  const { asking, store, views, network } = ports;
  return {
    ...asking,
    store,
    views: { run: (work, request, signal) => views.run(work, request, signal, actor.ownerId) },
    network,
    place: turn,
    actAs: async (personaId) => actAs(personaId, ports),
    secretFor: (key, origin) => secretFor(key, origin, ports),
    runWorkflow: async (of, signal) => await turn.whileWaiting(() => runWorkflow(actor, of, ports, signal)),
  };
}

/** Throws VaultLocked. */
function actAs(personaId: number, { personas, profiles, vault }: CheckWorkPorts): CheckActor {
  requireOpen(() => vault.require());
  const cookies = createCookieStore(profiles.read(personaId, SHARED)?.state.cookies);
  return { cookies, acting: actingOf(personas.require(personaId)), values: () => personas.allValues(personaId) };
}

/** Throws PageError `address`, VaultLocked. */
function secretFor(key: string, origin: string, { secrets }: CheckWorkPorts): string {
  try {
    return requireOpen(() => secrets.valueFor(key, origin));
  } catch (error) {
    throw error instanceof AppError ? new PageError('address', error.message) : error;
  }
}

/** Throws VaultLocked where `work` finds that the vault is. */
function requireOpen<Made>(work: () => Made): Made {
  try {
    return work();
  } catch (error) {
    throw error instanceof AppError && error.code === 'vault_locked' ? new VaultLocked(error.message) : error;
  }
}

/** Runs the workflow as a child of the check that it is for. Throws PageError where it does not succeed, VaultLocked. */
async function runWorkflow(
  actor: CheckCaller,
  { workflowId, inputs, gives }: WorkflowToCheck,
  ports: CheckWorkPorts,
  signal: AbortSignal,
): Promise<WorkflowOutcome> {
  const { lastPages } = ports;
  const id = makeRun(actor, { workflowId, inputs }, ports);
  if (gives === 'page') lastPages.want(id);
  try {
    const lane = await endOf(id, workflowId, ports, signal);
    if (gives === 'rows') {
      const url = `workflow:${workflowId}`;
      const rows = { requestedUrl: url, url, status: 200, contentType: 'application/json', body: rowsOf(id, ports.records) };
      return { runId: id, lane, ...rows };
    }
    const page = lastPages.take(id);
    if (page) return { runId: id, lane, ...page };
    const advice = 'End its steps on a page that is open, or set "watch": "rows".';
    throw new PageError('page_unreadable', `Run ${id} of workflow ${workflowId} ended without an open page. ${advice}`);
  } finally {
    lastPages.take(id);
  }
}

/** Throws as `runWorkflow`. */
function makeRun(
  { ownerId, runId }: CheckCaller,
  { workflowId, inputs }: Pick<WorkflowToCheck, 'workflowId' | 'inputs'>,
  { workflows }: CheckWorkPorts,
): number {
  const made = { trigger: 'run', parent_id: runId } as const;
  try {
    return requireOpen(() => workflows.run(String(workflowId), { inputs, made }, { id: ownerId, mayName: 'all' }));
  } catch (error) {
    throw error instanceof AppError ? new PageError('bad_response', `Workflow ${workflowId} was not run: ${error.message}`) : error;
  }
}

/** Waits until the run has succeeded; the lane that it ended on. Throws as `runWorkflow`. */
async function endOf(id: number, workflowId: number, { runs, executor }: CheckWorkPorts, signal: AbortSignal): Promise<Lane> {
  executor().wake();
  const { status, failure, lane = 'http' } = await runs.wait(id, RUN_MS_MAX, signal);
  if (!isSettled(status)) {
    runs.settle(id, 'cancelled');
    executor().abort(id);
    throw new PageError('aborted', 'The check was stopped.');
  }
  if (status === 'succeeded') return lane;
  const sentence = `Run ${id} of workflow ${workflowId} ${status}: ${failure?.message ?? 'it was cancelled'}`;
  if (failure?.code === 'vault_locked') throw new VaultLocked(sentence);
  throw new PageError(failure && isPageErrorCode(failure.code) ? failure.code : 'bad_response', sentence);
}

function rowsOf(runId: number, records: DatasetWriter): Uint8Array {
  const { items } = records.dataOfRun(runId, { afterId: 0, limit: ROWS_MAX });
  const rows = [...items].map((parts) =>
    [...parts(() => Number.POSITIVE_INFINITY)].map((part) => (typeof part === 'string' ? part : new TextDecoder().decode(part))).join(''),
  );
  return new TextEncoder().encode(`[${rows.join(',')}]`);
}
