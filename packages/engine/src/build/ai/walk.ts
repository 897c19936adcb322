// A model looks for something on a site as a person would: it sees a page, points, and sees what came of it, within steps and tokens.
import type { CrawlClock } from '../../crawl/crawl-ports.ts';
import { PageError } from '../../errors.ts';
import { addSpending, ModelError, NOTHING_SPENT } from '../../model/model.ts';
import type { Model, ModelSpending } from '../../model/model.ts';
import type { Page } from '../../ports.ts';
import type { ActBounds, AskedByPage, BrowserSession } from '../../run/session.ts';
import { isSearch, refusalOfRequest } from '../fence.ts';
import { walkQuestion } from './question.ts';
import { plainLine } from '../../model/untrusted.ts';
import type { SeenElement, Sight, SightRequest, SightResult } from './sight.ts';
import type { SeenList } from './seen-lists.ts';
import { decideCall } from './tools.ts';
import type { Decision, ToolCall } from './tools.ts';
import type { WalkOrder, WalkStep } from './walk-order.ts';
import { WordsSeen } from './words-seen.ts';

/** What a walk stands on. */
export interface WalkPorts {
  readonly model: Model;
  /** The walk fences it in, and takes the fence away at its end. */
  readonly session: BrowserSession;
  /** Reads a page in a thread of its own. Throws PageError. */
  readonly see: (request: SightRequest, signal: AbortSignal) => Promise<SightResult>;
  /** Takes values in use out of a text (D34). */
  readonly mask: (text: string) => string;
  /** A word that nobody can foresee, another one at each call. */
  readonly nonce: () => string;
  readonly clock: Pick<CrawlClock, 'steadyMs' | 'sleepUntil'>;
  /** Asked before each question; false ends the walk. */
  readonly spend: () => Promise<boolean>;
  readonly tell: (step: WalkStep) => Promise<void>;
  /** Each page that the walk sees, before it is acted on. */
  readonly onPage: (page: Page) => Promise<void>;
}

/** What a walk came to. */
export interface WalkEnd {
  /** True where the model said itself that it was at its end. */
  readonly isDone: boolean;
  /** Why it ended otherwise. */
  readonly stopped?: string;
  readonly steps: readonly WalkStep[];
  /** What was typed, in order, and where. */
  readonly typed: readonly { readonly text: string; readonly url: string }[];
  /** Lists that were read, in order. */
  readonly lists: readonly (SeenList & { readonly url: string })[];
  readonly spent: ModelSpending;
}

/** What the model is left alone with so often is over: it is lost, or no good. */
const MISSES_MAX = 3;
const LOOK_MS = 1_000;
const LISTS_READ_MAX = 50;
const REFUSED_VALUE: Decision = { kind: 'refused', reason: 'it holds a value that is in use' };
/** Reasons for which the next question would get no answer either. */
const FINAL = new Set(['unreachable', 'key', 'refused', 'rate_limited', 'server_error', 'timeout', 'declined']);

/** Walks until the model is done, or a bound is met. Throws PageError `aborted`, and what a browser that is gone throws. */
export async function walkSite(order: WalkOrder, ports: WalkPorts, signal: AbortSignal): Promise<WalkEnd> {
  return await new Walk(order, ports, signal).run();
}

class Walk {
  private readonly order: WalkOrder;
  private readonly ports: WalkPorts;
  private readonly signal: AbortSignal;
  private readonly words: WordsSeen;
  private readonly steps: WalkStep[] = [];
  private readonly lists: (SeenList & { readonly url: string })[] = [];
  private readonly typed: { readonly text: string; readonly url: string }[] = [];
  private readonly refusedRequests = new Set<string>();
  private spent: ModelSpending = NOTHING_SPENT;
  private sight: Sight | undefined;
  /** The page behind the sight, as it was read. */
  private source: SightRequest['source'] | undefined;
  /** Addresses of the pages before this one. */
  private readonly trail: string[] = [];

  constructor(order: WalkOrder, ports: WalkPorts, signal: AbortSignal) {
    this.order = order;
    this.ports = ports;
    this.signal = signal;
    this.words = new WordsSeen([order.objective]);
  }

