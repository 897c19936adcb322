// A pool of worker threads that read pages, with a time limit that really stops the work.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { PageError } from '../../errors.ts';
import type { ViewAnswer, ViewTask, ViewWork, WorkName } from './messages.ts';

/** How many workers, and how long one may take. */
export interface ViewPoolOptions {
  readonly workersMax?: number;
  /** For one page, once a worker has begun; default 20,000. A worker that passes it is ended and replaced. */
  readonly pageMs?: number;
  /** A worker that had nothing to do for this long is ended; default 30,000. */
  readonly idleMs?: number;
  readonly heapMegabytesMax?: number;
}

/** Reads pages in worker threads, so that a heavy one never holds up the program. */
export interface ViewPool {
  /** Throws PageError: `timeout`, `page_too_complex`, `aborted`, what the page itself caused, and `page_too_complex` when a worker died of it. */
  run<Name extends WorkName>(work: Name, request: ViewWork[Name]['request'], signal: AbortSignal): Promise<Done<ViewWork[Name]['result']>>;
  close(): Promise<void>;
}

export interface Done<Result> {
  readonly result: Result;
  /** CPU milliseconds that the page took. */
  readonly cpuMs: number;
}

const PAGE_MS = 20_000;
const IDLE_MS = 30_000;
const HEAP_MEGABYTES_MAX = 1024;

interface Job {
  readonly task: ViewTask;
  resolve(done: Done<ViewWork[WorkName]['result']>): void;
  reject(error: PageError): void;
}

interface Slot {
  readonly worker: Worker;
  job: Job | undefined;
  timer: NodeJS.Timeout | undefined;
}

/** A pool without workers yet; they start with the first page and end when there is nothing to do. */
export function createViewPool(options: ViewPoolOptions = {}): ViewPool {
  const workersMax = options.workersMax ?? availableParallelism();
  const slots = new Set<Slot>();
  const waiting: Job[] = [];
  let nextId = 1;
  let isClosed = false;

  return {
    // A worker answers each name with that name's result, which is what the cast says.
    run: (work, request, signal) => submit(work, request, signal) as Promise<Done<ViewWork[typeof work]['result']>>,
    close,
  };

  function submit(work: WorkName, request: ViewTask['request'], signal: AbortSignal): Promise<Done<ViewWork[WorkName]['result']>> {
    return new Promise((resolve, reject) => {
      if (isClosed || signal.aborted) return reject(new PageError('aborted', 'Reading the page was stopped.'));
      const stop = () => abort(job);
      const forget = () => signal.removeEventListener('abort', stop);
      const job: Job = {
        task: { id: nextId++, work, request },
        resolve: (done) => (forget(), resolve(done)),
        reject: (error) => (forget(), reject(error)),
      };
      signal.addEventListener('abort', stop, { once: true });
      waiting.push(job);
      assign();
    });
  }

  function assign(): void {
    while (waiting.length > 0) {
      const slot = [...slots].find((candidate) => !candidate.job) ?? (slots.size < workersMax ? addSlot() : undefined);
      if (!slot) return;
      begin(slot, waiting.shift() as Job);
    }
  }

  function begin(slot: Slot, job: Job): void {
    clearTimeout(slot.timer);
    slot.job = job;
    slot.worker.ref();
    const pageMs = options.pageMs ?? PAGE_MS;
    slot.timer = setTimeout(
      () => end(slot, new PageError('timeout', `Reading the page took longer than ${pageMs} ms and was stopped.`)),
      pageMs,
    );
    slot.worker.postMessage(job.task);
  }

  function addSlot(): Slot {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: options.heapMegabytesMax ?? HEAP_MEGABYTES_MAX },
    });
    const slot: Slot = { worker, job: undefined, timer: undefined };
    worker.on('message', (answer: ViewAnswer) => finish(slot, answer));
    worker.on('error', (error) =>
      end(slot, new PageError('page_too_complex', 'The page used up the memory of its reader.', { cause: error })),
    );
    slots.add(slot);
    return slot;
  }

  function finish(slot: Slot, answer: ViewAnswer): void {
    const { job } = slot;
    if (!job || job.task.id !== answer.id) return;
    rest(slot);
    if (answer.result) job.resolve({ result: answer.result, cpuMs: answer.cpuMs });
    else job.reject(new PageError(answer.failure?.code ?? 'internal', answer.failure?.message ?? 'The reader gave no answer.'));
    assign();
  }

  /** A resting worker keeps the program alive no longer, and goes when it stays unused. */
  function rest(slot: Slot): void {
    clearTimeout(slot.timer);
    slot.job = undefined;
    slot.worker.unref();
    slot.timer = setTimeout(() => end(slot, undefined), options.idleMs ?? IDLE_MS);
    slot.timer.unref();
  }

  function end(slot: Slot, error: PageError | undefined): void {
    clearTimeout(slot.timer);
    slots.delete(slot);
    void slot.worker.terminate();
    if (error) slot.job?.reject(error);
    slot.job = undefined;
    assign();
  }

  function abort(job: Job): void {
    const stopped = new PageError('aborted', 'Reading the page was stopped.');
    const place = waiting.indexOf(job);
    if (place >= 0) waiting.splice(place, 1);
    for (const slot of slots) if (slot.job === job) return end(slot, stopped);
    job.reject(stopped);
  }

  async function close(): Promise<void> {
    isClosed = true;
    for (const job of waiting.splice(0)) job.reject(new PageError('aborted', 'The reader was closed.'));
    await Promise.all(
      [...slots].map((slot) => {
        clearTimeout(slot.timer);
        slot.job?.reject(new PageError('aborted', 'The reader was closed.'));
        slot.job = undefined;
        return slot.worker.terminate();
      }),
    );
    slots.clear();
  }
}
