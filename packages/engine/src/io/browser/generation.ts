// One browser from its start to its end: opens tabs, tells when it has served its time, and goes with its last page.
import type { Page as Tab } from 'playwright-core';
import { PageError } from '../../errors.ts';
import type { AddressGate } from '../gate/gate.ts';
import { untilAborted } from '../gate/resolve.ts';
import type { DialTo } from '../http/connections.ts';
import { openJobContext } from './context.ts';
import type { ContextShape, JobContext } from './context.ts';
import { within } from './deadline.ts';
import type { FindProxy } from '../proxy/connect.ts';
import { openEgress } from './egress-proxy.ts';
import type { Egress } from './egress-proxy.ts';
import type { BrowserPlaces } from './program/find.ts';
import { JobContexts } from './job-contexts.ts';
import type { Job } from './job-contexts.ts';
import { launchBrowser } from './program/launch.ts';
import type { LaunchedBrowser, Screen } from './program/launch.ts';
import { createWear } from './wear.ts';
import type { Wear, WearLimits } from './wear.ts';

/** What a browser is started with. */
export interface GenerationOptions extends BrowserPlaces, Partial<WearLimits> {
  readonly gate: AddressGate;
  readonly dialTo?: DialTo | undefined;
  readonly userAgent?: string | undefined;
  readonly findProxy?: FindProxy | undefined;
  /** Owners that keep their contexts; no fewer than pages are open at once. */
  readonly ownersMax: number;
  /** Where windows go; absent where there is no screen. */
  readonly screen?: Screen | undefined;
  readonly isHeaded?: boolean;
}

/** A tab that is open while its work runs. */
export interface OpenTab {
  readonly tab: Tab;
  readonly egress: Egress;
  /** Rejects with PageError `browser` when the tab or the whole browser dies. */
  readonly death: Promise<never>;
}

/** A context that stays open until it is given back. */
export interface HeldContext extends JobContext {
  /** Rejects with PageError `browser` when the browser dies. */
  readonly death: Promise<never>;
  /** Closes it with all its pages. */
  release(): Promise<void>;
}

const OPEN_MS = 10_000;
const CLOSE_MS = 5_000;
const SETTLE_MS = 300;

/** Starts a browser. Throws PageError `browser`. */
export async function startGeneration(options: GenerationOptions): Promise<Generation> {
  const silence = await openEgress({ gate: options.gate, privateTargets: undefined, mayReachPrivate: false });
  try {
    return new Generation(options, await launchBrowser(options, silence.proxyUrl, screenOf(options)), silence);
  } catch (error) {
    await silence.close();
    throw error;
  }
}

function screenOf({ isHeaded, screen }: GenerationOptions): Screen | undefined {
  if (isHeaded !== true) return undefined;
  if (screen) return screen;
  throw new PageError('browser', 'A browser window was asked for, and this machine has no screen. Run it without a window.', {
    next: 'drop',
  });
}

/** A running browser. Retired, it lets its pages finish and then ends. */
export class Generation {
  readonly launched: LaunchedBrowser;
  private readonly options: GenerationOptions;
  private readonly silence: Egress;
  private readonly contexts: JobContexts;
  private readonly wear: Wear;
  private readonly done = Promise.withResolvers<void>();
  /** Resolves when nothing is left of the browser. */
  readonly ended = this.done.promise;
  private pages = 0;
  private isEnding = false;
  private hasRetired = false;

  constructor(options: GenerationOptions, launched: LaunchedBrowser, silence: Egress) {
    this.options = options;
    this.launched = launched;
    this.silence = silence;
    this.wear = createWear(options);
    this.contexts = new JobContexts(options.ownersMax, {
      open: (job) => this.opened(openJobContext(launched.browser, { ...options, ...job, shape: { locale: job.locale } })),
      close: (place) => this.closeContext(place),
    });
    launched.browser.once('disconnected', () => this.retire());
  }

  /** True when it takes no further pages. */
  get isRetired(): boolean {
    return this.hasRetired;
  }