  async run(): Promise<WalkEnd> {
    const { session } = this.ports;
    await session.fence((asked) => this.mayAsk(asked), this.bounds());
    try {
      // Behind the fence, so that not even the first page sends anything else.
      if (this.order.startUrl !== undefined) await session.navigate(this.order.startUrl, {}, this.bounds());
      const stopped = await this.walk();
      return {
        isDone: stopped === undefined,
        ...(stopped === undefined ? {} : { stopped }),
        steps: this.steps,
        typed: this.typed,
        lists: this.lists,
        spent: this.spent,
      };
    } finally {
      // One that is closed has no fence left to take away.
      await session.fence(undefined, { timeoutMs: this.order.actTimeoutMs, signal: new AbortController().signal }).catch(() => undefined);
    }
  }

  /** Why the walk ended; undefined where the model ended it. */
  private async walk(): Promise<string | undefined> {
    for (let misses = 0, step = 1; ; step++) {
      if (step > this.order.stepsMax) return `It took all of its ${this.order.stepsMax} steps.`;
      const { inputTokens, outputTokens } = this.spent;
      if (inputTokens + outputTokens >= this.order.tokensMax)
        return `It took ${inputTokens + outputTokens} tokens of its ${this.order.tokensMax}.`;
      if (!(await this.ports.spend())) return 'Its credits are spent.';
      const sight = await this.look();
      const call = await this.ask(sight);
      if (typeof call === 'string') {
        if (++misses >= MISSES_MAX) return call;
        continue;
      }
      if ('final' in call) return call.final;
      const decision = this.holdsValue(call)
        ? REFUSED_VALUE
        : decideCall(call, {
            sight,
            siteUrl: this.order.siteUrl,
            words: this.words,
            tools: this.order.tools,
            canGoBack: this.trail.length > 0,
          });
      if (decision.kind === 'done') return void (await this.note({ tool: 'done', on: '', outcome: 'done', url: sight.url }));
      misses = (await this.act(call, decision, sight)) ? 0 : misses + 1;
      if (misses >= MISSES_MAX)
        return `${MISSES_MAX} steps one after another came to nothing; the last: ${this.steps.at(-1)?.reason ?? 'no reason'}.`;
    }
  }

  /** A page may repeat a value in use; nobody types it back. */
  private holdsValue({ text }: ToolCall): boolean {
    return this.ports.mask(text) !== text;
  }

  private async look(): Promise<Sight> {
    const { session, see, onPage } = this.ports;
    const page = await session.read(this.bounds());
    const { sight } = await see({ source: sourceOf(page) }, this.signal);
    if (!sight) throw new PageError('page_unreadable', `${page.url} could not be read.`, { url: page.url });
    await onPage(page);
    if (this.sight && this.sight.url !== sight.url && this.trail.at(-1) !== this.sight.url) this.trail.push(this.sight.url);
    this.sight = sight;
    this.source = sourceOf(page);
    this.words.add(sight.words);
    return sight;
  }

  /** The model's next call; a sentence where this answer was of no use, and `final` where no other would be. */
  private async ask(sight: Sight): Promise<ToolCall | string | { readonly final: string }> {
    const { model, mask, nonce } = this.ports;
    try {
      const { value, spent } = await model.ask(
        walkQuestion({ order: this.order, sight, steps: this.steps, mask, nonce: nonce(), tokensMax: model.bounds.inputTokensMax }),
        this.signal,
      );
      this.spent = addSpending(this.spent, spent);
      // The model's port has held it to the schema of the question.
      return value as ToolCall;
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      this.spent = addSpending(this.spent, error.spent);
      await this.note({ tool: 'answer', on: '', outcome: 'failed', reason: error.reason, url: sight.url });
      return FINAL.has(error.reason) ? { final: error.message } : error.message;
    }
  }

