// The tabs of one session: the first one and its pop-ups, each prepared as it opens, with what it does by itself kept within bounds.
import type { CDPSession, Download, Page as Tab } from 'playwright-core';
import { PageError } from '../../../errors.ts';
import { DEFAULT_LIMITS } from '../../http/limits.ts';
import type { PrivateHome } from '../document-gate.ts';
import { startBudget, within } from '../deadline.ts';
import type { Budget } from '../deadline.ts';
import type { HeldContext } from '../generation.ts';
import type { SeenDocument } from '../watch.ts';
import { holdDocuments } from './documents.ts';

/** One tab. */
export interface SessionTab {
  readonly tab: Tab;
  /** Resolves when it is prepared. */
  readonly ready: Promise<CDPSession>;
  /** What the main frame was answered last. */
  document: SeenDocument | undefined;
  /** True from when the main frame is sent somewhere until that has come or will not. */
  isGoing: boolean;
}

/** What the tabs of a session are held to. */
export interface TabRules {
  readonly home: PrivateHome | undefined;
  readonly beforeDocument: ((url: string) => Promise<() => void>) | undefined;
  /** Whether a document that a tab goes to by a redirect may come; those that it asks for itself are put to the fence. */
  readonly mayOpen: (url: string) => boolean;
  /** Part of preparing each tab. */
  readonly follow: ((tab: Tab) => Promise<void>) | undefined;
}

/** A download, and what has come of it. */
export interface BegunDownload {
  readonly download: Download;
  readonly contentType: string | undefined;
}

const PREPARE_MS = 10_000;
const TABS_MAX = 10;
/** From the wish for a window to its tab. */
const WINDOW_MS = 2_000;

/** Opens and follows the tabs of one context. */
export class SessionTabs {
  private readonly held: HeldContext;
  private readonly rules: TabRules;
  private readonly tabs: SessionTab[] = [];
  private readonly answers: { readonly accept: boolean; readonly text?: string | undefined }[] = [];
  private readonly listeners = new Set<() => void>();
  private deadOf: PageError | undefined;
  /** Those of the steps that go on: a promise that outlives them would hold all of them. */
  private readonly mourners = new Set<(error: PageError) => void>();
  /** Windows that pages asked for, and that became tabs. */
  private windowsAsked = 0;
  private windowsOpened = 0;
  private isOpening = false;
  private documents = 0;
  private broken: ((error: PageError) => void) | undefined;
  private budget: Budget = startBudget(DEFAULT_LIMITS.totalMs);
  private wanted: ((begun: BegunDownload) => void) | undefined;
  private receivedBytes = 0;
  private downloadBytesMax = 0;
  private tooLarge: (() => void) | undefined;

  constructor(held: HeldContext, rules: TabRules) {
    this.held = held;
    this.rules = rules;
    held.death.catch((error: PageError) => this.die(error));
    held.context.on('page', (tab) => this.add(tab));
    held.context.on('dialog', (dialog) => {
      const isLeaving = dialog.type() === 'beforeunload';
      const answer = isLeaving ? { accept: true } : this.answers.shift();
      const answered = answer?.accept === true ? dialog.accept(answer.text) : dialog.dismiss();
      // Its tab may be gone.
      answered.catch(() => undefined);
    });
    // Whatever a tab of this session shows, it must not come between a page of the public and a private address.
    held.context.on('request', (request) => {
      const { home } = rules;
      if (home && request.isNavigationRequest() && !isFramed(request) && /^https?:/.test(request.url()))
        if (!home.ownOrigins.has(new URL(request.url()).origin)) home.egress.closePrivate();
    });
  }

  /** Calls `hear` with PageError `browser` when a tab crashes or the browser ends, or has; what it answers ends that. */
  onDeath(hear: (error: PageError) => void): () => void {
    if (this.deadOf) hear(this.deadOf);
    this.mourners.add(hear);
    return () => void this.mourners.delete(hear);
  }

  private die(error: PageError): void {
    this.deadOf ??= error;
    for (const hear of this.mourners) hear(error);
  }

  /** A step begins: what pages do by themselves is counted anew. `broken` ends it. */
  begin(budget: Budget, broken: (error: PageError) => void): void {
    this.documents = 0;
    this.budget = budget;
    this.broken = broken;
  }

  /** The tab opened last that is still there; opens one where none is. */
  async newest(): Promise<SessionTab> {
    if (this.tabs.length === 0) await this.open();
    const last = this.tabs.at(-1);
    if (!last) throw new PageError('browser', 'The browser opened no tab.');
    await last.ready;
    return last;
  }

  /** The address of the newest tab. */
  url(): string {
    return this.tabs.at(-1)?.tab.url() ?? 'about:blank';
  }

  /** The tab that a step names: `main`, or the beginning of an address. Undefined while there is none. */
  async named(target: string | undefined): Promise<SessionTab | undefined> {
    if (target === undefined) return await this.newest();
    const found = target === 'main' ? this.tabs[0] : this.tabs.findLast(({ tab }) => tab.url().startsWith(target));
    await found?.ready;
    return found;
  }

  /** All tabs, oldest first. */
  all(): readonly SessionTab[] {
    return this.tabs;
  }

  answerNextDialog(answer: { readonly accept: boolean; readonly text?: string | undefined }): void {
    this.answers.push(answer);
  }

