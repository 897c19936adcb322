// One worker thread that reads pages, one at a time: what it is started with, its time for a page, its rest and its end.
import { Worker } from 'node:worker_threads';
import { PageError } from '../../errors.ts';
import type { Done, ViewWork, WorkName } from '../../page/view-work.ts';
import { READY, WORDS } from './messages.ts';
import type { ViewAnswer, ViewTask } from './messages.ts';

/** A page to read, and who waits for it. */
export interface Job {
  readonly task: ViewTask;
  readonly caller: string | undefined;
  resolve(done: Done<ViewWork[WorkName]['result']>): void;
  reject(error: PageError): void;
}

/** How long a reader may take and rest, and how much memory it has. */
export interface ReaderLimits {
  readonly pageMs: number;
  readonly idleMs: number;
  readonly heapMegabytesMax: number;
}

/** Room for what lives as long as one page; four times as much saves no CPU. */
const YOUNG_MEGABYTES_MAX = 12;

/** What a reader tells its pool. */
export interface ReaderEvents {
  /** It has loaded what it reads with, or has read a page. */
  onFree(): void;
  /** It is gone and takes no more pages. */
  onEnd(reader: PageReader): void;
}

/** A worker thread from its start to its end. */
export class PageReader {
  private readonly limits: ReaderLimits;
  private readonly events: ReaderEvents;
  private readonly worker: Worker;
  private job: Job | undefined;
  private timer: NodeJS.Timeout | undefined;
  private hasLoaded = false;

  constructor(limits: ReaderLimits, events: ReaderEvents) {
    this.limits = limits;
    this.events = events;
    this.worker = new Worker(new URL('./worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMegabytesMax, maxYoungGenerationSizeMb: YOUNG_MEGABYTES_MAX },
    });
    this.worker.on('message', (message: ViewAnswer | typeof READY) => this.hear(message));
    this.worker.on('error', (cause) => {
      const { object } = WORDS[this.job?.task.work ?? 'views'];
      return this.end(new PageError('page_too_complex', `${object} used up the memory of its reader.`, { cause }));
    });
  }

  /** True once it has loaded what it reads pages with; a page that it is given before waits for that. */
  get isReady(): boolean {
    return this.hasLoaded;
  }

  get isFree(): boolean {
    return this.job === undefined;
  }

  /** Whose page it reads; undefined for the program's own, and for none. */
  get caller(): string | undefined {
    return this.job?.caller;
  }

  isReading(job: Job): boolean {
    return this.job === job;
  }

  /** Reads the page of `job`; a page that takes too long is the reader's last. */
  begin(job: Job): void {
    clearTimeout(this.timer);
    this.job = job;
    this.worker.ref();
    if (this.hasLoaded) this.limit(job);
    this.worker.postMessage(job.task);
  }

  /** A page's time begins when its reader can read: on a busy machine loading takes longer than any page may. */
  private limit({ task }: Job): void {
    const { doing, limitMs = this.limits.pageMs } = WORDS[task.work];
    const mostMs = Math.min(limitMs, this.limits.pageMs);
    this.timer = setTimeout(() => this.end(new PageError('timeout', `${doing} took longer than ${mostMs} ms and was stopped.`)), mostMs);
  }

  /** Stops the thread wherever it is; the page that it reads fails with `error`. */
  end(error: PageError): Promise<unknown> {
    clearTimeout(this.timer);
    const { job } = this;
    this.job = undefined;
    const ended = this.worker.terminate();
    job?.reject(error);
    this.events.onEnd(this);
    return ended;
  }

  private hear(message: ViewAnswer | typeof READY): void {
    if (message === READY) this.load();
    else this.finish(message);
    this.events.onFree();
  }

  private load(): void {
    this.hasLoaded = true;
    if (this.job) this.limit(this.job);
  }

  private finish({ id, result, cpuMs, failure }: ViewAnswer): void {
    const { job } = this;
    if (job?.task.id !== id) return;
    this.rest();
    if (result) job.resolve({ result, cpuMs });
    else job.reject(new PageError(failure?.code ?? 'internal', failure?.message ?? 'The reader gave no answer.'));
  }

  /** A resting worker keeps the program alive no longer, and goes when it stays unused. */
  private rest(): void {
    clearTimeout(this.timer);
    this.job = undefined;
    this.worker.unref();
    this.timer = setTimeout(() => this.end(new PageError('aborted', 'The reader was closed.')), this.limits.idleMs);
    this.timer.unref();
  }
}
