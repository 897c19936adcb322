// Pages of one browser context that a run acts on, one step after another.
import type { CDPSession, ElementHandle, Page as Tab } from 'playwright-core';
import { PageError } from '../../../errors.ts';
import type { Clock, Page } from '../../../ports.ts';
import type {
  ActBounds,
  AskedByPage,
  BrowserSession,
  ClickOptions,
  DownloadedFile,
  ElementCondition,
  ElementTarget,
  FoundElement,
  PersonInput,
  SessionOptions,
  StorageState,
} from '../../../run/session.ts';
import { untilAborted } from '../../gate/resolve.ts';
import { shownUrl } from '../../gate/refusal.ts';
import { bodyTooLarge } from '../../http/decompress.ts';
import { DEFAULT_LIMITS } from '../../http/limits.ts';
import { readDownload } from '../capture.ts';
import { isStepTimeout, startBudget, within, withinBudget } from '../deadline.ts';
import type { Budget } from '../deadline.ts';
import { originsOf } from '../document-gate.ts';
import { toBrowserError } from '../failure.ts';
import type { HeldContext } from '../generation.ts';
import { handleOf, isShown } from '../live/find.ts';
import type { LiveNode } from '../live/node.ts';
import { untilAnswered } from '../live/until.ts';
import { meets } from './conditions.ts';
import { giveFiles, giveValue } from './controls.ts';
import { gatherEvidence } from './evidence.ts';
import type { Evidence } from './evidence.ts';
import { PageFence } from './fence.ts';
import { actOn, foundIn, frameAt, locate, namesOf, notFound, readPaths } from './locate.ts';
import { readPage } from './page.ts';
import { passOn } from './person.ts';
import { pictureOf } from './picture.ts';
import { scrollIn, scrollPage } from './scroll.ts';
import { SessionTabs } from './tabs.ts';
import type { SessionTab } from './tabs.ts';

const CLOSE_MS = 5_000;
/** A page that is still loading by then is acted on as it is. */
const LOAD_MAX_MS = 15_000;
/** Kept back of a step's time behind the loading. */
const RESERVE_MS = 1_000;
const RESULT_CHARACTERS_MAX = 10_000_000;
/** How long a step that changes nothing on the page may take. */
const SETTING_MS = 10_000;

/** A session in a context that was opened for it. Each tab is handed to `follow` before anything is done in it. */
export function createSession(
  held: HeldContext,
  options: SessionOptions,
  clock: Clock,
  follow?: (tab: Tab) => Promise<void>,
): BrowserSession {
  return new ContextSession(held, options, clock, follow);
}

class ContextSession implements BrowserSession {
  private readonly held: HeldContext;
  private readonly clock: Clock;
  private readonly tabs: SessionTabs;
  private readonly evidence: Evidence;
  private readonly fences: PageFence;
  /** What was typed as a secret; masked wherever it shows. */
  private readonly secrets = new Set<string>();
  private readonly closing = new AbortController();
  private requested = 'about:blank';

  constructor(held: HeldContext, options: SessionOptions, clock: Clock, follow: ((tab: Tab) => Promise<void>) | undefined) {
    this.held = held;
    this.clock = clock;
    const { privateTargets = [], beforeDocument } = options;
    this.fences = new PageFence(held.context);
    const home = { egress: held.egress, ownOrigins: new Set(privateTargets.flatMap(originsOf)) };
    this.tabs = new SessionTabs(held, {
      home: privateTargets.length > 0 ? home : undefined,
      beforeDocument: beforeDocument && ((url) => beforeDocument(url, this.closing.signal)),
      mayOpen: (url) => this.fences.mayOpen(url),
      follow,
    });
    this.evidence = gatherEvidence(held.context, options.gathersRequests === true ? clock : undefined);
  }

  navigate(
    url: string,
    { waitUntil = 'load' }: { readonly waitUntil?: 'load' | 'domcontentloaded' | 'networkidle' | undefined },
    bounds: ActBounds,
  ) {
    return this.step(`opening ${shownUrl(url)}`, bounds, async (budget) => {
      const state = await this.tabs.newest();
      this.requested = url;
      state.document = undefined;
      try {
        // Its time stands still while its turn is waited for, which Playwright does not know.
        await withinBudget(state.tab.goto(url, { waitUntil: 'commit', timeout: 0 }), budget, 'opening the address');
      } catch (error) {
        if (isStepTimeout(error)) await state.ready.then((session) => session.send('Page.stopLoading')).catch(() => undefined);
        if (!isBodyless(error)) throw this.held.egress.failureOf(url) ?? error;
      }
      this.requireAnswer(state);
      await loaded(state.tab, waitUntil, budget);
    });
  }

