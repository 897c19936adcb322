// A pool of worker threads that read pages, with a time limit that really stops the work.
import { availableParallelism } from 'node:os';
import { PageError } from '../../errors.ts';
import type { Done, ViewReader, ViewWork, WorkName } from '../../page/view-work.ts';
import type { ViewTask } from './messages.ts';
import { PageReader } from './reader.ts';
import type { Job, ReaderLimits } from './reader.ts';

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

/** Reads pages in worker threads, so that a heavy one never holds up the program: work of one caller has one of them at a time. */
export interface ViewPool extends ViewReader {
  close(): Promise<void>;
}

/** Until its code is warm a worker costs as much CPU as hundreds of pages, and one reads most crawls as fast as they are fetched. */
const PATIENCE_MS = 1_000;
const QUEUE_PATIENCE_MS = 30_000;
const PAGE_MS = 20_000;
const IDLE_MS = 30_000;
const HEAP_MEGABYTES_MAX = 1024;

/** A pool without workers yet; they start with the first page and end when there is nothing to do. */
export function createViewPool(options: ViewPoolOptions = {}): ViewPool {
  return new ReaderPool(options);
}

class ReaderPool implements ViewPool {
  private readonly workersMax: number;
  private readonly patienceMs: number;
  private readonly limits: ReaderLimits;
  private readonly readers = new Set<PageReader>();
  private readonly waiting: Job[] = [];
  private lastCaller: string | undefined;
  private queueSinceMs = 0;
  private impatience: NodeJS.Timeout | undefined;
  private nextId = 1;
  private isClosed = false;

  constructor(options: ViewPoolOptions) {
    this.workersMax = options.workersMax ?? availableParallelism();
    this.patienceMs = options.patienceMs ?? PATIENCE_MS;
    this.limits = {
      pageMs: options.pageMs ?? PAGE_MS,
      idleMs: options.idleMs ?? IDLE_MS,
      heapMegabytesMax: options.heapMegabytesMax ?? HEAP_MEGABYTES_MAX,
    };
  }

  async run<Name extends WorkName>(
    work: Name,
    request: ViewWork[Name]['request'],
    signal: AbortSignal,
    caller?: string,
  ): Promise<Done<ViewWork[Name]['result']>> {
    // A worker answers each name with that name's result.
    return (await this.submit({ id: this.nextId++, work, request }, signal, caller)) as Done<ViewWork[Name]['result']>;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.impatience);
    const closed = new PageError('aborted', 'The reader was closed.');
    for (const job of this.waiting.splice(0)) job.reject(closed);
    await Promise.all([...this.readers].map((reader) => reader.end(closed)));
  }

  private async submit(task: ViewTask, signal: AbortSignal, caller: string | undefined): Promise<Done<ViewWork[WorkName]['result']>> {
    if (this.isClosed || signal.aborted) throw stopped();
    const { promise, resolve, reject } = Promise.withResolvers<Done<ViewWork[WorkName]['result']>>();
    const job: Job = { task, caller, resolve, reject };
    const stop = () => this.abort(job);
    signal.addEventListener('abort', stop, { once: true });
    this.waiting.push(job);
    this.assign();
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  private assign(): void {
    for (let job = this.nextJob(); job; job = this.nextJob()) {
      const reader = [...this.readers].find(({ isFree }) => isFree) ?? (this.readers.size === 0 ? this.addReader() : undefined);
      if (!reader) return this.waitWith(job);
      this.waiting.splice(this.waiting.indexOf(job), 1);
      this.lastCaller = job.caller;
      reader.begin(job);
    }
    clearTimeout(this.impatience);
    this.impatience = undefined;
    this.queueSinceMs = 0;
  }

  /** The first that waits and whose caller has no worker; a caller that was served last lets others go before. */
  private nextJob(): Job | undefined {
    const served = new Set([...this.readers].map(({ caller }) => caller));
    const isFree = ({ caller }: Job) => caller === undefined || !served.has(caller);
    return this.waiting.find((job) => isFree(job) && job.caller !== this.lastCaller) ?? this.waiting.find(isFree);
  }

  /** Adds a worker if `first`, the page that is next, still waits when patience ends, or if the queue has lasted too long; never two at once. */
  private waitWith(first: Job): void {
    if (this.readers.size >= this.workersMax || this.impatience || ![...this.readers].every(({ isReady }) => isReady)) return;
    this.queueSinceMs ||= performance.now();
    const isTooLong = () => this.nextJob() === first || performance.now() - this.queueSinceMs >= QUEUE_PATIENCE_MS;
    this.impatience = setTimeout(() => {
      this.impatience = undefined;
      if (isTooLong()) this.addReader();
      this.assign();
    }, this.patienceMs);
  }

  private addReader(): PageReader {
    const reader = new PageReader(this.limits, {
      onFree: () => this.assign(),
      onEnd: (ended) => {
        this.readers.delete(ended);
        this.assign();
      },
    });
    this.readers.add(reader);
    return reader;
  }

  /** A page that is being read takes its worker with it: nothing else stops the work. */
  private abort(job: Job): void {
    const place = this.waiting.indexOf(job);
    if (place >= 0) this.waiting.splice(place, 1);
    const reader = [...this.readers].find((candidate) => candidate.isReading(job));
    if (reader) void reader.end(stopped());
    else job.reject(stopped());
  }
}

function stopped(): PageError {
  return new PageError('aborted', 'Reading the page was stopped.');
}
