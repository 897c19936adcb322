// The lines of one process: who waits for a host stands in one, and is woken by the place that is given back or by the time of its rest.
import type { CrawlClock, HostAnswer, HostGate, HostGrant, HostLimits, HostRest } from '../crawl-ports.ts';
import {
  HOST_PATIENCE_MS,
  NEW_HOST,
  afterAnswer,
  afterGivenBack,
  afterPerson,
  afterRobots,
  afterStart,
  isAtRest,
  isRefusal,
  nextStartMs,
  restOf,
} from './host-pace.ts';
import { HostQueue, NO_TURNS } from './host-queue.ts';
import type { HostRefusal, HostState } from './host-pace.ts';
import type { HostTurns } from './host-queue.ts';

/** How long a place is held at most, as long as an address is leased: whoever holds it longer is taken for dead. */
export const HOST_GRANT_MS = 600_000;

/** What no answer says about the host. */
const NO_ANSWER: HostAnswer = { status: undefined, retryAtMs: undefined };

/** A reason of our own: making the usual exception costs more than all the rest. */
const AWAKE = new Error('awake');

/** What lines wait on. */
export type LineClock = Pick<CrawlClock, 'steadyMs' | 'sleepUntil' | 'alarm'>;

/** A host that asked to be left alone; times are those of `steadyMs`. */
export interface RestingHost {
  /** Scheme, name and port. */
  readonly host: string;
  readonly untilMs: number;
  /** Since when it has refused everything. */
  readonly sinceMs: number | undefined;
  readonly refusal: HostRefusal | undefined;
  /** Refusals since the last good answer. */
  readonly refusals: number;
}

/** A gate for one process: one line per host. */
export class MemoryHostGate implements HostGate {
  private readonly lines = new Map<string, HostLine>();
  private readonly clock: LineClock;

  constructor(clock: LineClock) {
    this.clock = clock;
  }

  take(host: string, limits: HostLimits, signal: AbortSignal, onWait?: () => void): Promise<HostGrant | undefined> {
    return this.lineOf(host).stand(limits, signal, onWait);
  }

  async learnGap(host: string, ownGapMs: number): Promise<void> {
    this.lineOf(host).learnGap(ownGapMs);
  }

  async restOf(host: string): Promise<HostRest> {
    return restOf(this.lines.get(host)?.state ?? NEW_HOST);
  }

  /** The hosts that want to be left alone now, the one that is back last first. */
  resting(): readonly RestingHost[] {
    const nowMs = this.clock.steadyMs();
    const hosts = [...this.lines].flatMap(([host, { state }]) => (state.blockedUntilMs > nowMs ? [restingHost(host, state)] : []));
    return hosts.toSorted((a, b) => b.untilMs - a.untilMs);
  }

  /** Lets `host` be asked again at once, because a person says so. False where it did not want to be left alone. */
  askAgain(host: string): boolean {
    const nowMs = this.clock.steadyMs();
    const line = this.lines.get(host);
    if (!line || line.state.blockedUntilMs <= nowMs) return false;
    line.release();
    return true;
  }

  /** What is remembered of a host. */
  stateOf(host: string): HostState {
    return this.lines.get(host)?.state ?? NEW_HOST;
  }

  /** Who had the last turns at a host. */
  turnsOf(host: string): HostTurns {
    return this.lines.get(host)?.turns ?? NO_TURNS;
  }

  /**
   * Goes on with what another gate remembered of a host, at whose line nobody stands here; it is remembered until it is forgotten. Who comes
   * gathers in the line until the answer is called: then the first of them all is served first.
   */
  restore(host: string, state: HostState, turns: HostTurns): () => void {
    const line = new HostLine(this.clock, () => undefined);
    this.lines.set(host, line);
    return line.restore(state, turns);
  }

  /** Forgets a host that another gate goes on with; nobody stands at its line or holds a place of it. */
  forget(host: string): void {
    this.lines.delete(host);
  }

  private lineOf(host: string): HostLine {
    let line = this.lines.get(host);
    if (!line) {
      line = new HostLine(this.clock, () => void this.lines.delete(host));
      this.lines.set(host, line);
    }
    return line;
  }
}

function restingHost(host: string, { blockedUntilMs, refusedSinceMs, refusal, refusals }: HostState): RestingHost {
  return { host, untilMs: blockedUntilMs, sinceMs: refusedSinceMs, refusal, refusals };
}

/** One who stands in line. */
interface Waiter {
  readonly limits: HostLimits;
  /** Ends the wait. */
  readonly answer: (grant: HostGrant | undefined) => void;
}

/** A place that is held, and what taking it did. */
interface HeldPlace {
  readonly before: HostState;
  readonly after: HostState;
  readonly expiresMs: number;
}

/** The line of one host, and what is remembered of the host. */
class HostLine {
  state = NEW_HOST;
  private readonly waiters = new HostQueue<Waiter>();
  /** In the order in which they expire. */
  private readonly held = new Set<HeldPlace>();
  private readonly clock: LineClock;
  private readonly onRest: () => void;
  /** Whether the line will look for expired places. */
  private isWatching = false;
  /** False while those gather who have waited elsewhere. */
  private isOpen = true;
  /** Ends the sleep of the line until its host has rested. */
  private sleeping: { readonly untilMs: number; readonly end: () => void } | undefined;