  /** What the way out answered by itself is no page. */
  private requireAnswer({ document }: SessionTab): void {
    if (document && this.held.egress.isOwnAnswer(document.response.headers()))
      throw this.held.egress.failureOf(document.url) ?? new PageError('connect', 'No connection.');
  }

  find(target: ElementTarget, bounds: ActBounds) {
    return this.step('finding the element', bounds, async (budget) => {
      const paths = readPaths(target);
      const look = async (tries: number) => {
        const located = await locate(this.tabs, target, paths, budget, tries === 0 ? 'same' : 'fresh');
        return located && foundIn(located, located.elements.find(isShown) ?? located.elements[0]);
      };
      return await untilAnswered(budget, look, () => notFound(target));
    });
  }

  click(target: ElementTarget, { button, offset, clicks, holdMs }: ClickOptions, bounds: ActBounds) {
    return this.act(target, bounds, (handle, _print, timeout) =>
      handle.click({
        timeout,
        noWaitAfter: true,
        ...(button ? { button } : {}),
        ...(offset ? { position: offset } : {}),
        ...(clicks ? { clickCount: clicks } : {}),
        ...(holdMs === undefined ? {} : { delay: holdMs }),
      }),
    );
  }

  hover(target: ElementTarget, bounds: ActBounds) {
    return this.act(target, bounds, (handle, _print, timeout) => handle.hover({ timeout }));
  }

  change(target: ElementTarget, value: string, { isSecret }: { readonly isSecret?: boolean | undefined }, bounds: ActBounds) {
    if (isSecret === true && value !== '') this.secrets.add(value);
    return this.act(target, bounds, (handle, print, timeout, { tab }) => giveValue(handle, print, value, timeout, tab.keyboard));
  }

  keyDown(key: string, bounds: ActBounds) {
    return this.key(key, bounds, (tab) => tab.keyboard.down(key));
  }

  keyUp(key: string, bounds: ActBounds) {
    return this.key(key, bounds, (tab) => tab.keyboard.up(key));
  }

  private key(key: string, bounds: ActBounds, press: (tab: Tab) => Promise<void>): Promise<void> {
    return this.step(`pressing ${key}`, bounds, async () => {
      const state = await this.tabs.newest();
      try {
        await press(state.tab);
      } catch (error) {
        if (!(error instanceof Error && /Unknown key/.test(error.message))) throw error;
        throw new PageError(
          'browser',
          `There is no key "${key.slice(0, 40)}". Keys are named as in KeyboardEvent.key: a, Enter, ArrowDown.`,
          {
            next: 'drop',
          },
        );
      }
      await this.tabs.settle(state);
    });
  }

  async scroll(
    target: ElementTarget | undefined,
    to: { readonly x?: number | undefined; readonly y?: number | undefined },
    bounds: ActBounds,
  ) {
    const isNowhere = to.x === undefined && to.y === undefined;
    if (target) {
      const place = isNowhere ? undefined : { left: to.x, top: to.y };
      await this.act(target, bounds, async (node, _print, timeout) => await scrollIn(await node.handle(), place, timeout));
      return;
    }
    await this.step('scrolling the page', bounds, async (budget) => {
      const state = await this.tabs.newest();
      await withinBudget(scrollPage(state.tab, { left: to.x, top: isNowhere ? 'end' : to.y }), budget, 'scrolling');
      await this.tabs.settle(state);
    });
  }

  upload(target: ElementTarget, files: readonly { readonly name: string; readonly bytes: Uint8Array }[], bounds: ActBounds) {
    return this.act(target, bounds, (handle, print, timeout) => giveFiles(handle, print, files, timeout), true);
  }

  download(target: ElementTarget, bytesMax: number, bounds: ActBounds): Promise<DownloadedFile> {
    return this.step('downloading the file', bounds, async (budget) => {
      const tooLarge = Promise.withResolvers<never>();
      const begun = this.tabs.wantDownload(bytesMax, () => tooLarge.reject(bodyTooLarge(bytesMax, shownUrl(this.url()))));
      tooLarge.promise.catch(() => undefined);
      try {
        await actOn(this.tabs, target, budget, false, (handle, _print, timeout) => handle.click({ timeout, noWaitAfter: true }));
        const { download, contentType } = await withinBudget(begun, budget, `waiting for the file of ${namesOf(target)}`);
        const reading = readDownload(download, bytesMax, budget);
        reading.catch(() => undefined);
        try {
          const bytes = await Promise.race([reading, tooLarge.promise]);
          return { name: download.suggestedFilename(), contentType, bytes, url: download.url() };
        } finally {
          download.cancel().catch(() => undefined);
        }
      } finally {
        this.tabs.endDownload();
      }
    });
  }

