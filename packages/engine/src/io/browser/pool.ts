// Keeps one browser running, replaces it before it rots, and gives each job a context of its own.
import type { Page as Tab } from 'playwright-core';
import { PageError } from '../../errors.ts';
import type { AddressGate } from '../gate/gate.ts';
import { untilAborted } from '../gate/resolve.ts';
import type { DialTo } from '../http/connections.ts';
import { openJobContext } from './context.ts';
import type { JobContext } from './context.ts';
import { within } from './deadline.ts';
import { openEgress } from './egress-proxy.ts';
import type { Egress } from './egress-proxy.ts';
import type { BrowserPlaces, BrowserSource } from './find.ts';
import { launchBrowser } from './launch.ts';
import type { LaunchedBrowser } from './launch.ts';
import { createSlots } from './slots.ts';
import { createWear } from './wear.ts';
import type { Wear, WearLimits } from './wear.ts';

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

/** Which context a page belongs to. */
export interface Job {
  /** Pages with the same owner share a context; without one the page gets a context that ends with it. */
  readonly owner: object | undefined;
  readonly privateTargets: readonly string[];
  /** True when the page itself is at a private address that the caller named. */
  readonly mayReachPrivate: boolean;
}

/** A tab that is open while its work runs. */
export interface OpenTab {
  readonly tab: Tab;
  readonly egress: Egress;
  /** Rejects with PageError `browser` when the tab or the whole browser dies. */
  readonly death: Promise<never>;
}

/** The running browsers of one fetcher. */
export interface BrowserPool {
  /** Opens a tab, runs `work` in it and closes it, whatever happened. Throws PageError `browser` or `aborted`, and what `work` throws. */
  withTab<T>(job: Job, signal: AbortSignal, work: (open: OpenTab) => Promise<T>): Promise<T>;
  /** The browser that runs now. */
  running(): { readonly source: BrowserSource; readonly name: string; readonly version: string; readonly pid: number } | undefined;
  close(): Promise<void>;
}

/** One browser from its start to its end. */
interface Generation {
  readonly launched: LaunchedBrowser;
  readonly silence: Egress;
  readonly contexts: Map<object, Map<string, Promise<JobContext>>>;
  readonly wear: Wear;
  active: number;
  isRetired: boolean;
}

const PAGES_AT_ONCE = 2;
const IDLE_MS = 60_000;
const OPEN_MS = 10_000;
const CLOSE_MS = 5_000;
const SETTLE_MS = 300;
const CONTEXTS_MAX = 8;

