// The crawl: leases addresses, fetches them at the pace their hosts allow, and settles each with everything it led to.
import { PageError } from '../errors.ts';
import { decideRobots } from '../robots/decide.ts';
import { Admission } from './admission.ts';
import { Background } from './background.ts';
import { restoreMemory, saveMemory } from './crawl-memory.ts';
import type { CrawlMemory } from './crawl-memory.ts';
import type { CrawlPorts, HostAnswer } from './crawl-ports.ts';
import { FoundLinks } from './found-links.ts';
import { Frontier, HOSTS_PER_ROUND } from './frontier.ts';
import { HOST_PATIENCE_MS, HostTurn } from './host-turn.ts';
import type { HostWork, Visit } from './host-work.ts';
import type { CrawlCounts, UrlOffer } from './ledger.ts';
import type { CrawlOptions } from './options.ts';
import { findLateSkip } from './late-skip.ts';
import { LinkMemo } from './link-memo.ts';
import { settleCopy } from './page-settlement.ts';
import { visitPage } from './page-visit.ts';
import type { FetchOutcome } from './page-visit.ts';
import { SettleQueue } from './settle-queue.ts';
import { feedSitemaps } from './sitemap-feed.ts';
import { RecentPages } from './recent-pages.ts';
import type { PendingByHost, Verdict } from './store.ts';
import type { VisitContext } from './visit-context.ts';
import { Wake } from './wake.ts';

/** How a crawl ended. `cancelled` leaves what is pending as it is, so that the crawl can go on later. */
export type CrawlEnd = 'complete' | 'limit' | 'timeout' | 'cancelled';

/** How a crawl ended and what its ledger holds. */
export interface CrawlOutcome {
  readonly end: CrawlEnd;
  readonly counts: CrawlCounts;
}

const ATTEMPTS_MAX = 3;
const RETRY_FIRST_MS = 1_000;
/** An address that is refused so often while its host answers others is given up. */
const REFUSALS_MAX = 10;

/**
 * Runs a crawl to its end, or on from where it was killed: everything it needs is in the store. Each discovered address ends with one
 * outcome; counts add up in every transaction. Throws what the store throws, StaleOwnerError when another process took over, and
 * SyntaxError for a path pattern that can't be compiled. At the abort it stops within one request and leaves the rest pending.
 */
export async function runCrawl<Result>(options: CrawlOptions, ports: CrawlPorts<Result>, signal: AbortSignal): Promise<CrawlOutcome> {
  const resumed = await ports.store.open();
  const run = new CrawlRun(options, ports, signal, restoreMemory(resumed.memory));
  return run.run(resumed.counts, resumed.pendingByHost);
}

class CrawlRun<Result> {
  private readonly options: CrawlOptions;
  private readonly ports: CrawlPorts<Result>;
  private readonly outer: AbortSignal;
  private readonly memory: CrawlMemory;
  private readonly admission: Admission;
  private readonly queue: SettleQueue<Result>;
  private readonly context: VisitContext<Result>;
  private readonly frontier: Frontier;
  private readonly recent = new RecentPages();
  private readonly wake = new Wake();
  private readonly background = new Background(() => this.wake.ring());
  /** Ends requests that are under way; follows the caller's signal. */
  private readonly stop = new AbortController();
  private readonly deadlineMs: number;
  private isStopped = false;
  private discoveredAtResume = -1;
  private inFlight = 0;

  constructor(options: CrawlOptions, ports: CrawlPorts<Result>, signal: AbortSignal, memory: CrawlMemory) {
    this.options = options;
    this.ports = ports;
    this.outer = signal;
    this.memory = memory;
    this.frontier = new Frontier(ports.store);
    this.deadlineMs = options.timeoutMs === undefined ? Infinity : ports.clock.now() + options.timeoutMs;
    this.admission = new Admission(options, memory.traps, memory.movedTo);
    const stored = (counts: CrawlCounts, pending: PendingByHost): void => {
      this.frontier.addPending(pending);
      ports.onProgress?.(counts);
      this.wake.ring();
    };
    this.queue = new SettleQueue(
      Math.ceil(options.maxConcurrency / 2),
      ports.store,
      ports.clock,
      { ...memoryHooks(memory), stored, rested: () => this.wake.ring() },
      this.stop.signal,
    );
    this.context = {
      options,
      ports,
      memory,
      admission: this.admission,
      recent: this.recent,
      linkMemo: new LinkMemo(),
      found: new FoundLinks(this.admission),
      robotsOf: (url) => this.frontier.find(URL.parse(url)?.origin ?? '')?.decideRobots(url),
      signal: this.stop.signal,
    };
  }