  fence(mayAsk: ((asked: AskedByPage) => boolean) | undefined, bounds: ActBounds): Promise<void> {
    return this.step('fencing the pages in', bounds, () => this.fences.set(mayAsk));
  }

  input(event: PersonInput, bounds: ActBounds): Promise<void> {
    return this.step('passing an act on', bounds, async () => await passOn(event, (await this.tabs.newest()).tab));
  }

  personActs(): void {
    this.tabs.begin(startBudget(DEFAULT_LIMITS.totalMs), () => undefined);
  }

  answerDialog(answer: { readonly accept: boolean; readonly text?: string | undefined }): void {
    this.tabs.answerNextDialog(answer);
  }

  waitForElement(target: ElementTarget, condition: ElementCondition, bounds: ActBounds): Promise<void> {
    return this.step('waiting for the element', bounds, async (budget) => {
      const paths = readPaths(target);
      await untilAnswered(
        budget,
        async () => {
          const located = await locate(this.tabs, target, paths, budget, 'fresh');
          return (await meets(located?.elements ?? [], condition)) ? true : undefined;
        },
        () => new PageError('selector', `${namesOf(target)} was not there ${condition.operator} ${condition.count} times in time.`),
      );
    });
  }

  waitForExpression(expression: string, frame: readonly number[] | undefined, bounds: ActBounds): Promise<void> {
    return this.step('waiting for the expression', bounds, async (budget) => {
      await untilAnswered(
        budget,
        async () => {
          const { tab } = await this.tabs.newest();
          const within_ = frameAt(tab.mainFrame(), frame ?? []);
          const isTrue: unknown = within_ && (await within_.evaluate(`Boolean(${expression}\n)`));
          return isTrue === true ? true : undefined;
        },
        () => new PageError('timeout', `The expression was not true in time: ${expression.slice(0, 200)}`, { next: 'drop' }),
      );
    });
  }

  evaluate(source: string, args: readonly unknown[], bounds: ActBounds): Promise<unknown> {
    return this.step('running the script', bounds, async (budget) => {
      const state = await this.tabs.newest();
      const json = await runScript(await state.ready, source, args, budget);
      await this.tabs.settle(state);
      if (json === undefined) return null;
      if (json.length > RESULT_CHARACTERS_MAX) throw bodyTooLarge(RESULT_CHARACTERS_MAX, shownUrl(state.tab.url()));
      return JSON.parse(json) as unknown;
    });
  }

  async setViewport(viewport: { readonly width: number; readonly height: number }): Promise<void> {
    await this.setting('setting the viewport', ({ tab }) => tab.setViewportSize(viewport));
  }

  async emulateNetwork(
    conditions: { readonly download: number; readonly upload: number; readonly latencyMs: number } | undefined,
  ): Promise<void> {
    await this.setting('slowing the network', async ({ ready }) => {
      const session = await ready;
      const { download = -1, upload = -1, latencyMs = 0 } = conditions ?? {};
      const offline = conditions !== undefined && download === 0 && upload === 0;
      await session.send('Network.emulateNetworkConditions', {
        offline,
        latency: latencyMs,
        downloadThroughput: offline ? -1 : download,
        uploadThroughput: offline ? -1 : upload,
      });
    });
  }

  private async setting(what: string, work: (state: SessionTab) => Promise<void>): Promise<void> {
    const bounds = { timeoutMs: SETTING_MS, signal: this.closing.signal };
    await this.step(what, bounds, async () => await work(await this.tabs.newest()));
  }

  async closePage(): Promise<void> {
    const bounds = { timeoutMs: SETTING_MS, signal: this.closing.signal };
    await this.step('closing the page', bounds, async () => {
      await this.tabs.closeNewest();
      await this.tabs.newest();
    });
  }

  read(bounds: ActBounds): Promise<Page> {
    return this.step('reading the page', bounds, async (budget) => {
      const startedMs = performance.now();
      const state = await this.tabs.newest();
      this.requireAnswer(state);
      return {
        ...(await readPage(state, budget)),
        requestedUrl: this.requested,
        lane: 'browser',
        laneReason: 'asked',
        redirects: [],
        timings: { totalMs: performance.now() - startedMs },
        fetchedAtMs: this.clock.now(),
        optionsIgnored: [],
        fromCache: false,
        reach: this.held.egress.isPrivateClosed() ? 'public' : 'private',
      };
    });
  }

  takeJson(bounds: ActBounds) {
    return this.step('reading JSON', bounds, () => this.evidence.takeJson());
  }

