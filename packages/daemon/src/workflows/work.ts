// Executes runs of workflows: the engine's loop on this agent's rows, files, pages and people.
import { randomBytes } from 'node:crypto';
import { AppError, isSettled } from '@weft/contract';
import type { RunFailure } from '@weft/contract';
import { PageError, ReachMemory, RunFault, planOf, runWithCandidate } from '@weft/engine';
import type {
  AskingPorts,
  BrowserSessions,
  CalledRun,
  CrawlClock,
  Fetcher,
  GoodReadings,
  Model,
  RunEnd,
  RunNews,
  RunPlan,
  WorkflowPorts,
} from '@weft/engine';
import { createCookieStore } from '@weft/engine/io';
import type { ViewPool } from '@weft/engine/io';
import type { DatasetWriter } from '../datasets/writer.ts';
import { transaction } from '../db/open.ts';
import type { Database } from '../db/open.ts';
import type { Files } from '../files/file.ts';
import { actingOf } from '../personas/persona.ts';
import type { Executor } from '../runs/executor.ts';
import type { People } from '../runs/people.ts';
import type { RunRow, Runs } from '../runs/run.ts';
import type { RunTurn } from '../runs/turn.ts';
import type { Screens } from '../screens/screens.ts';
import { parseDefinition } from './definition.ts';
import type { WorkflowCandidates } from './candidates.ts';
import type { GuardedRun, WorkflowGuards } from './guards.ts';
import type { WorkflowRepairs } from './repairs.ts';
import { robotsOf } from './robots.ts';
import { createReveal } from './reveal.ts';
import type { RevealPorts } from './reveal.ts';
import type { LastPages } from './last-pages.ts';
import type { HttpSessions } from './session.ts';
import { WORKFLOW_SOURCE } from './store.ts';
import { watchedSessions } from './screen.ts';
import type { WorkflowRunRow, WorkflowStore } from './store.ts';
import { WorkflowTurns } from './turns.ts';
import type { Workflows } from './workflow.ts';
import type { DryRun } from './workflow-runs.ts';

export interface WorkflowWorkPorts extends RevealPorts {
  readonly database: Database;
  readonly store: WorkflowStore;
  readonly workflows: Workflows;
  readonly runs: Runs;
  /** Asked for when a run calls another: both are made of each other. */
  readonly executor: () => Executor;
  readonly records: DatasetWriter;
  readonly files: Files;
  readonly views: ViewPool;
  /** What asks hosts, shared by everything that does (D32). */
  readonly asking: AskingPorts;
  readonly clock: CrawlClock;
  readonly people: People;
  readonly guards: WorkflowGuards;
  readonly candidates: WorkflowCandidates;
  readonly repairs: WorkflowRepairs;
  readonly sessions: HttpSessions;
  readonly browserSessions: BrowserSessions | undefined;
  readonly lastPages: LastPages;
  readonly screens: Screens;
  /** What steps ask that need a model; undefined where the settings name none. */
  readonly model: Model | undefined;
}

/** Runs that call runs, one below the other. */
const CALLS_MAX = 10;
/** Longer than any run may last; timers count 31 bits of milliseconds. */
const CALL_MS_MAX = 2_000_000_000;

/** Does one run; its failure is a result. */
export function workflowWork(ports: WorkflowWorkPorts) {
  const turns = new WorkflowTurns();
  return async (run: RunRow, signal: AbortSignal, turn: RunTurn): Promise<RunFailure | undefined> => {
    const kept = ports.store.findRun(run.id);
    if (!kept) throw new Error(`Run ${run.id} has no workflow.`);
    const leave = await standInLine(run, turns, ports, turn, signal);
    try {
      const guarded = guardedRun(run, kept);
      const plan = { ...planOfRun(kept, ports.guards.read(guarded)), givesPage: ports.lastPages.isWanted(run.id) };
      const known = ports.candidates.find(guarded.workflowId, guarded.revision);
      const { end, verdict } = await runWithCandidate(plan, known, portsOf(run, kept, turns, ports, turn, signal), signal);
      for (const repair of end.repairs) ports.repairs.propose({ ...guarded, runId: run.id }, repair, ports.clock.now());
      if (verdict) ports.candidates.note(guarded.workflowId, guarded.revision, verdict, kept.inputs !== '{}', ports.clock.now());
      ports.lastPages.give(run.id, end.page);
      ports.runs.setLane(run.id, end.lane);
      ports.store.saveResults(run.id, JSON.stringify(resultsOf(end)));
      if (!end.failure && kept.dry === null && ports.store.findById(guarded.workflowId))
        ports.guards.learn({ ...guarded, runId: run.id }, end.seen, ports.clock.now());
      return end.failure;
    } finally {
      ports.screens.drop('run', run.id);
      leave();
    }
  };
}

