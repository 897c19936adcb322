// Decides when an open page is ready to be read: by the rule that was asked for, within bounds that hold for any page.
import type { Page as Tab } from 'playwright-core';
import { PageError } from '../../errors.ts';
import { parseElementPath } from '../../html/selectors/elements.ts';
import type { BrowserOptions } from '../../ports.ts';
import type { Budget } from './deadline.ts';
import { isStepTimeout, startBudget, within } from './deadline.ts';
import { findLive } from './live/find.ts';
import { untilAnswered } from './live/until.ts';
import { takeTurn } from './timers.ts';
import type { TabWatch } from './watch.ts';

/** Without a rule: scripts that fill a page ask for its data within this long of each other. */
const QUIET_MS = 250;
/** The same for a page whose scripts have asked for nothing yet. */
const STILL_MS = 100;
const IDLE_MAX_MS = 1_000;
/** Timers come a little late. */
const TIMER_LATE_MS = 10;
const QUIET_MAX_MS = 5_000;
const NETWORK_IDLE_MS = 500;
const NETWORK_IDLE_MAX_MS = 15_000;
const LOAD_MAX_MS = 15_000;
/** Kept back for reading what is there when the rule was not met. */
const RESERVE_MS = 3_000;

/**
 * Waits for `tab` as `options` say; `load` and then a short quiet unless they say. The names of rules that were not met in time:
 * the page is then read as it is. `decided` resolves when no document is held back. Throws PageError `selector` when the selector does
 * not appear.
 */
export async function waitUntilReady(
  tab: Tab,
  watch: TabWatch,
  options: BrowserOptions,
  budget: Budget,
  decided?: () => Promise<void>,
): Promise<readonly string[]> {
  const missed: string[] = [];
  for (let navigations = -1; navigations !== watch.navigationCount();) {
    await decided?.();
    navigations = watch.navigationCount();
    if (!(await isLoaded(tab, watch, options.waitFor, budget)) && !missed.includes('browser.waitFor')) missed.push('browser.waitFor');
  }
  if (options.waitForSelector !== undefined) await waitForSelector(tab, options.waitForSelector, budget);
  if (options.waitMs !== undefined && !(await hasPassed(options.waitMs, budget))) missed.push('browser.waitMs');
  return options.waitFor === undefined ? missed.filter((name) => name !== 'browser.waitFor') : missed;
}

async function isLoaded(tab: Tab, watch: TabWatch, rule: BrowserOptions['waitFor'], budget: Budget): Promise<boolean> {
  const state = rule === 'domcontentloaded' ? rule : 'load';
  const isReached = await reaches(tab, state, leftFor(budget, LOAD_MAX_MS));
  if (rule === 'load' || rule === 'domcontentloaded') return isReached;
  if (rule === 'networkidle') return (await watch.quiet(NETWORK_IDLE_MS, leftFor(budget, NETWORK_IDLE_MAX_MS))) && isReached;
  await settles(tab, watch, startBudget(leftFor(budget, QUIET_MAX_MS)));
  return isReached;
}

/** Waits until the page asks for nothing, computes nothing and is no longer to be filled by a timer: a busy page may be about to ask. */
async function settles(tab: Tab, watch: TabWatch, budget: Budget): Promise<void> {
  let started: number;
  let timerMs: number | undefined;
  do {
    if (timerMs !== undefined) await pass(Math.min(timerMs + TIMER_LATE_MS, budget.leftMs()));
    started = watch.startedCount();
    if (!(await watch.quiet(watch.isScripted() ? QUIET_MS : STILL_MS, budget.leftMs()))) return;
    timerMs = await within(takeTurn(tab), Math.min(IDLE_MAX_MS, budget.leftMs()), 'waiting for a turn').catch(() => undefined);
  } while (started !== watch.startedCount() || timerMs !== undefined);
}

async function reaches(tab: Tab, state: 'load' | 'domcontentloaded', ms: number): Promise<boolean> {
  try {
    await within(tab.waitForLoadState(state, { timeout: ms }), ms + RESERVE_MS / 2, `waiting for ${state}`);
    return true;
  } catch (error) {
    if (isStepTimeout(error)) return false;
    throw error;
  }
}

/** The same elements that the selector finds in the copy that is read afterwards. */
async function waitForSelector(tab: Tab, selector: string, budget: Budget): Promise<void> {
  const path = parseElementPath(selector);
  const waiting = startBudget(leftFor(budget, Number.POSITIVE_INFINITY));
  const totalMs = waiting.leftMs();
  const shown = selector.slice(0, 200);
  await untilAnswered(
    waiting,
    async () => ((await findLive(tab.mainFrame(), path, waiting.leftMs(), 'fresh')).length > 0 ? true : undefined),
    () => new PageError('selector', `"${shown}" did not appear on the page within ${Math.round(totalMs)} ms. Check the selector.`),
  );
}

async function hasPassed(ms: number, budget: Budget): Promise<boolean> {
  const allowedMs = leftFor(budget, ms);
  await pass(allowedMs);
  return allowedMs >= ms;
}

async function pass(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

function leftFor(budget: Budget, ms: number): number {
  return Math.max(Math.min(ms, budget.leftMs() - RESERVE_MS), 1);
}