  takeRequests(bounds: ActBounds) {
    return this.step('reading requests', bounds, () => this.evidence.takeRequests());
  }

  writes() {
    return this.evidence.writes();
  }

  lastRequests() {
    return this.evidence.lastRequests();
  }

  screenshot(
    { isFull, mask = [] }: { readonly isFull?: boolean | undefined; readonly mask?: readonly ElementTarget[] | undefined },
    bounds: ActBounds,
  ) {
    return this.step('taking a picture', bounds, async (budget) => {
      const { tab } = await this.tabs.newest();
      const masked: ElementHandle[] = [];
      for (const target of mask) {
        const located = await locate(this.tabs, target, readPaths(target), budget, 'fresh');
        const onTab = located?.state.tab === tab ? located.elements : [];
        for (const element of onTab) masked.push(...((await handleOf(element).then((handle) => (handle ? [handle] : []))) ?? []));
      }
      return await pictureOf(tab, isFull === true, [...this.secrets], masked, budget);
    });
  }

  state(bounds: ActBounds): Promise<StorageState> {
    return this.step('reading the storage', bounds, () => this.held.context.storageState({ indexedDB: true }));
  }

  url(): string {
    return this.tabs.url();
  }

  private closed: Promise<void> | undefined;

  close(): Promise<void> {
    this.closed ??= this.end();
    return this.closed;
  }

  private async end(): Promise<void> {
    this.closing.abort(new Error('The session was closed.'));
    // A tab that runs a loop does not answer; its context is closed all the same.
    const tabs = this.tabs.all().map(({ tab }) => within(tab.close({ runBeforeUnload: false }), CLOSE_MS, 'closing a tab'));
    await Promise.allSettled(tabs);
    await this.held.release();
  }

  private act(
    target: ElementTarget,
    bounds: ActBounds,
    work: (node: LiveNode, print: FoundElement['print'], timeoutMs: number, state: SessionTab) => Promise<void>,
    isHiddenEnough = false,
  ): Promise<FoundElement> {
    return this.step(`acting on ${namesOf(target)}`, bounds, async (budget) => {
      const state = await this.tabs.named(target.target);
      const found = await actOn(this.tabs, target, budget, isHiddenEnough, work);
      await this.tabs.settle(state ?? (await this.tabs.newest()));
      return found;
    });
  }

  /** `work` within its bounds, and with the errors of pages. */
  private async step<T>(what: string, { timeoutMs, signal }: ActBounds, work: (budget: Budget) => Promise<T>): Promise<T> {
    const budget = startBudget(timeoutMs);
    const broken = Promise.withResolvers<never>();
    broken.promise.catch(() => undefined);
    const forget = this.tabs.onDeath(broken.reject);
    const ends = AbortSignal.any([signal, this.closing.signal]);
    try {
      ends.throwIfAborted();
      this.tabs.begin(budget, broken.reject);
      const working = withinBudget(work(budget), budget, what);
      return await untilAborted(Promise.race([working, broken.promise]), ends);
    } catch (error) {
      throw toBrowserError(error, this.url(), timeoutMs, ends);
    } finally {
      forget();
    }
  }
}

/** Waits for a page to be loaded, but not for ever: each act waits for its element all the same. */
async function loaded(tab: Tab, waitUntil: 'load' | 'domcontentloaded' | 'networkidle', budget: Budget): Promise<void> {
  const timeout = Math.max(Math.min(LOAD_MAX_MS, budget.leftMs() - RESERVE_MS), 1);
  await tab.waitForLoadState(waitUntil, { timeout }).catch((error: unknown) => {
    if (!isStepTimeout(error)) throw error;
  });
}

/** A file, or an answer without a body, ends Playwright's navigation and is none. */
function isBodyless(error: unknown): boolean {
  return error instanceof Error && /ERR_HTTP_RESPONSE_CODE_FAILURE|Download is starting/.test(error.message);
}

/** The JSON of what the function `source` gives for `args`, in the page of `session`; undefined for what has none. */
async function runScript(session: CDPSession, source: string, args: readonly unknown[], budget: Budget): Promise<string | undefined> {
  const expression = `(async () => JSON.stringify(await (${source}\n)(...${JSON.stringify(args)})))()`;
  const call = session.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true, userGesture: true });
  const { result, exceptionDetails } = await withinBudget(call, budget, 'running the script');
  if (exceptionDetails) {
    const said = exceptionDetails.exception?.description?.split('\n', 1)[0] ?? exceptionDetails.text;
    throw new PageError('browser', `The script failed: ${said.slice(0, 300)}`, { next: 'drop' });
  }
  return typeof result.value === 'string' ? result.value : undefined;
}
