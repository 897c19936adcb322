// Executes queued runs in order, a bounded number at once, and settles what a dead process left behind.
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@weft/contract';
import type { RunFailure, RunKind, RunStatus } from '@weft/contract';
import type { Clock } from '@weft/engine';
import { PageError } from '@weft/engine';
import { explainFault } from '../db/fault.ts';
import type { Runs } from './run.ts';
import type { RunRow, RunStore } from './store.ts';

/** Does the work of one run. Resolves with a failure when the run failed as a result; a throw is a failure too. */
export type RunWork = (run: RunRow, signal: AbortSignal) => Promise<RunFailure | undefined>;

export interface KindOfRun {
  readonly work: RunWork;
  /** True when a run of this kind goes on after a restart instead of being settled as interrupted. */
  readonly resumes: boolean;
}

export interface Executor {
  /** Settles or requeues what an earlier process left live, then begins to work. */
  start(): void;
  /** Looks for queued runs; call after creating one. Never throws: runs that can't be started now are looked for again. */
  wake(): void;
  /** Stops the work of a run that was cancelled. */
  abort(id: number): void;
  /** Takes no new runs and stops those that run; they stay live in the table, for `start` to find. */
  stop(graceMs: number): Promise<void>;
}

export interface ExecutorPorts {
  readonly runs: Runs;
  readonly store: RunStore;
  readonly clock: Clock;
  readonly kinds: Readonly<Partial<Record<RunKind, KindOfRun>>>;
  readonly runsMax: number;
  /** For what no run's failure can carry. */
  logError(message: string, error: unknown): void;
  /** How long a database that can't be written is left alone; two seconds unless said. */
  readonly retryMs?: number;
}

const RETRY_MS = 2000;

export function createExecutor(ports: ExecutorPorts): Executor {
  const { runs, store, clock, kinds, retryMs = RETRY_MS } = ports;
  const active = new Map<number, { readonly controller: AbortController; readonly done: Promise<void> }>();
  const stopping = new AbortController();
  let isOpen = false;
  let retry: NodeJS.Timeout | undefined;

  return { start, wake, abort: (id) => active.get(id)?.controller.abort(), stop };

  function start(): void {
    for (const row of store.live()) {
      if (kinds[row.kind]?.resumes) store.requeue(row.id);
      else runs.settle(row.id, 'failed', { code: 'interrupted', message: 'The agent stopped while this run was live.' });
    }
    isOpen = true;
    wake();
  }

  function wake(): void {
    if (!isOpen) return;
    clearTimeout(retry);
    try {
      beginQueued();
    } catch (error) {
      ports.logError('queued runs could not be started', error);
      retry = setTimeout(wake, retryMs).unref();
    }
  }

  function beginQueued(): void {
    if (active.size >= ports.runsMax) return;
    for (const row of store.live()) {
      if (active.size >= ports.runsMax) return;
      if (row.status === 'queued' && !active.has(row.id)) begin(row);
    }
  }

  function begin(row: RunRow): void {
    if (!store.start(row.id, clock.now())) return;
    const controller = new AbortController();
    const done = execute(row, controller.signal).finally(() => {
      active.delete(row.id);
      wake();
    });
    active.set(row.id, { controller, done });
  }

  async function execute(row: RunRow, signal: AbortSignal): Promise<void> {
    try {
      const failure = await work(row, signal);
      // A run that was stopped with the agent stays live: the next start settles or resumes it.
      if (isOpen || !signal.aborted) await settle(row.id, failure ? 'failed' : 'succeeded', failure);
    } catch (error) {
      ports.logError(`run ${row.id} could not be settled`, error);
    }
  }

  async function work(row: RunRow, signal: AbortSignal): Promise<RunFailure | undefined> {
    try {
      const kind = kinds[row.kind];
      if (!kind) throw new Error(`Runs of kind ${row.kind} can't be executed.`);
      return await kind.work(row, signal);
    } catch (error) {
      const isExpected = error instanceof PageError || error instanceof AppError || signal.aborted;
      if (!isExpected) ports.logError(`run ${row.id} failed`, error);
      return failureOf(error);
    }
  }

  /** Settles a run once the database can be written; until then the run keeps its place, so that no other begins and fails as it did. */
  async function settle(id: number, status: RunStatus, failure: RunFailure | undefined): Promise<void> {
    for (;;) {
      try {
        runs.settle(id, status, failure);
        return;
      } catch (error) {
        if (!explainFault(error)) throw error;
        ports.logError(`run ${id} can't be settled yet`, error);
      }
      await sleep(retryMs, undefined, { signal: stopping.signal, ref: false });
    }
  }

  async function stop(graceMs: number): Promise<void> {
    isOpen = false;
    clearTimeout(retry);
    stopping.abort();
    for (const { controller } of active.values()) controller.abort();
    const grace = new Promise<void>((resolve) => setTimeout(resolve, graceMs).unref());
    await Promise.race([Promise.all([...active.values()].map(({ done }) => done)), grace]);
  }
}

const RUN_FAILURE_OF_PAGE: Readonly<Partial<Record<PageError['code'], RunFailure['code']>>> = {
  address: 'address',
  robots: 'robots',
  timeout: 'timeout',
  captcha: 'captcha',
  blocked: 'blocked',
  internal: 'internal',
};

/** What a run's failure says of an error; the sentence of an unexpected one stays in the log. */
export function failureOf(error: unknown): RunFailure {
  if (error instanceof PageError) return { code: RUN_FAILURE_OF_PAGE[error.code] ?? 'input', message: error.message };
  if (error instanceof AppError) return { code: 'input', message: error.message };
  const fault = explainFault(error);
  if (fault) return { code: 'internal', message: fault.message };
  return { code: 'internal', message: 'Something unexpected failed inside the agent; its log has the details.' };
}