  /** Opens a tab, runs `work` in it and closes it, whatever happened. Throws PageError `browser` or `aborted`, and what `work` throws. */
  async withTab<T>(job: Job, signal: AbortSignal, work: (open: OpenTab) => Promise<T>): Promise<T> {
    this.pages += 1;
    let place: JobContext | undefined;
    try {
      const startedMs = performance.now();
      place = await this.contexts.take(job);
      const tab = await this.opened(place.context.newPage());
      return await this.runIn(tab, place, performance.now() - startedMs, signal, work);
    } finally {
      if (place) await this.contexts.release(job, place);
      this.pages -= 1;
      if (this.hasRetired || this.wear.isWorn()) this.retire();
    }
  }

  /** Opens a context for pages that are acted on one step after another. Throws PageError `browser`. */
  async holdContext(job: Job, shape: ContextShape): Promise<HeldContext> {
    this.pages += 1;
    const giveBack = () => {
      this.pages -= 1;
      if (this.hasRetired || this.wear.isWorn()) this.retire();
    };
    try {
      const startedMs = performance.now();
      const place = await this.opened(openJobContext(this.launched.browser, { ...this.options, ...job, shape }));
      const openMs = performance.now() - startedMs;
      const { death, forget } = endOf(this.launched);
      let closing: Promise<void> | undefined;
      const release = async () => {
        forget();
        const closingMs = performance.now();
        await this.closeContext(place);
        this.wear.addPage(openMs + performance.now() - closingMs);
        giveBack();
      };
      return { ...place, death, release: () => (closing ??= release()) };
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  /** Pages in it may finish; the next one gets a new browser. */
  retire(): void {
    this.hasRetired = true;
    if (this.pages === 0) void this.end();
  }

  /** Ends the browser, with whatever it has open. */
  end(): Promise<void> {
    this.hasRetired = true;
    if (!this.isEnding) this.done.resolve(this.close());
    this.isEnding = true;
    return this.ended;
  }

  private async runIn<T>(
    tab: Tab,
    place: JobContext,
    openMs: number,
    signal: AbortSignal,
    work: (open: OpenTab) => Promise<T>,
  ): Promise<T> {
    const death = deathOf(tab, this.launched);
    try {
      return await Promise.race([untilAborted(work({ tab, egress: place.egress, death }), signal), death]);
    } finally {
      this.wear.addPage(openMs + (await this.closeTab(tab)));
    }
  }

  /** A browser that opens no tab in ten seconds has rotted. */
  private async opened<T>(promise: Promise<T>): Promise<T> {
    try {
      return await within(promise, OPEN_MS, 'opening a page');
    } catch (error) {
      // What the way out refuses is not the browser's fault.
      if (!(error instanceof PageError)) this.retire();
      if (error instanceof PageError) throw error;
      throw new PageError('browser', 'The browser opened no page. It is replaced; try again.', { cause: error });
    }
  }

  private async closeTab(tab: Tab): Promise<number> {
    // A tab that is closed in the moment in which a document comes in may stay open for ever.
    await within(tab.waitForLoadState('domcontentloaded'), SETTLE_MS, 'settling a page').catch(() => undefined);
    const startedMs = performance.now();
    await within(tab.close(), CLOSE_MS, 'closing a page').catch(() => this.retire());
    return performance.now() - startedMs;
  }

  private async closeContext(place: JobContext): Promise<void> {
    await within(place.context.close(), CLOSE_MS, 'closing a context').catch(() => this.retire());
    await place.egress.close();
  }

  private async close(): Promise<void> {
    await this.launched.close();
    await this.contexts.closeEgress();
    await this.silence.close();
  }
}

/** Rejects when the tab or the browser dies; a tab that is closed in order leaves it pending. */
function deathOf(tab: Tab, launched: LaunchedBrowser): Promise<never> {
  const { death, die, forget } = endOf(launched);
  tab.once('crash', () => die('The tab crashed'));
  tab.once('close', forget);
  return death;
}

/** Rejects when the browser ends, until it is forgotten. */
function endOf({ browser }: LaunchedBrowser): { death: Promise<never>; die: (what: string) => void; forget: () => void } {
  const { promise, reject } = Promise.withResolvers<never>();
  const die = (what: string) => reject(new PageError('browser', `${what} while it had the page open. It is replaced; try again.`));
  const onEnd = () => die('The browser ended');
  browser.once('disconnected', onEnd);
  // It may die when nobody waits for it any more.
  promise.catch(() => undefined);
  return { death: promise, die, forget: () => void browser.off('disconnected', onEnd) };
}
