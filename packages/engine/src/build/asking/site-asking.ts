// The one way in which a crawl rung and its proofs ask a site: as its robots rules allow, in the line of its host, within the budget, counted.
import { pacedFetcher } from '../../crawl/hosts/paced-fetcher.ts';
import { PageError } from '../../errors.ts';
import type { FetchRequest, Fetcher, Page } from '../../ports.ts';
import { decideRobots } from '../../robots/decide.ts';
import { documentTurn } from '../../run/document-turn.ts';
import type { RunCookies } from '../../run/ports.ts';
import type { AskedByPage, BrowserSession } from '../../run/session.ts';
import type { SeenForm } from '../ai/sight.ts';
import type { AskingWay } from '../evidence/catalogue.ts';
import { refusalOfRequest } from '../fence.ts';
import type { BuildOptions } from '../options.ts';
import type { BuildPorts } from '../ports.ts';

/** What a rung is asked within. */
export interface AskingBudget {
  readonly requestsMax: number;
  /** Of each request, in credits (D43). */
  readonly price: number;
}

/** Whether an address may be asked for, and the line of robots.txt that says so. */
export interface Permission {
  readonly allowed: boolean;
  readonly rule: string | undefined;
}

const REQUEST_MS = 30_000;
const BODY_BYTES_MAX = 10_000_000;
/** Whoever looks on is told what is waited for, so often. */
const WAIT_TOLD_MS = 10_000;

/** Nothing more is asked for: the pages that were allowed are used up, or nobody pays for more. */
export class BudgetSpent extends PageError {}

/** Asks one site. */
export class SiteAsking {
  /** Requests that were sent, those for robots.txt left out. */
  requests = 0;
  /** Why nothing more is asked for, as the end of a sentence; undefined while something may be. */
  stopped: string | undefined;
  /** One jar for all that one rung asks. */
  readonly cookies: RunCookies;
  /** Asks as the rules allow and counts, without the line of the host: for runs of workflows, which stand in it themselves. */
  readonly fetcher: Pick<Fetcher, 'fetch'>;
  readonly ports: BuildPorts;
  private readonly options: BuildOptions;
  private readonly budget: AskingBudget;
  private readonly endMs: number;
  private readonly searches: SeenForm[] = [];
  private readonly paced: Pick<Fetcher, 'fetch'>;

  constructor(options: BuildOptions, ports: BuildPorts, budget: AskingBudget) {
    this.options = options;
    this.ports = ports;
    this.budget = budget;
    this.endMs = ports.clock.steadyMs() + options.limits.rungSecondsMax * 1_000;
    this.cookies = ports.cookies(ports.state);
    this.fetcher = { fetch: (request, signal) => this.fetch(request, signal) };
    this.paced = pacedFetcher({ ...ports, fetcher: this.fetcher });
  }

  /** True once a request was refused for want of pages, credits or time. */
  get isSpent(): boolean {
    return this.stopped !== undefined;
  }

  /** A search that pages may send by POST from now on; anything else that is sent to be kept is refused (`fence.ts`). */
  allowSearch(way: AskingWay): void {
    if ((way.kind === 'form' || way.kind === 'control') && way.sentTo !== undefined)
      this.searches.push({ type: 'search', method: 'post', action: way.sentTo, isPersonal: false });
  }