  /** Does what was decided; whether anything came of it. */
  private async act({ tool, ref, text }: ToolCall, decision: Decision, sight: Sight): Promise<boolean> {
    const on = describe(sight, ref, tool === 'type' || tool === 'select' ? text : '');
    if (decision.kind === 'refused') {
      await this.note({ tool, on, outcome: 'refused', reason: decision.reason, url: sight.url });
      return false;
    }
    this.refusedRequests.clear();
    try {
      await this.perform(decision, sight);
    } catch (error) {
      if (!(error instanceof PageError) || error.code === 'aborted' || error.next === 'stop') throw error;
      await this.note({ tool, on, outcome: 'failed', reason: this.refusalNow() ?? error.message.slice(0, 200), url: sight.url });
      return false;
    }
    const refusal = this.refusalNow();
    await this.note({
      tool,
      on,
      outcome: refusal === undefined ? 'done' : 'refused',
      ...(refusal === undefined ? {} : { reason: refusal }),
      url: sight.url,
    });
    return true;
  }

  private async perform(decision: Exclude<Decision, { kind: 'refused' }>, sight: Sight): Promise<void> {
    const { session, clock } = this.ports;
    const bounds = this.bounds();
    switch (decision.kind) {
      case 'click':
        await session.click(await this.target(decision.element), {}, bounds);
        break;
      case 'type':
        await session.change(await this.target(decision.element), decision.text, {}, bounds);
        this.typed.push({ text: decision.text, url: sight.url });
        if (decision.enter) {
          await session.keyDown('Enter', bounds);
          await session.keyUp('Enter', bounds);
        }
        break;
      case 'select':
        await session.change(await this.target(decision.element), decision.text, {}, bounds);
        break;
      case 'scroll':
        await session.scroll(undefined, {}, bounds);
        await clock.sleepUntil(clock.steadyMs() + LOOK_MS, this.signal);
        break;
      case 'look':
        await clock.sleepUntil(clock.steadyMs() + LOOK_MS, this.signal);
        break;
      case 'back':
        await this.goBack(bounds);
        break;
      case 'read_list':
        if (this.lists.length < LISTS_READ_MAX) this.lists.push({ ...decision.list, url: sight.url });
        break;
      case 'done':
    }
  }

  /** To an address where the walk has been: the page's own way back would be a script's. */
  private async goBack(bounds: ActBounds): Promise<void> {
    const url = this.trail.pop();
    if (url === undefined) return;
    this.sight = undefined;
    await this.ports.session.navigate(url, {}, bounds);
  }

  /** The element that was pointed to, found in the page as it is now. Throws PageError where something else stands in its place. */
  private async target({ ref, name, role }: SeenElement): Promise<{ readonly selectors: readonly string[] }> {
    const { session, see } = this.ports;
    const { selectors = [] } = this.source ? await see({ source: this.source, selectorsOf: ref }, this.signal) : {};
    if (selectors.length === 0) throw new PageError('selector', 'Nothing tells the element from others.');
    const target = { selectors };
    const { print } = await session.find(target, this.bounds());
    if (plainLine(print.name ?? '', name.length) !== name || (print.role ?? role) !== role)
      throw new PageError('selector', 'Something else stands in the place of the element by now.');
    return target;
  }

  private mayAsk(asked: AskedByPage): boolean {
    const searches = (this.sight?.elements ?? []).flatMap(({ form }) => (form && isSearch(form) ? [form] : []));
    const refusal = refusalOfRequest(asked, { siteUrl: this.order.siteUrl, searches });
    // What a page would have sent by itself all the time is nothing that the model did.
    if (refusal !== undefined && asked.kind === 'document') this.refusedRequests.add(refusal);
    return refusal === undefined;
  }

  private refusalNow(): string | undefined {
    return [...this.refusedRequests][0];
  }

  private async note(step: WalkStep): Promise<void> {
    const masked = { ...step, on: this.ports.mask(step.on), url: this.ports.mask(step.url) };
    this.steps.push(masked);
    await this.ports.tell(masked);
  }

  private bounds(): ActBounds {
    return { timeoutMs: this.order.actTimeoutMs, signal: this.signal };
  }
}

function sourceOf({ url, body, contentType, xhr }: Page): SightRequest['source'] {
  return { url, body, contentType, ...(xhr ? { xhr } : {}) };
}

function describe({ elements, lists }: Sight, ref: string, text: string): string {
  const element = elements.find((each) => each.ref === ref);
  if (element) return `${element.role} "${element.name}"${text === '' ? '' : `: ${text}`}`;
  const list = lists.find((each) => each.ref === ref);
  return list ? `${ref}, ${list.count} rows` : '';
}
