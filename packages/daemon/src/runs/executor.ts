// Executes queued runs, each queue in its order, a bounded number at once, and settles what a dead process left behind.
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@weft/contract';
import type { RunFailure, RunKind, RunStatus } from '@weft/contract';
import { PageError, failureOfPage } from '@weft/engine';
import type { CrawlClock } from '@weft/engine';
import { explainFault } from '../db/fault.ts';
import { toInstant } from '@weft/serve';
import { Places } from './places.ts';
import type { PlaceLimits } from './places.ts';
import type { Runs } from './run.ts';
import type { RunQueue, RunRow, RunStore } from './store.ts';
import { PlacedTurn } from './turn.ts';
import type { RunTurn } from './turn.ts';

/** Does the work of one run. Resolves with a failure when the run failed as a result; a throw is a failure too. */
export type RunWork = (run: RunRow, signal: AbortSignal, turn: RunTurn) => Promise<RunFailure | undefined>;

export interface KindOfRun {
  readonly work: RunWork;
  /** True when a run of this kind goes on after a restart instead of being settled as interrupted. */
  readonly resumes: boolean;
  /** Where runs of this kind wait for a place. */
  readonly queues: readonly RunQueue[];
  /** What a run of this kind came to so far, beside its rows and files; absent where that is all. */
  readonly results?: (run: Pick<RunRow, 'id'>) => KindResults;
}

/** What only the kind of a run knows of its results. */
export interface KindResults {
  readonly output?: unknown;
  readonly steps?: Readonly<Record<string, unknown>>;
  readonly warnings?: readonly string[];
}

/** Where runs come from that nobody asked for: they are made one at a time, once there is a place for them. */
export interface DueRuns {
  /** Called once what an earlier process left live is settled, before the first run is made. `wake` looks for runs. */
  start(wake: () => void): void;
  /** Makes the run in `queue` that is due longest; false where none is due. */
  make(queue: RunQueue): boolean;
  stop(): void;
}

export interface Executor {
  /** Settles or requeues what an earlier process left live. Called before anybody can make a run, since one of now would be taken for such. */
  takeOver(): void;
  /** Begins to work. */
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
  readonly clock: CrawlClock;
  readonly kinds: Readonly<Partial<Record<RunKind, KindOfRun>>>;
  readonly places: PlaceLimits;
  /** Asked once no run waits that somebody called for. */
  readonly due?: DueRuns | undefined;
  /** For what no run's failure can carry. */
  logError(message: string, error: unknown): void;
  /** For the log: what a run was of, and why it failed. */
  readonly logFailure?: (run: RunRow, failure: RunFailure) => void;
  /** How long a database that can't be written is left alone; two seconds unless said. */
  readonly retryMs?: number;
}

const RETRY_MS = 2000;

export function createExecutor(ports: ExecutorPorts): Executor {
  return new RunExecutor(ports);
}

/** A run that was begun here. */
interface ActiveRun {
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

class RunExecutor implements Executor {
  private readonly ports: ExecutorPorts;
  private readonly retryMs: number;
  private readonly queues: readonly RunQueue[];
  private readonly places: Places;
  private readonly active = new Map<number, ActiveRun>();
  private readonly stopping = new AbortController();
  private isOpen = false;
  private retry: NodeJS.Timeout | undefined;

  constructor(ports: ExecutorPorts) {
    this.ports = ports;
    this.retryMs = ports.retryMs ?? RETRY_MS;
    this.queues = Object.values(ports.kinds).flatMap(({ queues }) => queues);
    this.places = new Places(ports.places, this.queues);
  }

  takeOver(): void {
    const { store, kinds, runs } = this.ports;
    for (const row of store.live()) {
      if (!kinds[row.kind]?.resumes)
        runs.settle(row.id, 'failed', { code: 'interrupted', message: 'The agent stopped while this run was live.' });
      else if (row.status !== 'queued') store.requeue(row.id);
    }
  }

  start(): void {
    this.isOpen = true;
    this.ports.due?.start(() => this.wake());
    this.wake();
  }

  wake(): void {
    if (!this.isOpen) return;
    clearTimeout(this.retry);
    try {
      do for (let row = this.next(); row; row = this.next()) this.begin(row);
      while (this.makeDue());
    } catch (error) {
      this.ports.logError('queued runs could not be started', error);
      this.retry = setTimeout(() => this.wake(), this.retryMs).unref();
    }
  }

  abort(id: number): void {
    this.active.get(id)?.controller.abort();
  }

  async stop(graceMs: number): Promise<void> {
    this.isOpen = false;
    clearTimeout(this.retry);
    this.ports.due?.stop();
    this.stopping.abort();
    for (const { controller } of this.active.values()) controller.abort();
    const grace = new Promise<void>((resolve) => setTimeout(resolve, graceMs).unref());
    await Promise.race([Promise.all([...this.active.values()].map(({ done }) => done)), grace]);
  }

