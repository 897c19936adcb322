// The crawl: leases addresses, fetches them at the pace their hosts allow, and settles each with everything it led to.
import { Admission } from '../admission.ts';
import { Background } from './background.ts';
import { CanonicalWaits } from '../judge/canonical-waits.ts';
import { restoreMemory, saveMemory } from '../learn/crawl-memory.ts';
import type { CrawlMemory } from '../learn/crawl-memory.ts';
import type { CrawlPorts, RobotsSource } from '../crawl-ports.ts';
import { DuplicateLinks } from '../judge/duplicate-links.ts';
import { FoundLinks } from '../links/found-links.ts';
import { CrawlHosts, HOSTS_PER_ROUND } from './crawl-hosts.ts';
import { HeldPages } from './held-pages.ts';
import type { HostWork, Visit } from '../hosts/host-work.ts';
import { ROBOTS_SHARED_MS } from '../hosts/robots-cache.ts';
import type { CrawlCounts, UrlOffer } from '../ledger.ts';
import type { CrawlOptions } from '../options.ts';
import { findLateSkip } from '../judge/late-skip.ts';
import { LinkMemo } from '../links/link-memo.ts';
import { rememberReach } from '../hosts/reach-memory.ts';
import { settleCopy } from '../judge/page-settlement.ts';
import { SettleQueue } from './settle-queue.ts';
import { feedSitemaps } from '../sitemap/sitemap-feed.ts';
import { RecentPages } from '../judge/recent-pages.ts';
import { RedirectTargets } from '../judge/redirect-trail.ts';
import type { PendingByHost } from '../frontier-store.ts';
import type { VisitContext } from './visit-context.ts';
import { isOwnView } from '../../url/own-view.ts';
import { routeIn } from '../../url/route.ts';
import { Visits } from './visits.ts';
import { Wake } from './wake.ts';

/** How a crawl ended. `cancelled`, `turn` (its turn is over) and `share` (its share is used up) leave what is pending, so that it can go on later. */
export type CrawlEnd = 'complete' | 'limit' | 'timeout' | 'cancelled' | 'turn' | 'share';

