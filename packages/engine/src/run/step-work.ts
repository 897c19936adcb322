// What a step works with: the values it may refer to, the lane it acts on, the page it reads, the steps it holds.
import type { Condition, Step } from '@weft/contract';
import type { JsonValue } from '../html/loose-json.ts';
import type { Lane, Page } from '../ports.ts';
import { openText } from './asking.ts';
import type { AskBounds, AskingState } from './asking.ts';
import { decideCondition } from './condition.ts';
import { LoginWall } from './drivers/driver.ts';
import type { Driver, OpenOptions } from './drivers/driver.ts';
import { RunFault } from './fault.ts';
import type { ReadingAsk, ReadingResult } from './reading/read-page.ts';
import type { RobotsReport } from '../crawl/crawl-ports.ts';
import type { BrowserSession, ElementTarget } from './session.ts';
import type { RunState } from './state.ts';
import { renderJson, renderPlain, renderText, renderUrl } from './template/render.ts';
import type { Scope } from './template/render.ts';
import type { RunValue, SealedText } from './value.ts';

/** What the loop gives a step to work with. */
export interface StepRoom {
  readonly state: RunState;
  readonly scope: Scope;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** True inside of `paginate`, where a page without rows is the end and no fault. */
  readonly isPaging: boolean;
  /** Whether a step before this one may have changed something at the far end. */
  readonly hasChanged: boolean;
  readonly driver: () => Promise<Driver>;
  /** Goes on with what another run has kept; false where there is nothing newer than what this run has. */
  readonly takeSession: () => Promise<boolean>;
  /** Goes on without cookies and storage; what is kept stays. */
  readonly dropSession: () => Promise<void>;
  /** Keeps the session as it is now, for the runs behind this one. */
  readonly keepSession: () => Promise<void>;
  /** Executes the login once more that the run had made. Throws `wall` where it had made none, RunFault where it can't go on. */
  readonly logInAgain: (wall: LoginWall) => Promise<void>;
  /** Executes the steps that a step holds; `name` is their part of the path. */
  readonly body: (steps: readonly Step[], name: string | number, bindings?: Scope, isPaging?: boolean) => Promise<void>;
  /** Tells that a person is waited for, and waits without counting the time. */
  readonly whilePersonActs: <T>(message: string, wait: (signal: AbortSignal) => Promise<T>) => Promise<T>;
}

/** One try of one step. */
export class StepWork {
  readonly room: StepRoom;
  readonly state: RunState;
  readonly bounds: AskBounds;
  /** Where the step was, for its event. */
  url: string | undefined;
  /** The lane of the step where that is not the run's. */
  lane: Lane | undefined;

  /** What robots rules say of what was opened, asked beside it. */
  private readonly reports: Promise<RobotsReport | undefined>[] = [];

  constructor(room: StepRoom) {
    this.room = room;
    this.state = room.state;
    this.bounds = { timeoutMs: room.timeoutMs, signal: room.signal };
  }

  get asking(): AskingState {
    return this.state;
  }

  plain(template: string): string {
    return renderPlain(template, this.room.scope);
  }

  text(template: string): string | SealedText {
    return renderText(template, this.room.scope);
  }

  /** Relative addresses go from the page that is open. */
  async address(template: string): Promise<string> {
    const text = renderUrl(template, this.room.scope);
    const base = (await this.room.driver()).url();
    const url = URL.parse(text, base);
    if (!url || !/^https?:$/.test(url.protocol)) throw new RunFault('input', `"${text.slice(0, 200)}" is no http or https address.`);
    this.url = url.href;
    return url.href;
  }

  json(template: unknown): RunValue {
    return renderJson(template, this.room.scope);
  }

  /** The browser that the run acts in. Throws RunFault. */
  async session(): Promise<BrowserSession> {
    const { session } = await this.room.driver();
    if (!session) throw new RunFault('input', 'This step acts in a browser, and the run goes by HTTP; set "lane": "browser".');
    return session;
  }

  /** Whether the run may go on in a browser at the page that is open, should this step ask for it with a LaneFault. */
  async maySwitch(): Promise<boolean> {
    const { plan, ports } = this.state;
    if (plan.lane !== 'auto' || this.room.hasChanged || !ports.sessions) return false;
    const driver = await this.room.driver();
    return driver.lane === 'http' && driver.url() !== undefined;
  }

  /** Asks what robots rules say of an address that the step opens (D30). */
  noteRobots(url: string): void {
    const report = this.state.ports.robots(url, this.room.signal);
    // A step that fails is told without it.
    report.catch(() => undefined);
    this.reports.push(report);
  }

  /** Whether the step has opened anything that robots rules speak of. */
  get hasOpened(): boolean {
    return this.reports.length > 0;
  }

  /** The first refusal, else what is said of the last address; undefined where nothing was opened. */
  async robots(): Promise<RobotsReport | undefined> {
    const reports = await Promise.all(this.reports);
    return reports.find((report) => report?.allowed === false) ?? reports.at(-1);
  }

  /** Opens a page by its address; where it asks to log in though the run has logged in, the run does so once more. Throws as the driver does. */
  async open(url: string, options: OpenOptions = {}): Promise<void> {
    this.noteRobots(url);
    for (;;) {
      try {
        return await (await this.room.driver()).open(url, options, this.bounds);
      } catch (error) {
        if (!(error instanceof LoginWall)) throw error;
        await this.room.logInAgain(error);
      }
    }
  }

  /** What was typed into the page that is open, with what is sealed looked up for it. */
  async typed(value: string | SealedText): Promise<string> {
    const url = (await this.room.driver()).url();
    if (url === undefined) throw new RunFault('input', 'No page is open yet: a step before this one must open one.');
    return await openText(value, new URL(url).origin, this.asking, this.room.signal);
  }

  element(step: {
    readonly selectors: ElementTarget['selectors'];
    readonly frame?: readonly number[] | undefined;
    readonly target?: string | undefined;
  }): ElementTarget {
    const { selectors, frame, target } = step;
    return { selectors, frame, target: target === undefined ? undefined : this.plain(target) };
  }

  async page(): Promise<Page> {
    const page = await (await this.room.driver()).page(this.bounds);
    this.url = page.url;
    return page;
  }

  /** Reads the page that is open. Throws PageError. */
  async read(ask: ReadingAsk): Promise<ReadingResult> {
    return await this.readPage(await this.page(), ask);
  }

  async readPage(page: Page, ask: ReadingAsk): Promise<ReadingResult> {
    const { url, body, contentType, xhr, status, headers } = page;
    return await this.state.ports.read(
      { source: { url, body, contentType, ...(xhr ? { xhr } : {}) }, status, headers, ask },
      this.room.signal,
    );
  }

  async holds(condition: Condition): Promise<boolean> {
    const read = async (of: Parameters<Parameters<typeof decideCondition>[2]>[0]): Promise<readonly JsonValue[]> =>
      (await this.read({ kind: 'values', of })).values ?? [];
    return await decideCondition(condition, this.room.scope, read);
  }
}

/** How one type of step goes. */
export interface StepKind<Of extends Step = Step> {
  /** The lanes that can do it. */
  lanes(step: Of): readonly Lane[];
  /** True where it may change something at the far end: behind it a run stays on its lane. */
  changes?(step: Of): boolean;
  /** What it gives; undefined where it gives nothing. */
  run(step: Of, work: StepWork): Promise<unknown>;
}

export const BOTH: readonly Lane[] = ['http', 'browser'];
export const BROWSER: readonly Lane[] = ['browser'];