/** A pool without a browser yet; the first page starts one. */
export function createBrowserPool(options: BrowserPoolOptions): BrowserPool {
  const slots = createSlots(options.pagesAtOnce ?? PAGES_AT_ONCE);
  const living = new Set<Generation>();
  const ending = new Set<Promise<void>>();
  let current: Promise<Generation> | undefined;
  let known: Generation | undefined;
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;

  return {
    async withTab(job, signal, work) {
      const release = await slots.take(signal);
      clearTimeout(idle);
      try {
        return await runInTab(job, signal, work);
      } finally {
        release();
        if (slots.areFree()) idle = setTimeout(() => known && retire(known), options.idleMs ?? IDLE_MS).unref();
      }
    },
    running: () =>
      known && !known.isRetired
        ? {
            source: known.launched.candidate.source,
            name: known.launched.candidate.name,
            version: known.launched.browser.version(),
            pid: known.launched.pid,
          }
        : undefined,
    async close() {
      isClosed = true;
      clearTimeout(idle);
      await current?.catch(() => undefined);
      for (const generation of living) end(generation);
      await Promise.all(ending);
    },
  };

  async function runInTab<T>(job: Job, signal: AbortSignal, work: (open: OpenTab) => Promise<T>): Promise<T> {
    const generation = await untilAborted(generationNow(), signal);
    generation.active += 1;
    let place: JobContext | undefined;
    try {
      const openedMs = performance.now();
      place = await contextFor(generation, job);
      const tab = await opened(place.context.newPage(), generation);
      const death = deathOf(tab, generation);
      const openMs = performance.now() - openedMs;
      try {
        return await Promise.race([untilAborted(work({ tab, egress: place.egress, death }), signal), death]);
      } finally {
        generation.wear.addPage(openMs + (await closeTab(tab, generation)));
      }
    } finally {
      if (job.owner === undefined && place) await closeContext(place, generation);
      generation.active -= 1;
      if (generation.wear.isWorn()) retire(generation);
      if (generation.isRetired && generation.active === 0) end(generation);
    }
  }

  /** The browser for the next page. A failed start is not kept: the next page tries again. */
  function generationNow(): Promise<Generation> {
    if (isClosed) return Promise.reject(new PageError('aborted', 'The browser was closed.'));
    if (current) return current;
    const starting = startGeneration();
    current = starting;
    starting.catch(() => {
      if (current === starting) current = undefined;
    });
    return starting;
  }

  async function startGeneration(): Promise<Generation> {
    const silence = await openEgress({ gate: options.gate, privateTargets: undefined, mayReachPrivate: false });
    try {
      const launched = await launchBrowser(options, silence.proxyUrl);
      const generation: Generation = {
        launched,
        silence,
        contexts: new Map(),
        wear: createWear(options),
        active: 0,
        isRetired: false,
      };
      launched.browser.once('disconnected', () => {
        retire(generation);
        if (generation.active === 0) end(generation);
      });
      known = generation;
      living.add(generation);
      return generation;
    } catch (error) {
      await silence.close();
      throw error;
    }
  }

  /** Pages in it may finish; the next one gets a new browser. */
  function retire(generation: Generation): void {
    if (generation.isRetired) return;
    generation.isRetired = true;
    if (known === generation) current = undefined;
    if (generation.active === 0) end(generation);
  }

  function end(generation: Generation): void {
    if (!living.delete(generation)) return;
    generation.isRetired = true;
    if (known === generation) {
      known = undefined;
      current = undefined;
    }
    const closing = endGeneration(generation).finally(() => ending.delete(closing));
    ending.add(closing);
  }

  function contextFor(generation: Generation, job: Job): Promise<JobContext> {
    const open = () => opened(openJobContext(generation.launched.browser, { ...options, ...job }), generation);
    if (job.owner === undefined) return open();
    const known = generation.contexts.get(job.owner) ?? new Map<string, Promise<JobContext>>();
    const key = JSON.stringify(job.mayReachPrivate ? job.privateTargets : []);
    const place = known.get(key) ?? open();
    known.set(key, place);
    place.catch(() => known.delete(key));
    generation.contexts.delete(job.owner);
    generation.contexts.set(job.owner, known);
    closeOldest(generation);
    return place;
  }

  /** Jobs come and go; what the oldest one kept in its context is in its cookie store too. */
  function closeOldest(generation: Generation): void {
    // More pages than contexts can't be open, so the oldest one is not in use.
    if (generation.contexts.size <= Math.max(CONTEXTS_MAX, options.pagesAtOnce ?? PAGES_AT_ONCE)) return;
    const oldest = generation.contexts.entries().next();
    if (oldest.done) return;
    const [owner, places] = oldest.value;
    generation.contexts.delete(owner);
    for (const place of places.values()) place.then((ready) => closeContext(ready, generation)).catch(() => undefined);
  }

  /** A browser that opens no tab in ten seconds has rotted. */
  async function opened<T>(promise: Promise<T>, generation: Generation): Promise<T> {
    try {
      return await within(promise, OPEN_MS, 'opening a page');
    } catch (error) {
      retire(generation);
      throw new PageError('browser', 'The browser opened no page. It is replaced; try again.', { cause: error });
    }
  }

  async function closeTab(tab: Tab, generation: Generation): Promise<number> {
    // A tab that is closed in the moment in which a document comes in may stay open for ever.
    await within(tab.waitForLoadState('domcontentloaded'), SETTLE_MS, 'settling a page').catch(() => undefined);
    const startedMs = performance.now();
    await within(tab.close(), CLOSE_MS, 'closing a page').catch(() => retire(generation));
    return performance.now() - startedMs;
  }

  async function closeContext(place: JobContext, generation: Generation): Promise<void> {
    await within(place.context.close(), CLOSE_MS, 'closing a context').catch(() => retire(generation));
    await place.egress.close();
  }
}

/** Rejects when the tab or the browser dies; a tab that is closed in order leaves it pending. */
function deathOf(tab: Tab, { launched }: Generation): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const dead = (what: string) => reject(new PageError('browser', `${what} while it had the page open. It is replaced; try again.`));
  const onEnd = () => dead('The browser ended');
  tab.once('crash', () => dead('The tab crashed'));
  launched.browser.once('disconnected', onEnd);
  tab.once('close', () => launched.browser.off('disconnected', onEnd));
  // It may die when nobody waits for it any more.
  promise.catch(() => undefined);
  return promise;
}

async function endGeneration({ launched, silence, contexts }: Generation): Promise<void> {
  await launched.close();
  const places = await Promise.allSettled([...contexts.values()].flatMap((each) => [...each.values()]));
  contexts.clear();
  await Promise.all(places.map((place) => (place.status === 'fulfilled' ? place.value.egress.close() : undefined)));
  await silence.close();
}