  async run(counts: CrawlCounts, pending: PendingByHost): Promise<CrawlOutcome> {
    const abort = () => {
      this.stop.abort();
      this.wake.ring();
    };
    this.outer.addEventListener('abort', abort, { once: true });
    if (this.outer.aborted) abort();
    try {
      this.queue.startAt(counts);
      this.frontier.addPending(pending);
      await this.offerSeeds();
      if (this.options.sitemap !== 'skip') this.background.start(this.feed());
      return await this.finish(await this.loop());
    } finally {
      this.outer.removeEventListener('abort', abort);
      this.stop.abort();
    }
  }

  private async loop(): Promise<CrawlEnd> {
    for (;;) {
      const end = this.findEnd();
      if (end) return end;
      const wakeMs = await this.startVisits();
      if (this.inFlight === 0 || (!this.isBusy() && !this.frontier.hasLeased)) this.queue.hurry();
      // Only a crawl with nothing to wait for may end; whatever else happens rings the bell.
      if (this.isDone() && !(await this.findForgotten())) return 'complete';
      await this.wake.wait(this.ports.clock, Math.min(wakeMs, this.deadlineMs), this.stop.signal);
    }
  }

  private findEnd(): CrawlEnd | undefined {
    if (this.outer.aborted || this.isStopped) return 'cancelled';
    if (this.background.failure || this.queue.hasFailed) return 'cancelled';
    if (this.ports.clock.now() >= this.deadlineMs) return 'timeout';
    return this.queue.kept >= this.options.limit && this.inFlight === 0 ? 'limit' : undefined;
  }

  private isDone(): boolean {
    return this.inFlight === 0 && this.background.isIdle && this.queue.isEmpty && this.frontier.isEmpty;
  }

  /** Whether the store has pending addresses that were not counted here; takes them up. A crawl never ends with pages silently left. */
  private async findForgotten(): Promise<boolean> {
    const { pending, discovered } = await this.ports.store.counts();
    if (pending === 0 || discovered === this.discoveredAtResume) return false;
    this.discoveredAtResume = discovered;
    this.frontier.addPending((await this.ports.store.open()).pendingByHost);
    return !this.frontier.isEmpty;
  }

  /** Lets what is under way end, stores what is decided, and settles what will not be fetched. */
  private async finish(end: CrawlEnd): Promise<CrawlOutcome> {
    if (end !== 'complete') this.stop.abort();
    while (this.inFlight > 0 || !this.background.isIdle) await this.wake.wait(this.ports.clock, Infinity, new AbortController().signal);
    await this.queue.drain();
    if (this.background.failure) throw this.background.failure.error;
    if (end === 'cancelled') {
      await this.frontier.release();
      return { end, counts: await this.ports.store.counts() };
    }
    const { pending } = await this.ports.store.counts();
    if (end === 'timeout') {
      return { end, counts: await this.ports.store.closePending({ reason: 'timeout', rule: `timeout is ${this.options.timeoutMs} ms` }) };
    }
    const counts = await this.ports.store.closePending({ reason: 'limit', rule: `limit is ${this.options.limit}` });
    return { end: pending > 0 ? 'limit' : 'complete', counts };
  }

  /** Starts as much as hosts, concurrency and limit allow. Returns when to look again, in epoch milliseconds. */
  private async startVisits(): Promise<number> {
    let wakeMs = Infinity;
    await this.leaseAhead();
    let looked = 0;
    for (const work of this.frontier.all()) {
      if (this.isBusy() || looked >= HOSTS_PER_ROUND) break;
      if (work.waitUntilMs <= this.ports.clock.now()) looked++;
      wakeMs = Math.min(wakeMs, this.startAt(work));
      if (work.isIdle) this.frontier.drop(work);
    }
    return wakeMs;
  }

