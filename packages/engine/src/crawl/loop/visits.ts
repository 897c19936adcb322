// Visits the addresses that wait at hosts: each in its turn and as often as it takes, and hands on what became of it.
import { PageError } from '../../errors.ts';
import { decideRobots } from '../../robots/decide.ts';
import type { Background } from './background.ts';
import type { CrawlPorts, HostAnswer, HostGrant, HostLimits } from '../crawl-ports.ts';
import { Doubts } from '../learn/doubts.ts';
import type { CrawlHosts } from './crawl-hosts.ts';
import { HOST_PATIENCE_MS } from '../hosts/host-pace.ts';
import { HostTurn, notYet } from '../hosts/host-turn.ts';
import type { HostWork, Visit } from '../hosts/host-work.ts';
import { findLateSkip } from '../judge/late-skip.ts';
import type { CrawlOptions } from '../options.ts';
import { retryDelayMs } from './page-request.ts';
import { verdictOfError, visitPage } from './page-visit.ts';
import type { FetchOutcome } from './page-visit.ts';
import type { SettleQueue } from './settle-queue.ts';
import { RedirectTrail } from '../judge/redirect-trail.ts';
import type { Skip, UrlOffer } from '../ledger.ts';
import type { LeasedUrl, SkippedVerdict, Verdict } from '../frontier-store.ts';
import type { VisitContext } from './visit-context.ts';

/** An address that is refused so often while its host answers others is given up. */
const REFUSALS_MAX = 10;
/** After so many refusals in a row, the next address finds out whether it is the host that refuses or the page. */
const REFUSALS_IN_TURN = 2;
/** Pages that were fetched and are not read yet: more of them are fetched only below this, since reading keeps up with a few. */
const HELD_BYTES_MAX = 32_000_000;

/** What visits take from the crawl and give back to it. */
export interface VisitsPorts<Result> {
  readonly context: VisitContext<Result>;
  readonly hosts: Pick<CrawlHosts, 'find'>;
  readonly queue: SettleQueue<Result>;
  readonly background: Background;
  /** At its abort nobody gets in line any more, and those who stand in one leave; what is under way goes on. */
  readonly leaving: AbortSignal;
  /** Pages that may be kept. */
  readonly limit: () => number;
  /** Called whenever more may be started. */
  readonly ring: () => void;
}

/** The visits of one crawl. */
export class Visits<Result> {
  /** Visits between their start and their settlement. */
  private started = 0;
  /** Visits that stand in a line whose host may be free. */
  private entering = 0;
  /** Lines that a visit stands in. */
  private standing = 0;
  /** Bytes of the pages of visits that have started. */
  private heldBytes = 0;
  /** Whether the fetcher was closed under the crawl. */
  isStopped = false;
  private readonly options: CrawlOptions;
  private readonly ports: CrawlPorts<Result>;
  private readonly context: VisitContext<Result>;
  private readonly signal: AbortSignal;
  private readonly leaving: AbortSignal;
  private readonly limit: () => number;
  private readonly hosts: Pick<CrawlHosts, 'find'>;
  private readonly queue: SettleQueue<Result>;
  private readonly background: Background;
  private readonly ring: () => void;
  private readonly doubts: Doubts;
  private readonly isHeld = (leased: LeasedUrl) => this.doubts.holds(leased);

  constructor({ context, hosts, queue, background, leaving, limit, ring }: VisitsPorts<Result>) {
    this.options = context.options;
    this.ports = context.ports;
    this.context = context;
    this.signal = context.signal;
    this.leaving = leaving;
    this.limit = limit;
    this.hosts = hosts;
    this.queue = queue;
    this.background = background;
    this.ring = ring;
    this.doubts = new Doubts(context.memory);
  }

  /** Visits that have a place at their host, or may be given one at once. */
  get inFlight(): number {
    return this.started + this.entering;
  }

