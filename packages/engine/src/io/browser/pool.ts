// Keeps one browser running, replaces it before it rots, and lets no more pages into it than the machine can bear.
import { PageError } from '../../errors.ts';
import type { AddressGate } from '../gate/gate.ts';
import { untilAborted } from '../gate/resolve.ts';
import type { DialTo } from '../http/connections.ts';
import type { BrowserPlaces, BrowserSource } from './program/find.ts';
import { startGeneration } from './generation.ts';
import type { Generation, OpenTab } from './generation.ts';
import type { Job } from './job-contexts.ts';
import { createSlots } from '../slots.ts';
import type { Slots } from '../slots.ts';
import type { WearLimits } from './wear.ts';

/** How many pages at once, and when a browser has served its time. */
export interface BrowserPoolOptions extends BrowserPlaces, Partial<WearLimits> {
  readonly gate: AddressGate;
  readonly dialTo?: DialTo | undefined;
  readonly userAgent?: string | undefined;
  /** Pages open at once; default 2, because two contexts keep two processors busy. */
  readonly pagesAtOnce?: number;
  /** A browser with nothing to do for this long is closed; default 60,000. */
  readonly idleMs?: number;
}

/** The browser that runs now. */
export interface RunningBrowser {
  readonly source: BrowserSource;
  readonly name: string;
  readonly version: string;
  readonly pid: number;
}

const PAGES_AT_ONCE = 2;
const IDLE_MS = 60_000;
const OWNERS_MAX = 8;

/** The browsers of one fetcher: none before the first page, then one, and for a while the worn one beside it. */
export class BrowserPool {
  private readonly options: BrowserPoolOptions;
  private readonly pagesAtOnce: number;
  private readonly slots: Slots;
  private readonly living = new Set<Generation>();
  private starting: Promise<Generation> | undefined;
  private newest: Generation | undefined;
  private idle: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(options: BrowserPoolOptions) {
    this.options = options;
    this.pagesAtOnce = options.pagesAtOnce ?? PAGES_AT_ONCE;
    this.slots = createSlots(this.pagesAtOnce);
  }

  /** Opens a tab, runs `work` in it and closes it, whatever happened. Throws PageError `browser` or `aborted`, and what `work` throws. */
  async withTab<T>(job: Job, signal: AbortSignal, work: (open: OpenTab) => Promise<T>): Promise<T> {
    const release = await this.slots.take(signal);
    clearTimeout(this.idle);
    try {
      const generation = await untilAborted(this.current(), signal);
      return await generation.withTab(job, signal, work);
    } finally {
      release();
      if (this.slots.areFree()) this.idle = setTimeout(() => this.newest?.retire(), this.options.idleMs ?? IDLE_MS).unref();
    }
  }

  /** Undefined while none takes pages. */
  running(): RunningBrowser | undefined {
    if (!this.newest || this.newest.isRetired) return undefined;
    const { browser, candidate, pid } = this.newest.launched;
    return { source: candidate.source, name: candidate.name, version: browser.version(), pid };
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.idle);
    await this.starting?.catch(() => undefined);
    await Promise.all([...this.living].map((generation) => generation.end()));
  }

  /** The browser for the next page. A failed start is not kept: the next page tries again. */
  private async current(): Promise<Generation> {
    if (this.isClosed) throw new PageError('aborted', 'The browser was closed.');
    if (this.newest && !this.newest.isRetired) return this.newest;
    this.starting ??= this.start().finally(() => (this.starting = undefined));
    return await this.starting;
  }

  private async start(): Promise<Generation> {
    const generation = await startGeneration({ ...this.options, ownersMax: Math.max(OWNERS_MAX, this.pagesAtOnce) });
    this.living.add(generation);
    void generation.ended.then(() => this.living.delete(generation));
    this.newest = generation;
    return generation;
  }
}
