// The work that waits at one host.
import { decideForAgent, selectAgentRules } from '../../robots/decide.ts';
import type { RobotsDecision } from '../../robots/decide.ts';
import type { AgentRules, RobotsRules } from '../../robots/rules.ts';
import type { HostLimits } from '../crawl-ports.ts';
import type { CrawlOptions } from '../options.ts';
import type { LeasedUrl } from '../frontier-store.ts';

/** A leased address with what happened to it so far. */
export interface Visit {
  readonly leased: LeasedUrl;
  /** Requests that failed and count. */
  readonly attempts: number;
  /** Refusals, which don't. */
  readonly refusals: number;
  /** When it was refused for the first time, in epoch milliseconds. */
  readonly refusedFirstMs?: number;
  /** Not to be started before, in epoch milliseconds. */
  readonly notBeforeMs: number;
  /** Another view of a known page: started only where no other may start. */
  readonly isLate?: boolean;
}

/** One host of a crawl: what the store still has for it, what is leased, and its robots rules. */
export class HostWork {
  readonly host: string;
  /** Rows that the store would lease. */
  pending = 0;
  inFlight = 0;
  /** Visits that have begun and are not settled, without the late ones: what they find comes before what is late. */
  prompt = 0;
  /** Whether one of its visits stands in the host's line. */
  isInLine = false;
  isLoadingRobots = false;
  private readonly visits: Visit[] = [];
  /** How many of them were refused before. */
  private refused = 0;
  /** How many of the others are late. */
  private late = 0;
  private rules: RobotsRules | undefined;
  private agentRules: AgentRules | undefined;
  private reason: string | undefined;
  private readonly left = new AbortController();
  private leaving: AbortSignal | undefined;

  constructor(host: string) {
    this.host = host;
  }

  get waiting(): number {
    return this.visits.length;
  }

  /** Those of the waiting that the host was never asked for in vain, without the late ones. */
  get fresh(): number {
    return this.visits.length - this.refused - this.late;
  }

  get isIdle(): boolean {
    return this.pending === 0 && this.visits.length === 0 && this.inFlight === 0 && !this.isLoadingRobots;
  }

  /** Why nothing more is asked of the host; undefined while it is. */
  get givenUp(): string | undefined {
    return this.reason;
  }

  /** Nothing more is asked of the host; `reason` goes with its addresses. */
  giveUp(reason: string): void {
    this.reason = reason;
    this.left.abort();
  }

  /** Aborts once the host is given up, and with `signal`, which must be the same each time. */
  untilGivenUp(signal: AbortSignal): AbortSignal {
    this.leaving ??= AbortSignal.any([signal, this.left.signal]);
    return this.leaving;
  }

  /** Its rules, once they are known. */
  get robots(): RobotsRules | undefined {
    return this.rules;
  }

  /** How much the host is asked at most: the longer of its own delay and the caller's, and one at a time where there is any. */
  limitsFor(options: Pick<CrawlOptions, 'robots' | 'delayMs' | 'hostConcurrency'>): HostLimits {
    const ownMs = options.robots === 'off' ? 0 : (this.agentRules?.crawlDelaySeconds ?? 0) * 1_000;
    const gapMs = Math.max(options.delayMs, ownMs);
    return { inFlightMax: gapMs > 0 ? 1 : options.hostConcurrency, gapMs };
  }

  setRobots(rules: RobotsRules, agent: string): void {
    this.rules = rules;
    this.agentRules = selectAgentRules(rules, agent);
  }

  /** What the host's robots rules say; undefined while they are not known. */
  decideRobots(url: string): RobotsDecision | undefined {
    if (!this.rules || !this.agentRules) return undefined;
    if (this.rules.access !== 'rules') return { allowed: this.rules.access === 'allow_all', rule: this.rules.note, line: undefined };
    return decideForAgent(this.agentRules, url);
  }

  push(visit: Visit): void {
    this.count(visit, 1);
    this.visits.push(visit);
  }

  /** Puts a visit back in front of the others. */
  unshift(visit: Visit): void {
    this.count(visit, 1);
    this.visits.unshift(visit);
  }

  /** Puts a refused visit behind the others. Next comes the last that was never refused: neighbours are often refused together. */
  defer(visit: Visit): void {
    const index = this.visits.findLastIndex(({ refusals }) => refusals === 0);
    if (index > 0) this.visits.unshift(...this.visits.splice(index, 1));
    this.push(visit);
  }

  /** Whether any visit may start now that `isHeld` does not hold back. */
  hasReady(nowMs: number, isHeld: (leased: LeasedUrl) => boolean): boolean {
    return this.visits.some((visit) => this.isReady(visit, nowMs, isHeld));
  }

  /** The first visit that may start now and that `isHeld` does not hold back; a late one only where no other waits or is under way. */
  take(nowMs: number, isHeld: (leased: LeasedUrl) => boolean): Visit | undefined {
    const first = this.late === 0 ? -1 : this.visits.findIndex((visit) => !visit.isLate && this.isReady(visit, nowMs, isHeld));
    const index = first < 0 ? this.visits.findIndex((visit) => this.isReady(visit, nowMs, isHeld)) : first;
    const visit = index < 0 ? undefined : this.visits.splice(index, 1)[0];
    if (visit) this.count(visit, -1);
    return visit;
  }

  /** When the next visit that waits for its time may start, in epoch milliseconds; Infinity without any. */
  nextVisitMs(nowMs: number): number {
    return this.visits.reduce((least, { notBeforeMs }) => (notBeforeMs > nowMs ? Math.min(least, notBeforeMs) : least), Infinity);
  }

  private isReady({ notBeforeMs, isLate, leased }: Visit, nowMs: number, isHeld: (leased: LeasedUrl) => boolean): boolean {
    return notBeforeMs <= nowMs && !(isLate && this.prompt > 0) && !isHeld(leased);
  }

  private count({ refusals, isLate }: Visit, by: number): void {
    if (refusals > 0) this.refused += by;
    else if (isLate) this.late += by;
  }

  takeAll(): readonly Visit[] {
    this.refused = 0;
    this.late = 0;
    return this.visits.splice(0);
  }
}