  /** Whether nothing is asked of any host, nor waits for one. */
  get isIdle(): boolean {
    return this.started === 0 && this.standing === 0;
  }

  /** Whether as much is under way as may be: what a kill would undo counts, so that no more than that is ever asked for twice. */
  get isBusy(): boolean {
    return this.inFlight + this.queue.unstored >= this.options.maxConcurrency || this.heldBytes >= HELD_BYTES_MAX;
  }

  /** Whether the limit leaves no room, since pages that are under way may all be kept, or nothing more is to be started. */
  get isFull(): boolean {
    return this.leaving.aborted || this.queue.kept + this.inFlight >= this.limit();
  }

  /** Gets in line at one host, unless something is in the way; returns when that may be gone by itself. */
  startAt(work: HostWork): number {
    if (work.isInLine || this.isBusy || this.isFull || !this.hasRobots(work)) return Infinity;
    const limits = work.limitsFor(this.options);
    if (limits.gapMs > 0 || this.isClosed(work)) this.settleFirst(work);
    const nowMs = this.ports.clock.steadyMs();
    // What is held back waits for one that is under way, whose end rings the bell.
    if (!work.hasReady(nowMs, this.isHeld)) return work.nextVisitMs(nowMs);
    void this.enter(work, limits);
    return Infinity;
  }

  /** Waits for a place at the host, and starts the visit that is first by then. */
  private async enter(work: HostWork, limits: HostLimits): Promise<void> {
    this.standing++;
    try {
      if (!(await this.startFirst(work, limits))) this.ring();
    } catch (error) {
      this.background.failure ??= { error };
      this.ring();
    } finally {
      this.standing--;
    }
  }

  /** False where no visit could be started, or more can be by a time that is known. */
  private async startFirst(work: HostWork, limits: HostLimits): Promise<boolean> {
    let isEntering = true;
    const leave = () => {
      if (isEntering) this.entering--;
      isEntering = false;
    };
    const onWait = () => {
      const wasInTheWay = this.isBusy || this.isFull;
      leave();
      if (wasInTheWay) this.ring();
    };
    work.isInLine = true;
    this.entering++;
    const grant = await this.ports.gate.take(work.host, limits, work.untilGivenUp(this.leaving), onWait);
    leave();
    work.isInLine = false;
    if (!grant) {
      await this.giveUp(work);
      return false;
    }
    const visit = this.signal.aborted || this.isBusy || this.isFull ? undefined : this.nextToAsk(work);
    if (!visit) {
      await grant.giveBack();
      return false;
    }
    void this.visit(work, visit, grant);
    return this.startAt(work) === Infinity;
  }

  /** A host that lets nobody in line wants to be left alone for long. */
  private async giveUp(work: HostWork): Promise<void> {
    if (this.leaving.aborted || work.givenUp !== undefined) return;
    const { message } = await notYet(work.host, this.ports.gate, this.ports.clock);
    work.giveUp(message);
  }

  /** Whether nothing will be asked of the host. */
  private isClosed({ givenUp, robots }: HostWork): boolean {
    return givenUp !== undefined || (robots?.unasked !== undefined && this.options.robots === 'enforce');
  }

  /** Settles what comes first and needs no request, so that it does not wait for the host. */
  private settleFirst(work: HostWork): void {
    const visit = this.nextToAsk(work);
    if (visit) work.unshift(visit);
  }

  /** The next visit that may start and needs a request; those before it are settled. */
  private nextToAsk(work: HostWork): Visit | undefined {
    for (;;) {
      const taken = work.take(this.ports.clock.steadyMs(), this.isHeld);
      if (!taken) return undefined;
      if (!taken.isLate && this.isLate(taken.leased)) {
        work.push({ ...taken, isLate: true });
        continue;
      }
      const visit = { ...taken, leased: this.context.recent.withTwin(taken.leased) };
      if (!this.settleWithoutAsking(work, visit)) return visit;
    }
  }