  /** The next download is wanted; others are cancelled. `tooLarge` is called when it passes `bytesMax`. */
  wantDownload(bytesMax: number, tooLarge: () => void): Promise<BegunDownload> {
    this.receivedBytes = 0;
    this.downloadBytesMax = bytesMax;
    this.tooLarge = tooLarge;
    return new Promise((resolve) => (this.wanted = resolve));
  }

  /** No download is wanted any more. */
  endDownload(): void {
    this.wanted = undefined;
    this.tooLarge = undefined;
  }

  /** Waits for what an act has begun: windows to become tabs, and the tab's next document to have come or failed. */
  async settle(acted: SessionTab): Promise<void> {
    // What the act queued in the page runs before this answers; a page that is left answers with an error.
    const session = await acted.ready;
    await within(session.send('Runtime.evaluate', TURN), WINDOW_MS, 'waiting for a turn').catch(() => undefined);
    await within(
      this.until(() => this.windowsOpened >= this.windowsAsked),
      WINDOW_MS,
      'waiting for a window',
    ).catch(() => undefined);
    await this.until(() => !acted.isGoing || acted.tab.isClosed());
  }

  /** Closes the newest tab. */
  async closeNewest(): Promise<void> {
    await this.tabs.at(-1)?.tab.close();
  }

  private async open(): Promise<void> {
    this.isOpening = true;
    try {
      await within(this.held.context.newPage(), PREPARE_MS, 'opening a tab');
    } finally {
      this.isOpening = false;
    }
  }

  private add(tab: Tab): void {
    if (!this.isOpening) this.windowsOpened += 1;
    if (this.tabs.length >= TABS_MAX) return void tab.close().catch(() => undefined);
    const state: SessionTab = { tab, ready: this.prepare(tab), document: undefined, isGoing: false };
    state.ready.catch(() => undefined);
    this.tabs.push(state);
    const change = (isGoing: boolean) => {
      state.isGoing = isGoing;
      this.tell();
    };
    tab.once('close', () => {
      this.tabs.splice(this.tabs.indexOf(state), 1);
      this.tell();
    });
    tab.once('crash', () => this.die(new PageError('browser', 'The tab crashed while it had the page open. Try again.')));
    tab.on('request', (request) => void (request.isNavigationRequest() && !isFramed(request) && change(true)));
    tab.on('response', (response) => {
      const request = response.request();
      if (!request.isNavigationRequest() || isFramed(request)) return;
      state.document = { url: response.url(), status: response.status(), response };
      if (response.status() === 204 || response.status() === 205) change(false);
    });
    tab.on('framenavigated', (frame) => void (frame === tab.mainFrame() && change(false)));
    tab.on('requestfailed', (request) => void (request.isNavigationRequest() && !isFramed(request) && change(false)));
    tab.on('download', (download) => {
      change(false);
      const { wanted } = this;
      this.wanted = undefined;
      const contentType = state.document?.url === download.url() ? state.document.response.headers()['content-type'] : undefined;
      if (wanted) wanted({ download, contentType });
      else download.cancel().catch(() => undefined);
    });
    void state.ready.then(
      (session) => {
        session.on('Page.windowOpen', () => (this.windowsAsked += 1));
        session.on('Page.frameRequestedNavigation', ({ frameId, disposition }) => {
          if (disposition === 'currentTab' && frameId === this.mainFrames.get(session)) change(true);
        });
        session.on('Page.frameStoppedLoading', ({ frameId }) => void (frameId === this.mainFrames.get(session) && change(false)));
        session.on('Page.downloadProgress', ({ receivedBytes }) => {
          this.receivedBytes = Math.max(this.receivedBytes, receivedBytes);
          if (this.receivedBytes > this.downloadBytesMax) this.tooLarge?.();
        });
      },
      () => undefined,
    );
    this.tell();
  }

  private readonly mainFrames = new WeakMap<CDPSession, string>();

  private async prepare(tab: Tab): Promise<CDPSession> {
    const work = async () => {
      const session = await tab.context().newCDPSession(tab);
      const { beforeDocument, home, follow, mayOpen } = this.rules;
      await Promise.all([
        follow?.(tab),
        session.send('Page.enable'),
        session.send('Page.getFrameTree').then(({ frameTree }) => this.mainFrames.set(session, frameTree.frame.id)),
        holdDocuments(session, {
          home,
          mayGoOn: () => this.mayGoOn(),
          mayOpen,
          turn: async (url) => (beforeDocument ? await this.budget.pauseFor(() => beforeDocument(url)) : () => undefined),
        }),
      ]);
      return session;
    };
    return await within(work(), PREPARE_MS, 'preparing a tab');
  }

  private mayGoOn(): boolean {
    this.documents += 1;
    const max = DEFAULT_LIMITS.redirectsMax;
    if (this.documents <= max + 1) return true;
    this.broken?.(
      new PageError(
        'redirect_limit',
        `The page sent the browser on more than ${max} times in one step, which is as often as one is followed.`,
      ),
    );
    return false;
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }

  private until(isTrue: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!isTrue()) return;
        this.listeners.delete(look);
        resolve();
      };
      this.listeners.add(look);
      look();
    });
  }
}

/** Behind the tasks that the page has by now. */
const TURN = { expression: 'new Promise((done) => setTimeout(done))', awaitPromise: true } as const;

/** A document of a frame inside of a page. The frame is unknown for a moment at the beginning of a tab. */
function isFramed(request: { frame(): { parentFrame(): object | null } }): boolean {
  try {
    return request.frame().parentFrame() !== null;
  } catch {
    return false;
  }
}