  /** `work` with a signal that is aborted when the time of the rung is over. Throws BudgetSpent then, and what `work` throws. */
  async within<Result>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    if (this.isOver()) throw this.overTime();
    const over = new AbortController();
    const unring = this.ports.clock.alarm(this.endMs, () => over.abort());
    try {
      return await this.telling(() => work(AbortSignal.any([signal, over.signal])));
    } catch (error) {
      throw over.signal.aborted && !signal.aborted ? this.overTime() : error;
    } finally {
      unring();
    }
  }

  /** `work`, which waits for the site: every ten seconds it is told for whom, and since when. */
  async telling<Result>(work: () => Promise<Result>): Promise<Result> {
    const { clock, tell } = this.ports;
    const told = { type: 'waiting', host: URL.parse(this.options.url)?.host ?? this.options.url, sinceMs: clock.now() } as const;
    let unring = () => {};
    const wind = () => {
      unring = clock.alarm(clock.steadyMs() + WAIT_TOLD_MS, () => {
        wind();
        // A build that was stopped tells nothing, and hears of it where it goes on.
        tell(told).catch(() => undefined);
      });
    };
    wind();
    try {
      return await work();
    } finally {
      unring();
    }
  }

  /** Whether the time of the rung is over. */
  isOver(): boolean {
    const isOver = this.ports.clock.steadyMs() >= this.endMs;
    if (isOver) this.stopped ??= `its ${this.options.limits.rungSecondsMax} seconds were over`;
    return isOver;
  }

  /** What robots rules say of `url`; anything is allowed where they are not obeyed. */
  async permissionFor(url: string, signal: AbortSignal): Promise<Permission> {
    const target = URL.parse(url);
    if (!this.options.respectRobots || !target) return { allowed: true, rule: undefined };
    const { robotsFor, privateTargets, names, agent } = this.ports;
    const rules = await this.telling(() => robotsFor(privateTargets).rulesFor(target.origin, signal, undefined, undefined, names));
    // A host that can't even be asked fails the request for that reason, which says more.
    if (rules.unasked) return { allowed: true, rule: undefined };
    const { allowed, rule } = decideRobots(rules, agent, url);
    return { allowed, rule };
  }

  /** One page by HTTP, in the line of its host. Throws PageError `robots`, BudgetSpent, and what fetching throws. */
  async bring(url: string, signal: AbortSignal): Promise<Page> {
    const request: FetchRequest = { url, lane: 'http', timeoutMs: REQUEST_MS, bodyBytesMax: BODY_BYTES_MAX, cookies: this.cookies };
    return await this.within(signal, (bounded) => this.paced.fetch(request, bounded));
  }

  /** A browser session whose documents are asked for in the same way; undefined where there is no browser. */
  async openSession(signal: AbortSignal): Promise<BrowserSession | undefined> {
    const { sessions, privateTargets, names, state, gate } = this.ports;
    const inTurn = documentTurn({ gate });
    const session = await sessions?.open(
      {
        state,
        gathersRequests: true,
        privateTargets,
        names,
        beforeDocument: async (url, waitSignal) => {
          await this.admit(url, waitSignal);
          return await this.within(waitSignal, (bounded) => inTurn(url, bounded));
        },
      },
      signal,
    );
    await session?.fence((asked) => this.maySend(asked), { timeoutMs: REQUEST_MS, signal });
    return session;
  }

  private maySend(asked: AskedByPage): boolean {
    return refusalOfRequest(asked, { siteUrl: this.options.url, searches: this.searches }) === undefined;
  }

  /** Counts one request to `url`. Throws PageError `robots`, BudgetSpent. */
  async admit(url: string, signal: AbortSignal): Promise<void> {
    const { allowed, rule } = await this.permissionFor(url, signal);
    if (!allowed) throw new PageError('robots', `${url} may not be asked for: ${rule ?? 'robots.txt forbids it'}.`, { url });
    const { requestsMax, price } = this.budget;
    if (this.isOver()) throw this.overTime();
    if (this.requests >= requestsMax || !(await this.ports.spend(price))) {
      this.stopped ??= 'its budget of requests was spent';
      const why =
        this.requests >= requestsMax ? `${requestsMax} requests were sent, as many as this rung may` : 'no credits are left for it';
      throw new BudgetSpent('rate_limited', `${url} is not asked for: ${why}.`, { url, next: 'drop' });
    }
    this.requests++;
  }

  private overTime(): BudgetSpent {
    this.isOver();
    const { rungSecondsMax } = this.options.limits;
    return new BudgetSpent('timeout', `Nothing more is asked for: ${rungSecondsMax} seconds are over, as many as this rung may take.`, {
      next: 'drop',
    });
  }

  private async fetch(request: FetchRequest, signal: AbortSignal): Promise<Page> {
    await this.admit(request.url, signal);
    const { privateTargets, names } = this.ports;
    return await this.ports.fetcher.fetch(
      {
        ...request,
        privateTargets,
        names,
        beforeRedirect: async (url, status, reach) => {
          const { allowed, rule } = await this.permissionFor(url, signal);
          if (!allowed) throw new PageError('robots', `${request.url} leads to ${url}, which ${rule ?? 'robots.txt'} forbids.`, { url });
          await request.beforeRedirect?.(url, status, reach);
        },
      },
      signal,
    );
  }
}