  /** Whether it is of a kind of views that brought nothing so far: by the time that nothing else waits, it may have. */
  private isLate({ url, source }: LeasedUrl): boolean {
    return source === 'link' && !this.options.allViews && this.context.memory.barren.isLate(url);
  }

  /** Whether the host's rules are known; asks for them when they are not. */
  private hasRobots(work: HostWork): boolean {
    if (work.robots || this.options.robots === 'off' || work.waiting === 0) return true;
    if (!work.isLoadingRobots) {
      work.isLoadingRobots = true;
      this.background.start(this.loadRobots(work));
    }
    return false;
  }

  private async loadRobots(work: HostWork): Promise<void> {
    try {
      work.setRobots(await this.ports.robots.rulesFor(work.host, this.signal, work.limitsFor(this.options)), this.options.agent);
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
    if (work.robots?.unasked && this.options.robots === 'enforce') {
      this.settle(leased.id, verdictOfError(work.robots.unasked, undefined));
      return true;
    }
    const answered = this.context.recent.findIdentity(this.context.admission.identityOf(leased.url))?.url;
    // It is being kept by the visit that was redirected to it, and settled with that.
    if (answered === leased.url) return true;
    const skip =
      findLateSkip(leased, work, this.options, this.context.memory) ??
      (answered === undefined ? undefined : ({ reason: 'duplicate', rule: `answered for ${answered}` } as const));
    if (skip) this.settle(leased.id, skippedFor(skip), skip.reason === 'trap' ? this.plainFor(leased) : []);
    return skip !== undefined;
  }

  private async visit(work: HostWork, visit: Visit, grant: HostGrant): Promise<void> {
    this.started++;
    work.inFlight++;
    const prompt = visit.isLate ? 0 : 1;
    work.prompt += prompt;
    let isAtHost = true;
    let ended: Promise<void> | undefined;
    const turn = new HostTurn({ host: work.host, grant }, this.ports, () => {
      if (isAtHost) work.inFlight--;
      isAtHost = false;
      this.ring();
    });
    const answered = (answer: HostAnswer) => void (ended = turn.end(answer));
    let held = 0;
    const holds = (bytes: number) => {
      held = bytes;
      this.heldBytes += bytes;
    };
    const trail = this.trailFor(visit.leased);
    const leave = this.doubts.enter(visit.leased);
    const beforeRedirect = async (url: string, status: number) => {
      await trail.enter(url, status);
      await this.followRedirect(work, turn, url, status);
    };
    try {
      // Found as a link while a redirect to it is followed: one request is enough, and settles it.
      const { targets, admission } = this.context;
      const identity = admission.identityOf(visit.leased.url);
      const end = await targets.endOf(identity);
      if (end !== undefined && end !== 'answered') this.settle(visit.leased.id, skippedFor(end));
      if (end !== undefined) return;
      targets.noteAsked(identity);
      const robots = this.options.robots === 'report' ? work.decideRobots(visit.leased.url) : undefined;
      const outcome = await visitPage(visit.leased, robots, this.context, { answered, holds, beforeRedirect, trail });
      await ended;
      await this.conclude(work, visit, outcome);
      trail.end(outcome.kind === 'settled' && outcome.hasLines === true);
    } catch (error) {
      this.background.failure ??= { error };
    } finally {
      leave();
      trail.end(false);
      await turn.end({ status: undefined, retryAtMs: undefined }).catch((error: unknown) => {
        this.background.failure ??= { error };
      });
      this.started--;
      work.prompt -= prompt;
      this.heldBytes -= held;
      this.ring();
    }
  }

  private trailFor(leased: LeasedUrl): RedirectTrail<Result> {
    const { admission, recent, targets } = this.context;
    const { store, sink, clock } = this.ports;
    return new RedirectTrail(leased, { store, sink, admission, recent, targets, now: () => clock.now() });
  }

  /** What a redirect leads to is asked for as any other address: in its turn, and where robots rules allow it. Throws PageError. */
  private async followRedirect(work: HostWork, turn: HostTurn, url: string, status: number): Promise<void> {
    const { options, ports, signal } = this;
    const { origin } = new URL(url);
    const known = this.hosts.find(origin);
    const limits = (known ?? work).limitsFor(options);
    // Without a delay, the place that is held is as good as the next.
    const isPaced = origin !== turn.at || limits.gapMs > 0;
    if (isPaced) await turn.end({ status, retryAtMs: undefined });
    if (options.robots === 'enforce') {
      const rules = known?.robots ?? (await ports.robots.rulesFor(origin, signal, limits));
      const { unasked } = rules;
      if (unasked) throw new PageError(unasked.code, `redirects to ${url}: ${unasked.message}`, { url, next: 'drop' });
      const { allowed, rule } = known?.decideRobots(url) ?? decideRobots(rules, options.agent, url);
      if (!allowed) throw new PageError('robots', `redirects to ${url}: ${rule}`, { url });
    }
    if (isPaced) await turn.take(url, limits, this.leaving);
  }

  private async conclude(work: HostWork, visit: Visit, outcome: FetchOutcome<Result>): Promise<void> {
    const nowMs = this.ports.clock.steadyMs();
    if (outcome.kind === 'settled') {
      this.context.targets.note(outcome.settlement);
      this.queue.add(outcome.settlement);
    } else if (outcome.kind === 'stopped') {
      work.unshift(visit);
      // The fetcher can be closed under a crawl whose own signal says nothing; one whose turn is over stops what waits for a host.
      if (!this.leaving.aborted) this.isStopped = true;
    } else if (outcome.kind === 'retry') {
      const attempts = visit.attempts + 1;
      const delayMs = retryDelayMs(attempts);
      if (delayMs !== undefined) work.push({ ...visit, attempts, notBeforeMs: nowMs + delayMs });
      else this.settle(visit.leased.id, { outcome: 'failed', reason: outcome.reason, rule: outcome.rule, status: outcome.status });
    } else {
      await this.concludeRefusal(work, visit, nowMs);
    }
  }

  /** A refusal spends no attempt: the address waits for its host, and other hosts go on meanwhile. */
  private async concludeRefusal(work: HostWork, refused: Visit, nowMs: number): Promise<void> {
    const { refusedSinceMs: sinceMs = nowMs, blockedUntilMs } = await this.ports.gate.restOf(work.host);
    const untilMs = Math.max(nowMs, blockedUntilMs);
    const visit = { ...refused, refusals: refused.refusals + 1, refusedFirstMs: refused.refusedFirstMs ?? nowMs };
    if (untilMs - sinceMs > HOST_PATIENCE_MS) {
      work.giveUp(`the host refuses for more than ${HOST_PATIENCE_MS / 60_000} minutes`);
      work.unshift(refused);
    } else if (visit.refusals >= REFUSALS_MAX && sinceMs > visit.refusedFirstMs) {
      const rule = `refused ${visit.refusals} times while its host answered others`;
      this.settle(visit.leased.id, { outcome: 'failed', reason: 'rate_limited', rule, status: undefined });
    } else if (visit.refusals % REFUSALS_IN_TURN === 0) {
      work.defer(visit);
    } else {
      work.unshift(visit);
    }
  }

  private plainFor({ url, source, depth, parent }: LeasedUrl): readonly UrlOffer[] {
    return this.context.found.plainFor({ url, source, depth, parent }, this.ports.clock.now());
  }

  /** Settles an address that was not asked for, or led nowhere. */
  private settle(id: number, verdict: Verdict<Result>, offers: readonly UrlOffer[] = []): void {
    this.queue.add({ id, verdict, offers });
  }
}

/** The verdict on an address that was not asked for. */
function skippedFor(skip: Skip): SkippedVerdict {
  return { outcome: 'skipped', skip, status: undefined, contentHash: undefined, aliasOf: undefined };
}