/** Waits until the workflow's own bound lets one more of its runs work; what is returned gives the place back. */
async function standInLine(
  run: RunRow,
  turns: WorkflowTurns,
  ports: WorkflowWorkPorts,
  turn: RunTurn,
  signal: AbortSignal,
): Promise<() => void> {
  const { source_id: id } = run;
  const max = id === null ? undefined : ports.store.findById(id)?.concurrency;
  if (id === null || max === null || max === undefined) return () => undefined;
  return await takeTurn(`workflow ${id}`, max, turns, turn, signal);
}

async function takeTurn(key: string, max: number, turns: WorkflowTurns, turn: RunTurn, signal: AbortSignal): Promise<() => void> {
  while (!turns.tryTake(key, max)) {
    await turn.whileWaiting(() => turns.next(key, signal));
    if (signal.aborted) throw new PageError('aborted', 'The run was stopped.');
  }
  return () => turns.giveBack(key);
}

function guardedRun({ source_id: id, revision }: RunRow, { inputs }: WorkflowRunRow): GuardedRun {
  return { workflowId: id ?? 0, revision: revision ?? 0, inputs };
}

function planOfRun({ definition, inputs, dry, is_headed }: WorkflowRunRow, guards: GoodReadings): RunPlan {
  const parsed = parseDefinition(definition);
  return {
    ...planOf(parsed, JSON.parse(inputs) as RunPlan['inputs']),
    guards: parsed.guard === 'off' ? undefined : guards,
    ...(dry === null ? {} : (JSON.parse(dry) as DryRun)),
    // Who wants to see a window wants a browser, and no other lane beside it.
    ...(is_headed === 1 ? { lane: 'browser' as const, isHeaded: true } : {}),
  };
}

/** What `runs.results` shows of a settled run. */
function resultsOf({ output, steps, warnings }: RunEnd) {
  return { ...(output === undefined ? {} : { output }), steps, warnings };
}

function portsOf(
  run: RunRow,
  kept: WorkflowRunRow,
  turns: WorkflowTurns,
  ports: WorkflowWorkPorts,
  turn: RunTurn,
  signal: AbortSignal,
): WorkflowPorts {
  const { runs, clock, views } = ports;
  const privateTargets = JSON.parse(kept.private_targets) as readonly string[];
  const ask: WorkflowPorts['askPerson'] = async (question, waitSignal) =>
    await turn.whilePersonActs(question.instructions, () => ports.people.ask(run.id, question, waitSignal));
  const acting = run.persona_id === null ? {} : actingOf(ports.personas.require(run.persona_id));
  const requireLive = () => {
    if (signal.aborted || isSettled(runs.require(run.id).status)) throw new PageError('aborted', 'The run was stopped.');
  };
  return {
    fetcher: heard(ports.asking.fetcher, turn),
    gate: ports.asking.gate,
    sessions: ports.browserSessions && watchedSessions(run.id, ports.browserSessions, ports),
    read: async (request, readSignal) => (await views.run('reading', request, readSignal, run.owner_id)).result,
    clock,
    tell: async (news) => {
      requireLive();
      runs.append(run.id, newsOf(news));
    },
    keepRows: async (rows) =>
      transaction(ports.database.fast, () => {
        requireLive();
        // A dry run has no dataset.
        if (run.dataset_id === null) return rows.length;
        const nowMs = clock.now();
        const records = rows.map(({ key, row }) => ({
          run_id: run.id,
          created_at: nowMs,
          body: row,
          ...(key === undefined ? {} : { key }),
        }));
        const keys = rows.flatMap(({ key }) => (key === undefined ? [] : [key]));
        const replaced = ports.records.dropOfRun(run.dataset_id, run.id, keys);
        ports.records.addRecords(run.dataset_id, records);
        runs.addRows(run.id, rows.length - replaced);
        return rows.length;
      }),
    keepFile: async (file) => {
      requireLive();
      const { id, name } = await ports.files.keepOfRun({ ...file, bytes: file.bytes }, run.id);
      return { id, name };
    },
    readFile: async (id) => await readFile(id, ports.files),
    ai: ports.model && {
      model: ports.model,
      see: async (request, readSignal) => (await views.run('sight', request, readSignal, run.owner_id)).result,
      nonce: () => randomBytes(8).toString('hex'),
    },
    reveal: createReveal(ports, (instructions, waitSignal) => ask({ stepId: 'code', reason: 'verification', instructions }, waitSignal)),
    askPerson: ask,
    call: async (workflow, inputs, callSignal) => await call(run, workflow, { inputs, privateTargets }, ports, turn, callSignal),
    session: ports.sessions.of(run.source_id ?? 0, run.persona_id ?? undefined),
    acting,
    robots: robotsOf(ports.asking, privateTargets, acting),
    inLoginLine: async (origin, waitSignal, work) => {
      if (run.persona_id === null) return await work();
      const leave = await takeTurn(`login ${run.persona_id} ${origin}`, 1, turns, turn, waitSignal);
      try {
        return await work();
      } finally {
        leave();
      }
    },
    privateTargets,
    names: new ReachMemory(),
    cookies: (state) => createCookieStore(state?.cookies ?? []),
  };
}