  /** Starts visits at one host until something is in the way; returns when that may be gone. */
  private startAt(work: HostWork): number {
    const { clock } = this.ports;
    for (;;) {
      const nowMs = clock.now();
      if (work.waitUntilMs > nowMs) return work.waitUntilMs;
      if (this.isBusy()) return Infinity;
      if (this.isFull()) return Infinity;
      if (!this.hasRobots(work)) return Infinity;
      const taken = work.take(nowMs);
      if (!taken) return work.nextVisitMs();
      const visit = { ...taken, leased: this.recent.withTwin(taken.leased) };
      if (this.settleWithoutAsking(work, visit)) continue;
      const atMs = this.ports.gate.tryStart(work.host, work.limitsFor(this.options), nowMs);
      if (atMs > 0) {
        work.unshift(visit);
        // Infinity is a place of ours: its end rings the bell. Places of others are asked for again soon.
        if (atMs === Infinity) return work.inFlight > 0 ? Infinity : nowMs + 50;
        work.waitUntilMs = atMs;
        return atMs;
      }
      void this.visit(work, visit);
    }
  }

  /** Whether the host's rules are known; asks for them when they are not. */
  private hasRobots(work: HostWork): boolean {
    if (work.hasRobots || this.options.robots === 'off' || work.waiting === 0) return true;
    if (!work.isLoadingRobots) {
      work.isLoadingRobots = true;
      this.background.start(this.loadRobots(work));
    }
    return false;
  }

  private async loadRobots(work: HostWork): Promise<void> {
    try {
      work.setRobots(await this.ports.robots.rulesFor(work.host, this.stop.signal, work.limitsFor(this.options)), this.options.agent);
    } finally {
      work.isLoadingRobots = false;
    }
  }

  /** Settles an address by what is known by now; true when no request is needed. */
  private settleWithoutAsking(work: HostWork, { leased }: Visit): boolean {
    if (work.givenUp !== undefined) {
      this.settle(leased.id, { outcome: 'failed', reason: 'rate_limited', rule: work.givenUp, status: undefined });
      return true;
    }
    const answered = this.recent.findIdentity(this.admission.identityOf(leased.url))?.url;
    const skip =
      findLateSkip(leased, work, this.options, this.memory) ??
      (answered === undefined ? undefined : ({ reason: 'duplicate', rule: `answered for ${answered}` } as const));
    if (skip) this.settle(leased.id, { outcome: 'skipped', skip, status: undefined, contentHash: undefined, aliasOf: undefined });
    return skip !== undefined;
  }

  private async visit(work: HostWork, visit: Visit): Promise<void> {
    this.inFlight++;
    work.inFlight++;
    let isAtHost = true;
    const turn = new HostTurn(work.host, this.ports, () => {
      if (isAtHost) work.inFlight--;
      isAtHost = false;
      this.wake.ring();
    });
    const answered = (answer: HostAnswer) => turn.end(answer);
    const beforeRedirect = (url: string, status: number) => this.followRedirect(work, turn, url, status);
    try {
      const robots = this.options.robots === 'report' ? work.decideRobots(visit.leased.url) : undefined;
      this.conclude(work, visit, await visitPage(visit.leased, robots, this.context, { answered, beforeRedirect }));
    } catch (error) {
      this.background.failure ??= { error };
    } finally {
      turn.end({ status: undefined, retryAtMs: undefined });
      this.inFlight--;
      this.wake.ring();
    }
  }

  /** What a redirect leads to is asked for as any other address: in its turn, and where robots rules allow it. Throws PageError. */
  private async followRedirect(work: HostWork, turn: HostTurn, url: string, status: number): Promise<void> {
    const { options, ports, stop } = this;
    const { origin } = new URL(url);
    const known = this.frontier.find(origin);
    const limits = (known ?? work).limitsFor(options);
    // Without a delay, the place that is held is as good as the next.
    const isPaced = origin !== turn.at || limits.gapMs > 0;
    if (isPaced) turn.end({ status, retryAtMs: undefined });
    if (options.robots === 'enforce') {
      const decided = known?.decideRobots(url);
      const { allowed, rule } = decided ?? decideRobots(await ports.robots.rulesFor(origin, stop.signal, limits), options.agent, url);
      if (!allowed) throw new PageError('robots', `redirects to ${url}: ${rule}`, { url });
    }
    if (isPaced) await turn.take(url, limits, stop.signal);
  }

