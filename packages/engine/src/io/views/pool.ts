// A pool of worker threads that read pages, with a time limit that really stops the work.
import { getCompileCacheDir } from 'node:module';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { PageError } from '../../errors.ts';
import { READY } from './messages.ts';
import type { ViewAnswer, ViewTask, ViewWork, WorkerSettings, WorkName } from './messages.ts';

/** How many workers, and how long one may take. */
export interface ViewPoolOptions {
  readonly workersMax?: number;
  /** A further worker starts once a page has waited this long for one, or they have queued for half a minute; default 1,000. */
  readonly patienceMs?: number;
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

/** Until its code is warm a worker costs as much CPU as hundreds of pages, and one reads most crawls as fast as they are fetched. */
const PATIENCE_MS = 1_000;
const QUEUE_PATIENCE_MS = 30_000;
const PAGE_MS = 20_000;
const IDLE_MS = 30_000;
const HEAP_MEGABYTES_MAX = 1024;
/** Room for what lives as long as one page; four times as much saves no CPU. */
const YOUNG_MEGABYTES_MAX = 12;

interface Job {
  readonly task: ViewTask;
  resolve(done: Done<ViewWork[WorkName]['result']>): void;
  reject(error: PageError): void;
}

interface Slot {
  readonly worker: Worker;
  isReady: boolean;
  job: Job | undefined;
  timer: NodeJS.Timeout | undefined;
}

/** A pool without workers yet; they start with the first page and end when there is nothing to do. */
export function createViewPool(options: ViewPoolOptions = {}): ViewPool {
  const workersMax = options.workersMax ?? availableParallelism();
  const patienceMs = options.patienceMs ?? PATIENCE_MS;
  const slots = new Set<Slot>();
  const waiting: Job[] = [];
  let queueSinceMs = 0;
  let impatience: NodeJS.Timeout | undefined;
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
    for (let job = waiting[0]; job; job = waiting[0]) {
      const slot = [...slots].find((candidate) => !candidate.job) ?? (slots.size === 0 ? addSlot() : undefined);
      if (!slot) return waitWith(job);
      waiting.shift();
      begin(slot, job);
    }
    clearTimeout(impatience);
    impatience = undefined;
    queueSinceMs = 0;
  }

  /** Adds a worker if `first`, the page that is next, still waits when patience ends, or if the queue has lasted too long; never two at once. */
  function waitWith(first: Job): void {
    if (slots.size >= workersMax || impatience || ![...slots].every((slot) => slot.isReady)) return;
    queueSinceMs ||= performance.now();
    const isTooLong = () => waiting[0] === first || performance.now() - queueSinceMs >= QUEUE_PATIENCE_MS;
    impatience = setTimeout(() => {
      impatience = undefined;
      if (isTooLong()) addSlot();
      assign();
    }, patienceMs);
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
      workerData: { compileCacheFolder: getCompileCacheDir() } satisfies WorkerSettings,
      resourceLimits: {
        maxOldGenerationSizeMb: options.heapMegabytesMax ?? HEAP_MEGABYTES_MAX,
        maxYoungGenerationSizeMb: YOUNG_MEGABYTES_MAX,
      },
    });
    const slot: Slot = { worker, isReady: false, job: undefined, timer: undefined };
    worker.on('message', (message: ViewAnswer | typeof READY) => {
      if (message !== READY) return finish(slot, message);
      slot.isReady = true;
      assign();
    });
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
    clearTimeout(impatience);
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