  /** The run that waits longest of those whose queue has a place. */
  private next(): RunRow | undefined {
    let oldest: RunRow | undefined;
    for (const queue of this.queues) {
      const row = this.places.mayBegin(queue, this.active.size) ? this.ports.store.nextQueued(queue) : undefined;
      if (row && (!oldest || row.id < oldest.id)) oldest = row;
    }
    return oldest;
  }

  /** Makes a run that is due where there is a place for it. */
  private makeDue(): boolean {
    const { due } = this.ports;
    return due !== undefined && this.queues.some((queue) => this.places.mayBegin(queue, this.active.size) && due.make(queue));
  }

  private begin(row: RunRow): void {
    const { runs, clock } = this.ports;
    const { deadline_at: deadlineAt } = row;
    if (deadlineAt !== null && deadlineAt <= clock.now()) return void runs.settle(row.id, 'failed', overdue(deadlineAt));
    if (!runs.begin(row)) return;
    const controller = new AbortController();
    const turn = new PlacedTurn(row.id, {
      runs,
      clock,
      take: () => this.places.take(row.queue),
      giveBack: () => {
        this.places.giveBack(row.queue);
        // Others may begin, once this one has done what made it rest.
        queueMicrotask(() => this.wake());
      },
    });
    const forget = this.watchDeadline(row);
    const done = this.execute(row, controller.signal, turn).finally(() => {
      forget();
      this.active.delete(row.id);
      turn.end();
      this.wake();
    });
    this.active.set(row.id, { controller, done });
  }

  /** Ends the run at its deadline, which is a time of day: what is left of it is counted from now. */
  private watchDeadline({ id, deadline_at: deadlineAt }: RunRow): () => void {
    const { clock } = this.ports;
    if (deadlineAt === null) return () => undefined;
    return clock.alarm(clock.steadyMs() + deadlineAt - clock.now(), () => void this.expire(id, deadlineAt));
  }

  private async expire(id: number, deadlineAt: number): Promise<void> {
    try {
      await this.settle(id, 'failed', overdue(deadlineAt));
    } catch (error) {
      this.ports.logError(`run ${id} could not be settled`, error);
    }
    this.abort(id);
  }

  private async execute(row: RunRow, signal: AbortSignal, turn: RunTurn): Promise<void> {
    try {
      const failure = await this.work(row, signal, turn);
      // A run that was stopped with the agent stays live: the next start settles or resumes it.
      if (!this.isOpen && signal.aborted) return;
      if (failure && !signal.aborted) this.ports.logFailure?.(row, failure);
      await this.settle(row.id, failure ? 'failed' : 'succeeded', failure);
    } catch (error) {
      this.ports.logError(`run ${row.id} could not be settled`, error);
    }
  }

  private async work(row: RunRow, signal: AbortSignal, turn: RunTurn): Promise<RunFailure | undefined> {
    const { kinds, logError } = this.ports;
    try {
      const kind = kinds[row.kind];
      if (!kind) throw new Error(`Runs of kind ${row.kind} can't be executed.`);
      return await kind.work(row, signal, turn);
    } catch (error) {
      const isExpected = error instanceof PageError || error instanceof AppError || signal.aborted;
      if (!isExpected) logError(`run ${row.id} failed`, error);
      return failureOf(error);
    }
  }

  /** Settles a run once the database can be written; until then the run keeps its place, so that no other begins and fails as it did. */
  private async settle(id: number, status: RunStatus, failure: RunFailure | undefined): Promise<void> {
    for (;;) {
      try {
        this.ports.runs.settle(id, status, failure);
        return;
      } catch (error) {
        if (!explainFault(error)) throw error;
        this.ports.logError(`run ${id} can't be settled yet`, error);
      }
      await sleep(this.retryMs, undefined, { signal: this.stopping.signal, ref: false });
    }
  }
}

function overdue(deadlineAt: number): RunFailure {
  return { code: 'timeout', message: `The run had time until ${toInstant(deadlineAt)}.` };
}

/** What a run's failure says of an error: of a page, its own code. The sentence of an unexpected one stays in the log. */
export function failureOf(error: unknown): RunFailure {
  if (error instanceof PageError) return failureOfPage(error);
  if (error instanceof AppError) return { code: error.code === 'vault_locked' ? 'vault_locked' : 'input', message: error.message };
  const fault = explainFault(error);
  if (fault) return { code: 'internal', message: fault.message };
  return { code: 'internal', message: 'Something unexpected failed inside the agent; its log has the details.' };
}
