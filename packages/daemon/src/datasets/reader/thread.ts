// A thread that answers questions about datasets: started with the first one, ended when there are none.
import { Worker } from 'node:worker_threads';
import { AppError } from '@weft/contract';
import type { ReaderAnswer, ReaderTask, ReaderWork, WorkName } from './messages.ts';

export interface Thread {
  /** Throws AppError with what the work refused; `bad_request` when it takes longer than it may, which ends the thread. */
  ask<Name extends WorkName>(work: Name, request: ReaderWork[Name]['request'], patience?: Patience): Promise<ReaderWork[Name]['result']>;
  close(): Promise<void>;
}

/** How long an answer is waited for, and what to do instead. */
export interface Patience {
  readonly milliseconds: number;
  readonly advice: string;
}

interface Waiting {
  readonly work: WorkName;
  resolve(result: ReaderWork[WorkName]['result']): void;
  reject(error: Error): void;
  readonly timer: NodeJS.Timeout | undefined;
}

const IDLE_MS = 30_000;

/** A thread that reads the database at `databasePath`. */
export function createThread(databasePath: string, idleMs = IDLE_MS): Thread {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let nextId = 1;
  /** Exports that are open keep the thread although nobody asks at the moment. */
  let open = 0;

  return {
    // The thread answers each name with that name's result, which is what the cast says.
    ask: (work, request, patience) => ask({ id: nextId++, work, request }, patience) as Promise<ReaderWork[typeof work]['result']>,
    close: () => end(new Error('The agent stops.')),
  };

  function ask(task: ReaderTask, patience: Patience | undefined): Promise<ReaderWork[WorkName]['result']> {
    return new Promise((resolve, reject) => {
      clearTimeout(idle);
      worker ??= start();
      worker.ref();
      const timer = patience && setTimeout(() => void end(tooLong(patience)), patience.milliseconds);
      waiting.set(task.id, { work: task.work, resolve, reject, timer });
      worker.postMessage(task);
    });
  }

  function start(): Worker {
    const started = new Worker(new URL('./worker.ts', import.meta.url), { workerData: databasePath });
    started.on('message', (answer: ReaderAnswer) => settle(answer));
    started.on('error', (error) => worker === started && void end(error));
    return started;
  }

  function settle({ id, result, failure }: ReaderAnswer): void {
    const asked = waiting.get(id);
    if (!asked) return;
    clearTimeout(asked.timer);
    waiting.delete(id);
    if (failure) asked.reject(errorOf(failure));
    else asked.resolve(result);
    if (asked.work === 'open' && !failure) open++;
    if (asked.work === 'close') open--;
    if (waiting.size > 0) return;
    worker?.unref();
    idle = setTimeout(() => void (open === 0 && end(new Error('idle'))), idleMs).unref();
  }

  async function end(reason: Error): Promise<void> {
    clearTimeout(idle);
    const ended = worker;
    worker = undefined;
    open = 0;
    for (const { reject, timer } of waiting.values()) {
      clearTimeout(timer);
      reject(reason);
    }
    waiting.clear();
    await ended?.terminate();
  }
}

/** The text of what nobody expected is for the log alone. */
function errorOf({ code, message }: NonNullable<ReaderAnswer['failure']>): Error {
  return code === 'internal' ? new Error(message) : new AppError(code, message);
}

function tooLong({ milliseconds, advice }: Patience): AppError {
  return new AppError('bad_request', `This takes longer than ${Math.round(milliseconds / 1000)} seconds; ${advice}.`);
}
