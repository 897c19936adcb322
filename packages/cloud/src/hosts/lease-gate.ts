// The lines of many processes: one of them holds a host for seconds, paces it by itself, and gives it on with what it has learnt to whoever is next.
import { BoundedMap, MemoryHostGate, restOf } from '@weft/engine';
import type { HostAnswer, HostGate, HostGrant, HostLimits, HostRest, LineClock } from '@weft/engine';
import type { HeldHost, HostLeases, Lease } from './host-leases.ts';
import { waitForHost } from './host-wait.ts';
import type { HostWait, Wanting } from './host-wait.ts';
import { Tenure } from './tenure.ts';

export interface LeaseGateOptions {
  readonly leases: HostLeases;
  readonly clock: LineClock;
  /** Between two renewals; the test says its own. */
  readonly beatMs?: number;
  /** How long a lease of `leases` lasts. */
  readonly leaseMs?: number;
  /** For how long a host that others want is kept at least. */
  readonly tenureMs?: number;
  logError(message: string, error: unknown): void;
}

/** How long a host is held without a renewal: whoever renews none for so long is taken for dead. */
export const HOST_LEASE_MS = 6000;
const BEAT_MS = 1000;
const TENURE_MS = 2000;
const IDLE_MS = 200;
/** How often it is looked what is to be given on. */
const TICK_MS = 100;
/** Hosts whose robots.txt was read while another process had them. */
const GAPS_MAX = 10_000;

/** A gate over leases; `close` gives all hosts back, and who waits then gets no place. */
export class LeaseGate implements HostGate {
  private readonly tenures = new Map<string, Tenure>();
  private readonly waits = new Map<string, HostWait>();
  /** Hosts that want no gap any more, which is told to those who ask them next. */
  private readonly withoutGap = new BoundedMap<string, true>(GAPS_MAX);
  private readonly lines: MemoryHostGate;
  private beatenMs: number;
  private beating: Promise<void> | undefined;
  private stopTicking: () => void = () => undefined;
  /** Aborts for all who wait once the process stops: they would take what it has just given on. */
  private readonly closing = new AbortController();
  private readonly options: Required<LeaseGateOptions>;

  constructor(options: LeaseGateOptions) {
    this.options = { beatMs: BEAT_MS, leaseMs: HOST_LEASE_MS, tenureMs: TENURE_MS, ...options };
    this.lines = new MemoryHostGate(options.clock);
    this.beatenMs = options.clock.steadyMs();
    this.tick();
  }

  async take(host: string, limits: HostLimits, signal: AbortSignal, onWait?: () => void): Promise<HostGrant | undefined> {
    const { tenant, isUrgent = false } = limits;
    const wanting = { tenant, isUrgent, sinceMs: this.options.clock.steadyMs() };
    let hasWaited = false;
    const wait = () => {
      if (!hasWaited) onWait?.();
      hasWaited = true;
    };
    for (;;) {
      const tenure = await this.hold(host, wanting, limits.untilMs, signal, wait);
      if (!tenure) return undefined;
      tenure.enter(isUrgent);
      const grant = await this.lines.take(host, limits, AbortSignal.any([signal, tenure.ending.signal]), wait);
      if (grant) return this.placeOf(host, tenure, grant, isUrgent);
      this.leave(host, tenure, isUrgent);
      if (signal.aborted || !tenure.ending.signal.aborted) return undefined;
    }
  }

  async learnGap(host: string, ownGapMs: number): Promise<void> {
    const { leases, clock } = this.options;
    if (!this.tenures.has(host)) {
      if (ownGapMs === 0) return void this.withoutGap.set(host, true);
      // Whoever read the file first has told it already.
      if ((await leases.stateOf(host, clock.steadyMs())).ownGapMs === ownGapMs) return;
    }
    const wanting = { tenant: undefined, isUrgent: false, sinceMs: clock.steadyMs() };
    const tenure = await this.hold(host, wanting, undefined, this.closing.signal, () => undefined);
    if (tenure) await this.lines.learnGap(host, ownGapMs);
  }

  async restOf(host: string): Promise<HostRest> {
    const tenure = this.tenures.get(host);
    if (tenure && !tenure.isGivenOn) return await this.lines.restOf(host);
    // Its row has it once it was given on.
    await tenure?.over.promise;
    const { leases, clock } = this.options;
    return restOf(await leases.stateOf(host, clock.steadyMs()));
  }

  async close(): Promise<void> {
    this.stopTicking();
    this.closing.abort();
    await Promise.allSettled([this.beating, ...[...this.waits.values()].map(({ done }) => done)]);
    // Who holds a place still may be gone, and nobody waits for that.
    for (const { ending } of this.tenures.values()) ending.abort();
    this.giveOn([...this.tenures]);
    await Promise.all([...this.tenures.values()].map(({ over }) => over.promise));
  }

  /** The tenure of a host, once it is this process's; undefined when `signal` aborts or `untilMs` has come before. */
  private async hold(
    host: string,
    wanting: Wanting,
    untilMs: number | undefined,
    signal: AbortSignal,
    onWait: () => void,
  ): Promise<Tenure | undefined> {
    const ended = new AbortController();
    const end = AbortSignal.any([signal, ended.signal, this.closing.signal]);
    const unring = untilMs === undefined ? undefined : this.options.clock.alarm(untilMs, () => ended.abort());
    try {
      while (!end.aborted) {
        const tenure = this.tenures.get(host);
        if (tenure) this.loseIfOver(host, tenure);
        if (tenure && !tenure.ending.signal.aborted) return tenure;
        if (tenure) onWait();
        await this.waitFor(host, wanting, end, onWait);
      }
      return undefined;
    } finally {
      unring?.();
    }
  }