  private conclude(work: HostWork, visit: Visit, outcome: FetchOutcome<Result>): void {
    const nowMs = this.ports.clock.now();
    if (outcome.kind === 'settled') {
      this.queue.add(outcome.settlement);
    } else if (outcome.kind === 'stopped') {
      work.unshift(visit);
      // The fetcher can be closed under a crawl whose own signal says nothing.
      this.isStopped = true;
    } else if (outcome.kind === 'retry') {
      if (visit.attempts + 1 >= ATTEMPTS_MAX) {
        this.settle(visit.leased.id, { outcome: 'failed', reason: outcome.reason, rule: outcome.rule, status: outcome.status });
      } else {
        work.push({ ...visit, attempts: visit.attempts + 1, notBeforeMs: nowMs + RETRY_FIRST_MS * 4 ** visit.attempts });
      }
    } else {
      this.concludeRefusal(work, visit, nowMs);
    }
  }

  /** A refusal spends no attempt: the address waits for its host, and other hosts go on meanwhile. */
  private concludeRefusal(work: HostWork, visit: Visit, nowMs: number): void {
    const sinceMs = this.ports.gate.refusedSinceMs(work.host);
    const untilMs = Math.max(nowMs, this.ports.gate.blockedUntilMs(work.host));
    if (sinceMs !== undefined && untilMs - sinceMs > HOST_PATIENCE_MS) {
      work.givenUp = `the host refuses for more than ${HOST_PATIENCE_MS / 60_000} minutes`;
      work.waitUntilMs = 0;
      work.unshift(visit);
    } else if (visit.refusals + 1 >= REFUSALS_MAX && sinceMs === undefined) {
      this.settle(visit.leased.id, { outcome: 'failed', reason: 'rate_limited', rule: `refused ${REFUSALS_MAX} times`, status: undefined });
    } else {
      work.unshift({ ...visit, refusals: visit.refusals + 1 });
    }
  }

  /** Settles an address that led nowhere. */
  private settle(id: number, verdict: Verdict<Result>): void {
    this.queue.add({ id, verdict, offers: [] });
  }

  /** Whether as much is under way as may be: what a kill would undo counts, so that no more than that is ever asked for twice. */
  private isBusy(): boolean {
    return this.inFlight + this.queue.unstored >= this.options.maxConcurrency;
  }

  /** Whether the limit leaves no room: pages that are under way may all be kept. */
  private isFull(): boolean {
    return this.queue.kept + this.inFlight >= this.options.limit;
  }

  /** Takes up more addresses, as long as the limit leaves room for them. */
  private async leaseAhead(): Promise<void> {
    if (this.isFull()) return;
    await this.frontier.leaseAhead(this.ports.clock.now(), async (leased, work) => {
      if (!(await this.reuse(leased, work))) work.push({ leased, attempts: 0, refusals: 0, notBeforeMs: 0 });
    });
  }

  /** Settles an address with a stored copy that is fresh enough; true when there was one. */
  private async reuse(leased: Visit['leased'], work: HostWork): Promise<boolean> {
    const maxAgeMs = this.options.pageMaxAgeSeconds * 1_000;
    if (maxAgeMs <= 0 || this.isFull() || findLateSkip(leased, work, this.options, this.memory)) return false;
    const copy = await this.ports.sink.findFresh?.(leased.url, maxAgeMs);
    if (!copy) return false;
    this.queue.add(await settleCopy(copy, leased, this.context));
    return true;
  }

  private async offerSeeds(): Promise<void> {
    const offers: UrlOffer[] = [];
    for (const seed of this.options.seeds)
      this.context.found.add(offers, seed.split('#', 1)[0] ?? seed, 'seed', undefined, 0, this.ports.clock.now());
    this.frontier.addPending(await this.ports.store.offer(offers));
  }

  private async feed(): Promise<void> {
    const offered = (pending: PendingByHost): void => {
      this.frontier.addPending(pending);
      this.wake.ring();
    };
    await feedSitemaps(this.options, this.ports, this.admission, offered, this.stop.signal);
  }
}

/** A seed that was moved must be remembered with its own settlement: it is not asked for again. */
function memoryHooks(memory: CrawlMemory): { memory: () => string; isMemoryDue: () => boolean } {
  let movedSaved = memory.movedTo.length;
  return {
    memory: () => {
      movedSaved = memory.movedTo.length;
      return saveMemory(memory);
    },
    isMemoryDue: () => memory.movedTo.length > movedSaved,
  };
}