/** The place of a run that waits for a host goes to others. */
function heard(fetcher: Pick<Fetcher, 'fetch'>, turn: RunTurn): Pick<Fetcher, 'fetch'> {
  turn.hear();
  return {
    async fetch(request, signal) {
      try {
        return await fetcher.fetch(request, signal);
      } finally {
        turn.hear();
      }
    },
  };
}

function newsOf(news: RunNews) {
  return news.type === 'step' ? { ...news, path: [...news.path] } : news;
}

async function readFile(id: string, files: Files) {
  try {
    const { file, read } = files.requireContent(id);
    const parts: Uint8Array[] = [];
    for await (const part of read({ start: 0, end: file.bytes - 1 })) parts.push(part);
    return { name: file.name, contentType: file.content_type, bytes: Buffer.concat(parts) };
  } catch (error) {
    if (error instanceof AppError) throw new RunFault('input', error.message);
    throw error;
  }
}

interface CallOrder {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly privateTargets: readonly string[];
}

/** Runs another workflow for this run, which gives its place to it meanwhile. */
async function call(
  run: RunRow,
  workflow: string,
  order: CallOrder,
  ports: WorkflowWorkPorts,
  turn: RunTurn,
  signal: AbortSignal,
): Promise<CalledRun> {
  requireDepth(run, workflow, ports);
  const { runs, workflows, executor } = ports;
  const id = orFault(() =>
    workflows.run(
      workflow,
      { inputs: order.inputs, made: { trigger: 'run', parent_id: run.id } },
      { id: run.owner_id, mayName: order.privateTargets },
    ),
  );
  executor().wake();
  const ended = await turn.whileWaiting(() => runs.wait(id, CALL_MS_MAX, signal));
  if (!isSettled(ended.status)) {
    runs.settle(id, 'cancelled');
    executor().abort(id);
    throw new PageError('aborted', 'The run was stopped.');
  }
  const { output } = JSON.parse(ports.store.findRun(id)?.results ?? '{}') as { readonly output?: unknown };
  return { id, status: ended.status, output, message: ended.failure?.message };
}

/** A workflow that calls itself for ever, or waits for itself, ends here. */
function requireDepth(run: RunRow, workflow: string, { runs, workflows }: WorkflowWorkPorts): void {
  const { id, concurrency } = orFault(() => workflows.require(workflow));
  let depth = 0;
  for (let at = runs.require(run.id); ; at = runs.require(at.parent_id)) {
    if (++depth > CALLS_MAX) throw new RunFault('input', `Workflows call each other ${CALLS_MAX} deep, as deep as they may.`);
    if (concurrency !== undefined && at.source.kind === WORKFLOW_SOURCE && at.source.id === id)
      throw new RunFault(
        'input',
        `${workflow} would wait for itself: its "concurrency" is ${concurrency}, and this run is one of its own.`,
      );
    if (at.parent_id === undefined) return;
  }
}

function orFault<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof AppError) throw new RunFault('input', error.message);
    throw error;
  }
}