  /** Until the host is had here, or `end` aborts; one wait for all who want it. */
  private async waitFor(host: string, wanting: Wanting, end: AbortSignal, onWait: () => void): Promise<void> {
    const wait = this.waits.get(host) ?? this.begin(host);
    const leave = wait.add(wanting);
    const over = aborted(end);
    try {
      if (!(await Promise.race([wait.first, over]))) onWait();
      await Promise.race([wait.done, over]);
    } finally {
      leave();
    }
  }

  private begin(host: string): HostWait {
    const { leases, clock } = this.options;
    // Who is about to give a host on stands in its line before others hear of it.
    const wait = waitForHost(host, { leases, clock, closing: this.closing.signal, isHeldHere: this.tenures.has(host) });
    const done = this.entered(host, wait).finally(() => this.waits.delete(host));
    // Those who wait hear of it, if there are any.
    done.catch(() => undefined);
    const begun = { ...wait, done };
    this.waits.set(host, begun);
    return begun;
  }

  /** Begins the tenure once the lease is had. */
  private async entered(host: string, wait: HostWait): Promise<Lease | undefined> {
    const lease = await wait.done;
    if (!lease) return undefined;
    const state = this.withoutGap.delete(host) ? { ...lease.state, ownGapMs: 0 } : lease.state;
    const open = this.lines.restore(host, state, lease.turns);
    this.tenures.set(host, new Tenure(this.options.clock.steadyMs(), lease.isShared));
    // Those who have waited come one behind another, in an order that says nothing.
    if (await wait.first) open();
    else setImmediate(open);
    return lease;
  }

  /** A process that was stopped, or cut off from the database, has what it held no longer. */
  private loseIfOver(host: string, tenure: Tenure): void {
    const { clock, leaseMs } = this.options;
    if (clock.steadyMs() - tenure.keptMs < leaseMs) return;
    tenure.isLost = true;
    tenure.ending.abort();
    this.giveOnWhatIsEmpty([[host, tenure]]);
  }

  private placeOf(host: string, tenure: Tenure, grant: HostGrant, isUrgent: boolean): HostGrant {
    let isHeld = true;
    tenure.serve();
    const back = async (give: () => Promise<void>) => {
      await give();
      if (!isHeld) return;
      isHeld = false;
      this.leave(host, tenure, isUrgent);
    };
    return {
      end: (answer: HostAnswer) => back(() => grant.end(answer)),
      giveBack: () => back(() => grant.giveBack()),
    };
  }

  private leave(host: string, tenure: Tenure, isUrgent: boolean): void {
    tenure.leave(isUrgent, this.options.clock.steadyMs());
    if (this.tenures.get(host) === tenure) this.giveOnWhatIsEmpty([[host, tenure]]);
  }

  /** Gives those on whose time is over and of which nobody here has anything. */
  private giveOnWhatIsEmpty(tenures: readonly (readonly [string, Tenure])[]): void {
    this.giveOn(tenures.filter(([, { ending, isEmpty }]) => ending.signal.aborted && isEmpty));
  }

  private giveOn(tenures: readonly (readonly [string, Tenure])[]): void {
    const given = tenures.filter(([, { isGivenOn }]) => !isGivenOn);
    if (given.length === 0) return;
    const { leases, clock, logError } = this.options;
    const held = given.flatMap(([host, { isLost }]) => (isLost ? [] : [this.remembered(host)]));
    for (const [host, tenure] of given) {
      tenure.isGivenOn = true;
      this.lines.forget(host);
    }
    const released = held.length > 0 ? leases.release(held, clock.steadyMs()) : Promise.resolve();
    void released
      .catch((error: unknown) => logError(`${held.map(({ host }) => host).join(', ')} could not be given back`, error))
      .then(() => {
        for (const [host, tenure] of given) {
          if (this.tenures.get(host) === tenure) this.tenures.delete(host);
          tenure.over.resolve();
          this.waits.get(host)?.look();
        }
      });
  }

  private remembered(host: string): HeldHost {
    return { host, state: this.lines.stateOf(host), turns: this.lines.turnsOf(host) };
  }

  /** Looks from time to time what is to be renewed and given on. */
  private tick(): void {
    const { clock, beatMs } = this.options;
    this.stopTicking = clock.alarm(clock.steadyMs() + Math.min(TICK_MS, beatMs), () => {
      if (this.closing.signal.aborted) return;
      this.tick();
      if (clock.steadyMs() - this.beatenMs >= beatMs) this.beating ??= this.beat().finally(() => (this.beating = undefined));
      else this.endTenures();
    });
  }

  /** Renews what is held, and hears what others want. */
  private async beat(): Promise<void> {
    const { leases, clock, logError } = this.options;
    const held = [...this.tenures];
    const askedMs = clock.steadyMs();
    this.beatenMs = askedMs;
    try {
      if (held.length === 0) return;
      const kept = await leases.renew(
        held.map(([host]) => this.remembered(host)),
        askedMs,
      );
      for (const [host, tenure] of held) {
        const lease = kept.get(host);
        if (lease) [tenure.keptMs, tenure.kept] = [askedMs, lease];
        else tenure.isLost = true;
      }
      this.endTenures();
    } catch (error) {
      logError('the hosts that are asked here could not be kept', error);
    }
  }

  private endTenures(): void {
    const { clock, tenureMs } = this.options;
    const nowMs = clock.steadyMs();
    const times = { tenureMs, idleMs: Math.min(IDLE_MS, tenureMs) };
    const tenures = [...this.tenures];
    for (const [, tenure] of tenures) if (tenure.isLost || tenure.isOver(nowMs, times)) tenure.ending.abort();
    this.giveOnWhatIsEmpty(tenures);
  }
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