/** How a crawl ended and what its ledger holds. */
export interface CrawlOutcome {
  readonly end: CrawlEnd;
  readonly counts: CrawlCounts;
}

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
  private readonly visits: Visits<Result>;
  private readonly hosts: CrawlHosts;
  private readonly wake = new Wake();
  private readonly background = new Background(() => this.wake.ring());
  /** Ends requests that are under way; follows the caller's signal. */
  private readonly stop = new AbortController();
  private readonly deadlineMs: number;
  private discoveredAtResume = -1;
  private seedCount = 1;
  /** Whether the sitemaps are being read, or were. */
  private isFed: boolean;
  /** Whether they are being read: a turn lasts until they are. */
  private isFeeding = false;
  /** Lets those go who stand in lines; follows `stop`. */
  private readonly leave = new AbortController();
  /** Whether more pages are asked for. */
  private isGrowing = false;
  /** Whether there were none in this turn. */
  private hasNoMore = false;

  constructor(options: CrawlOptions, ports: CrawlPorts<Result>, signal: AbortSignal, memory: CrawlMemory) {
    this.options = options;
    const begunMs = ports.clock.steadyMs() - (ports.turn?.sinceBeginMs ?? 0);
    const since = { ...ports, robots: robotsSince(ports.robots, begunMs - ROBOTS_SHARED_MS) };
    this.ports = rememberReach(since, options.privateTargets, memory.reach);
    this.outer = signal;
    this.memory = memory;
    this.isFed = memory.isFed;
    this.hosts = new CrawlHosts(ports.store);
    this.deadlineMs = options.timeoutMs === undefined ? Infinity : ports.clock.steadyMs() + options.timeoutMs;
    this.admission = new Admission(options, memory, memory.movedTo);
    const stored = (counts: CrawlCounts, pending: PendingByHost): void => {
      this.hosts.addPending(pending);
      this.feedAfterSeeds(counts);
      ports.onProgress?.(counts);
      this.wake.ring();
    };
    this.queue = new SettleQueue(
      Math.ceil((options.maxConcurrency * 3) / 4),
      ports.store,
      ports.clock,
      { ...memoryHooks(memory), stored, rested: () => this.wake.ring() },
      this.stop.signal,
    );
    this.context = {
      options,
      ports: this.ports,
      memory,
      admission: this.admission,
      recent: new RecentPages(),
      waits: new CanonicalWaits(),
      held: new HeldPages(),
      duplicates: new DuplicateLinks(),
      targets: new RedirectTargets(),
      linkMemo: new LinkMemo(),
      found: new FoundLinks(this.admission),
      robotsOf: (url) => this.hosts.find(URL.parse(url)?.origin ?? '')?.decideRobots(url),
      signal: this.stop.signal,
    };
    const { context, hosts, queue, background } = this;
    const { signal: leaving } = this.leave;
    this.visits = new Visits({ context, hosts, queue, background, leaving, limit: () => this.limit(), ring: () => this.wake.ring() });
  }

  async run(counts: CrawlCounts, pending: PendingByHost): Promise<CrawlOutcome> {
    const abort = () => {
      this.stop.abort();
      this.leave.abort();
      this.wake.ring();
    };
    const over = this.ports.turn?.over;
    const ring = () => this.wake.ring();
    over?.addEventListener('abort', ring, { once: true });
    this.outer.addEventListener('abort', abort, { once: true });
    if (this.outer.aborted) abort();
    try {
      this.queue.startAt(counts);
      this.hosts.addPending(pending);
      await this.offerSeeds();
      this.feedAfterSeeds(await this.ports.store.counts());
      return await this.finish(await this.loop());
    } finally {
      this.outer.removeEventListener('abort', abort);
      over?.removeEventListener('abort', ring);
      this.stop.abort();
      this.leave.abort();
    }
  }

  private async loop(): Promise<CrawlEnd> {
    for (;;) {
      this.endTurn();
      const end = this.findEnd();
      if (end) return end;
      this.growShare();
      const wakeMs = await this.startVisits();
      if (this.visits.inFlight === 0 || (!this.visits.isBusy && !this.hosts.hasLeased)) this.queue.hurry();
      // Only a crawl with nothing to wait for may end; whatever else happens rings the bell.
      if (this.isDone() && !(await this.findForgotten())) return 'complete';
      await this.wake.wait(this.ports.clock, Math.min(wakeMs, this.deadlineMs), this.stop.signal);
    }
  }

  private findEnd(): CrawlEnd | undefined {
    if (this.outer.aborted || this.visits.isStopped) return 'cancelled';
    if (this.background.failure || this.queue.hasFailed) return 'cancelled';
    if (this.ports.clock.steadyMs() >= this.deadlineMs) return 'timeout';
    if (this.leave.signal.aborted && this.visits.isIdle && this.background.isIdle) return 'turn';
    if (this.queue.kept < this.limit() || this.visits.inFlight > 0) return undefined;
    if (!this.ports.turn?.share) return 'limit';
    return this.hasNoMore && !this.hosts.isEmpty ? 'share' : undefined;
  }

  /** Pages that may be kept. */
  private limit(): number {
    return this.ports.turn?.share?.pages() ?? this.options.limit;
  }

  /** Nobody gets in line any more once the turn is over, and those who stand in one leave. */
  private endTurn(): void {
    if (this.ports.turn?.over.aborted === true && !this.isFeeding) this.leave.abort();
  }

  /** Asks for more pages while there is work for them, before those that may be kept are used up. */
  private growShare(): void {
    const share = this.ports.turn?.share;
    if (!share || this.isGrowing || this.hasNoMore || this.hosts.isEmpty || !this.visits.isFull || this.leave.signal.aborted) return;
    this.isGrowing = true;
    const grow = async () => {
      try {
        this.hasNoMore = !(await share.grow());
      } finally {
        this.isGrowing = false;
      }
    };
    this.background.start(grow());
  }

  private isDone(): boolean {
    return this.isFed && this.visits.isIdle && this.background.isIdle && this.queue.isEmpty && this.hosts.isEmpty;
  }

  /** Whether the store has pending addresses that were not counted here; takes them up. A crawl never ends with pages silently left. */
  private async findForgotten(): Promise<boolean> {
    const { pending, discovered } = await this.ports.store.counts();
    if (pending === 0 || discovered === this.discoveredAtResume) return false;
    this.discoveredAtResume = discovered;
    this.hosts.addPending((await this.ports.store.open()).pendingByHost);
    return !this.hosts.isEmpty;
  }

  /** Lets what is under way end, stores what is decided, and settles what will not be fetched. */
  private async finish(end: CrawlEnd): Promise<CrawlOutcome> {
    if (end !== 'complete') this.stop.abort();
    this.leave.abort();
    while (!this.visits.isIdle || !this.background.isIdle) await this.wake.wait(this.ports.clock, Infinity, new AbortController().signal);
    await this.queue.drain();
    if (this.background.failure) throw this.background.failure.error;
    if (end === 'cancelled' || end === 'turn' || end === 'share') {
      await this.hosts.release();
      // What was learnt since the last settlement would have to be learnt anew in the next turn.
      if (end !== 'cancelled') await this.ports.store.settle([], saveMemory(this.memory));
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
    for (const work of this.hosts.all()) {
      if (this.visits.isBusy || looked >= HOSTS_PER_ROUND) break;
      if (!work.isInLine) looked++;
      wakeMs = Math.min(wakeMs, this.visits.startAt(work));
      if (work.isIdle) this.hosts.drop(work);
    }
    return wakeMs;
  }

  /** Takes up more addresses, as long as the limit leaves room for them. */
  private async leaseAhead(): Promise<void> {
    if (this.visits.isFull) return;
    await this.hosts.leaseAhead(this.ports.clock.steadyMs(), async (leased, work) => {
      if (!(await this.reuse(leased, work)))
        work.push({
          leased,
          attempts: 0,
          refusals: 0,
          notBeforeMs: 0,
          isLate: leased.source === 'link' && isOwnView(leased.url, leased.parent),
        });
    });
  }

  /** Settles an address with a stored copy that is fresh enough; true when there was one. */
  private async reuse(leased: Visit['leased'], work: HostWork): Promise<boolean> {
    const maxAgeMs = this.options.pageMaxAgeSeconds * 1_000;
    if (maxAgeMs <= 0 || this.visits.isFull || findLateSkip(leased, work, this.options, this.memory)) return false;
    const copy = await this.ports.sink.findFresh?.(leased.url, maxAgeMs);
    if (!copy) return false;
    this.queue.add(await settleCopy(copy, leased, this.context));
    return true;
  }

  private async offerSeeds(): Promise<void> {
    const offers: UrlOffer[] = [];
    for (const seed of this.options.seeds) {
      const finding = { url: withoutPlace(seed), source: 'seed', parent: undefined, depth: 0 } as const;
      this.context.found.add(offers, finding, this.ports.clock.now());
    }
    this.seedCount = new Set(offers.map(({ identity }) => identity)).size;
    this.hosts.addPending(await this.ports.store.offer(offers));
  }

  /** What a seed answers shows how far the crawl reaches, and so what a sitemap lists for it. */
  private feedAfterSeeds({ discovered, pending }: CrawlCounts): void {
    if (this.isFed || discovered - pending < this.seedCount) return;
    this.isFed = true;
    if (this.options.sitemap !== 'skip') this.background.start(this.feed());
  }

  private async feed(): Promise<void> {
    const offered = (pending: PendingByHost): void => {
      this.hosts.addPending(pending);
      this.wake.ring();
    };
    this.isFeeding = true;
    try {
      await feedSitemaps(this.options, this.ports, this.admission, offered, this.stop.signal);
      this.memory.isFed = !this.stop.signal.aborted;
    } finally {
      this.isFeeding = false;
    }
  }
}

/** A fragment that is no route is a place on the page. */
function withoutPlace(url: string): string {
  return `${url.split('#', 1)[0]}${routeIn(url)}`;
}

/** A crawl goes by the rules that hosts have now, not by those that an earlier one was given. */
function robotsSince(robots: RobotsSource, sinceMs: number): RobotsSource {
  return { rulesFor: (host, signal, limits, _sinceMs, names) => robots.rulesFor(host, signal, limits, sinceMs, names) };
}

/** A seed that was moved, and where a named host was reached, must be remembered with the settlement: what follows goes by it. */
function memoryHooks(memory: CrawlMemory): { memory: () => string; isMemoryDue: () => boolean } {
  const learnt = () => memory.movedTo.length + memory.reach.changes + Number(memory.isFed);
  let saved = learnt();
  return {
    memory: () => {
      saved = learnt();
      return saveMemory(memory);
    },
    isMemoryDue: () => learnt() > saved,
  };
}