  /** `onRest` is called when nothing about the host needs to be remembered any more. */
  constructor(clock: LineClock, onRest: () => void) {
    this.clock = clock;
    this.onRest = onRest;
  }

  get turns(): HostTurns {
    return this.waiters.turns;
  }

  restore(state: HostState, turns: HostTurns): () => void {
    this.state = state;
    this.waiters.turns = turns;
    this.isOpen = false;
    return () => {
      this.isOpen = true;
      this.serve();
    };
  }

  async stand(limits: HostLimits, signal: AbortSignal, onWait: (() => void) | undefined): Promise<HostGrant | undefined> {
    if (signal.aborted || this.isHopeless(limits, this.waiters.lengthFor(limits))) return undefined;
    const { promise, resolve } = Promise.withResolvers<HostGrant | undefined>();
    const waiter = { limits, answer: resolve };
    this.waiters.add(waiter);
    this.serve();
    if (!this.waiters.has(waiter)) return await promise;
    const leave = () => this.dismiss(waiter);
    const unring = limits.untilMs === undefined ? undefined : this.clock.alarm(limits.untilMs, leave);
    signal.addEventListener('abort', leave, { once: true });
    onWait?.();
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', leave);
      unring?.();
    }
  }

  learnGap(ownGapMs: number): void {
    this.state = afterRobots(this.state, ownGapMs, this.clock.steadyMs());
    this.dismissHopeless();
    this.serve();
  }

  release(): void {
    this.state = afterPerson(this.state, this.clock.steadyMs());
    this.serve();
  }

  /** Gives places to the first in line for as long as there are any, then sleeps until there may be more. */
  private serve(): void {
    if (!this.isOpen) return;
    const nowMs = this.clock.steadyMs();
    this.dropExpired(nowMs);
    for (let waiter = this.waiters.first(); waiter; waiter = this.waiters.first()) {
      const atMs = nextStartMs(this.state, waiter.limits, nowMs);
      if (atMs === Infinity) this.watchExpiry();
      if (atMs > nowMs) return this.sleepUntil(atMs);
      this.waiters.serve(waiter);
      waiter.answer(this.grant(waiter.limits, nowMs));
    }
    this.sleepUntil(Infinity);
    if (this.held.size === 0 && isAtRest(this.state, nowMs)) this.onRest();
  }

  private grant(limits: HostLimits, nowMs: number): HostGrant {
    const before = this.state;
    this.state = afterStart(before, limits, nowMs);
    const place: HeldPlace = { before, after: this.state, expiresMs: nowMs + HOST_GRANT_MS };
    this.held.add(place);
    return {
      end: async (answer) => this.end(place, answer),
      giveBack: async () => this.giveBack(place),
    };
  }

  private end(place: HeldPlace, answer: HostAnswer): void {
    if (!this.held.delete(place)) return;
    this.state = afterAnswer(this.state, answer, this.clock.steadyMs());
    if (isRefusal(answer)) this.dismissHopeless();
    this.serve();
  }

  private giveBack(place: HeldPlace): void {
    if (!this.held.delete(place)) return;
    this.state = afterGivenBack(this.state, place.before, place.after);
    this.serve();
  }

  private dismiss(waiter: Waiter): void {
    if (!this.waiters.delete(waiter)) return;
    waiter.answer(undefined);
    this.serve();
  }

  /** Sends away whose turn can't come in time any more. */
  private dismissHopeless(): void {
    this.waiters.dismiss((waiter, before) => {
      const isHopeless = this.isHopeless(waiter.limits, before);
      if (isHopeless) waiter.answer(undefined);
      return isHopeless;
    });
  }

  /** Whether one with so many before them has nothing to wait for: each of those lets the host rest as well. */
  private isHopeless({ untilMs }: HostLimits, before: number): boolean {
    const { blockedUntilMs, restsUntilMs } = restOf(this.state);
    const nowMs = this.clock.steadyMs();
    if (blockedUntilMs - nowMs > HOST_PATIENCE_MS) return true;
    return untilMs !== undefined && restsUntilMs + before * this.state.ownGapMs > Math.max(untilMs, nowMs);
  }

  private dropExpired(nowMs: number): void {
    for (const place of this.held) {
      if (place.expiresMs > nowMs) return;
      this.held.delete(place);
      this.state = afterAnswer(this.state, NO_ANSWER, nowMs);
    }
  }

  /** Looks again when the place that is held longest would expire; by then it was given back, as a rule, and others are held. */
  private watchExpiry(): void {
    const [oldest] = this.held;
    if (this.isWatching || !oldest) return;
    this.isWatching = true;
    this.clock.alarm(oldest.expiresMs, () => {
      this.isWatching = false;
      this.serve();
    });
  }

  /** At most one sleep at a time; none for Infinity. */
  private sleepUntil(untilMs: number): void {
    if (this.sleeping?.untilMs === untilMs) return;
    this.sleeping?.end();
    this.sleeping = undefined;
    if (untilMs === Infinity) return;
    const ended = new AbortController();
    this.sleeping = { untilMs, end: () => ended.abort(AWAKE) };
    void this.clock.sleepUntil(untilMs, ended.signal).then(() => {
      if (ended.signal.aborted) return;
      this.sleeping = undefined;
      this.serve();
    });
  }
}
