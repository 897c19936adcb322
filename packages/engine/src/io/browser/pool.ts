// Keeps one browser running, replaces it before it rots, and lets no more pages into it than the machine can bear.
import { PageError } from '../../errors.ts';
import type { AddressGate } from '../gate/gate.ts';
import { untilAborted } from '../gate/resolve.ts';
import type { DialTo } from '../http/connections.ts';
import type { BrowserPlaces, BrowserSource } from './program/find.ts';
import { startGeneration } from './generation.ts';
import type { Generation, HeldContext, OpenTab } from './generation.ts';
import type { ContextShape } from './context.ts';
import type { Job } from './job-contexts.ts';
import { createSlots } from '../slots.ts';
import type { Slots } from '../slots.ts';
import type { FindProxy } from '../proxy/connect.ts';
import type { Screen } from './program/launch.ts';
import { createBrowserTurns } from './turns.ts';
import type { BrowserTurns } from './turns.ts';
import type { WearLimits } from './wear.ts';

/** How many pages at once, and when a browser has served its time. */
export interface BrowserPoolOptions extends BrowserPlaces, Partial<WearLimits> {
  readonly gate: AddressGate;
  readonly dialTo?: DialTo | undefined;
  readonly userAgent?: string | undefined;
  /** Knows the proxies that requests name. */
  readonly findProxy?: FindProxy | undefined;
  /** Where a browser's windows go; absent where there is no screen. */
  readonly screen?: Screen | undefined;
  /** Pages open at once; default 2, because two contexts keep two processors busy. */
  readonly pagesAtOnce?: number;
  /** Sessions open at once, beside those pages; default 4. */
  readonly sessionsAtOnce?: number;
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

/** D40. */
const SESSIONS_AT_ONCE = 4;
const PAGES_AT_ONCE = 2;
const IDLE_MS = 60_000;
const OWNERS_MAX = 8;

/** The browsers of one fetcher: none before the first page, then one, and for a while the worn one beside it. */
export class BrowserPool {
  private readonly options: BrowserPoolOptions;
  private readonly pagesAtOnce: number;
  private readonly turns: BrowserTurns;
  private readonly sessionSlots: Slots;
  private readonly living = new Set<Generation>();
  private starting: { readonly tenant: string | undefined; readonly generation: Promise<Generation> } | undefined;
  private newest: Generation | undefined;
  /** Whom the newest serves. */
  private tenant: string | undefined;
  private idle: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(options: BrowserPoolOptions) {
    this.options = options;
    this.pagesAtOnce = options.pagesAtOnce ?? PAGES_AT_ONCE;
    this.turns = createBrowserTurns(this.pagesAtOnce);
    this.sessionSlots = createSlots(options.sessionsAtOnce ?? SESSIONS_AT_ONCE);
  }

  /** Opens a tab, runs `work` in it and closes it, whatever happened. Throws PageError `browser` or `aborted`, and what `work` throws. */
  async withTab<T>(job: Job, signal: AbortSignal, work: (open: OpenTab) => Promise<T>): Promise<T> {
    const release = await this.turns.take(job, signal);
    clearTimeout(this.idle);
    try {
      const generation = await untilAborted(this.current(job.tenant), signal);
      return await generation.withTab(job, signal, work);
    } finally {
      release();
      this.rest();
    }
  }

  /**
   * Opens a context for a session; the caller gives it back. Those with a window have a browser of their own, which ends with them. Waits
   * for a place where as many are open as may be. Throws PageError `browser` or `aborted`.
   */
  async holdContext(
    job: Job,
    shape: ContextShape & { readonly isHeaded?: boolean | undefined },
    signal: AbortSignal,
  ): Promise<HeldContext> {
    const giveBack = await this.sessionSlots.take(signal);
    clearTimeout(this.idle);
    const done = () => {
      giveBack();
      this.rest();
    };
    try {
      const generation = shape.isHeaded === true ? await this.start(true) : await untilAborted(this.current(job.tenant), signal);
      const held = await generation.holdContext(job, shape);
      // A browser with a window takes no second session.
      if (shape.isHeaded === true) generation.retire();
      return { ...held, release: () => held.release().finally(done) };
    } catch (error) {
      done();
      throw error;
    }
  }

  /** A browser that nobody uses ends after a while. */
  private rest(): void {
    clearTimeout(this.idle);
    const isFree = this.turns.areFree() && this.sessionSlots.areFree();
    if (isFree) this.idle = setTimeout(() => this.newest?.retire(), this.options.idleMs ?? IDLE_MS).unref();
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
    await this.starting?.generation.catch(() => undefined);
    await Promise.all([...this.living].map((generation) => generation.end()));
  }

  /** The browser for the next page. A failed start is not kept: the next page tries again. */
  private async current(tenant?: string): Promise<Generation> {
    if (this.isClosed) throw new PageError('aborted', 'The browser was closed.');
    // What one tenant's pages left in the process is none of the next one's.
    if (this.newest && this.tenant !== tenant) this.newest.retire();
    this.tenant = tenant;
    if (this.newest && !this.newest.isRetired) return this.newest;
    if (!this.starting || this.starting.tenant !== tenant) {
      const starting = { tenant, generation: this.start() };
      this.starting = starting;
      const done = () => void (this.starting === starting && (this.starting = undefined));
      starting.generation.then(done, done);
    }
    return await this.starting.generation;
  }

  private async start(isHeaded = false): Promise<Generation> {
    const generation = await startGeneration({ ...this.options, isHeaded, ownersMax: Math.max(OWNERS_MAX, this.pagesAtOnce) });
    this.living.add(generation);
    void generation.ended.then(() => this.living.delete(generation));
    if (!isHeaded) this.newest = generation;
    return generation;
  }
}
