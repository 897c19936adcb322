// The lines of many processes: one of them holds a host for seconds, paces it by itself, and gives it on with what it has learnt.
import { MemoryHostGate, restOf } from '@weft/engine';
import type { HostAnswer, HostGate, HostGrant, HostLimits, HostRest, LineClock } from '@weft/engine';
import type { HostLeases } from './host-leases.ts';

/** The time that a process holds a host. */
interface Tenure {
  readonly sinceMs: number;
  /** When it was last renewed. */
  keptMs: number;
  /** Aborts once it is to be given on: nobody here gets a place any more. */
  readonly ending: AbortController;
  /** Resolves when it is over. */
  readonly over: PromiseWithResolvers<void>;
  /** Who stands in line or holds a place. */
  present: number;
  served: number;
  /** Another process has it: what is known here counts no more. */
  isLost: boolean;
  isGivenOn: boolean;
}

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
/** How often one who waits for a host looks whether it is free. */
const LOOK_MS = 200;

/** A gate over leases; `close` gives all hosts back, and who waits then gets no place. */
export class LeaseGate implements HostGate {
  private readonly tenures = new Map<string, Tenure>();
  private readonly acquiring = new Map<string, Promise<Tenure | undefined>>();
  private readonly lines: MemoryHostGate;
  private readonly heart: NodeJS.Timeout;
  private beating: Promise<void> | undefined;
  /** Aborts for all who wait once the process stops: they would take what it has just given on. */
  private readonly closing = new AbortController();
  private readonly options: LeaseGateOptions;

  constructor(options: LeaseGateOptions) {
    this.options = options;
    this.lines = new MemoryHostGate(options.clock);
    this.heart = setInterval(() => {
      this.beating ??= this.beat().finally(() => (this.beating = undefined));
    }, options.beatMs ?? BEAT_MS).unref();
  }

  async take(host: string, limits: HostLimits, signal: AbortSignal, onWait?: () => void): Promise<HostGrant | undefined> {
    let hasWaited = false;
    const wait = () => {
      if (!hasWaited) onWait?.();
      hasWaited = true;
    };
    for (;;) {
      const tenure = await this.hold(host, limits, signal, wait);
      if (!tenure) return undefined;
      tenure.present++;
      const grant = await this.lines.take(host, limits, AbortSignal.any([signal, tenure.ending.signal]), wait);
      if (grant) return this.placeOf(host, tenure, grant);
      this.leave(host, tenure);
      if (signal.aborted || !tenure.ending.signal.aborted) return undefined;
    }
  }

  async learnGap(host: string, ownGapMs: number): Promise<void> {
    const tenure = await this.hold(host, undefined, new AbortController().signal, () => undefined);
    if (tenure) await this.lines.learnGap(host, ownGapMs);
  }

  async restOf(host: string): Promise<HostRest> {
    if (this.tenures.has(host)) return await this.lines.restOf(host);
    const { leases, clock } = this.options;
    return restOf(await leases.stateOf(host, clock.steadyMs()));
  }

  async close(): Promise<void> {
    clearInterval(this.heart);
    this.closing.abort();
    await Promise.allSettled([this.beating, ...this.acquiring.values()]);
    // Who holds a place still may be gone, and nobody waits for that.
    for (const [host, tenure] of this.tenures) {
      tenure.ending.abort();
      this.giveOn(host, tenure);
    }
    await Promise.all([...this.tenures.values()].map(({ over }) => over.promise));
  }

  /** The tenure of a host, once it is this process's; undefined when `signal` aborts or the time of `limits` is over before. */
  private async hold(host: string, limits: HostLimits | undefined, signal: AbortSignal, wait: () => void): Promise<Tenure | undefined> {
    const { clock } = this.options;
    const ended = new AbortController();
    const end = AbortSignal.any([signal, ended.signal, this.closing.signal]);
    const unring = limits?.untilMs === undefined ? undefined : clock.alarm(limits.untilMs, () => ended.abort());
    try {
      while (!end.aborted) {
        const tenure = this.tenures.get(host);
        if (tenure) this.loseIfOver(host, tenure);
        if (tenure && !tenure.ending.signal.aborted) return tenure;
        if (tenure) {
          wait();
          await Promise.race([tenure.over.promise, aborted(end)]);
        } else if (!(await this.acquire(host))) {
          wait();
          await clock.sleepUntil(clock.steadyMs() + LOOK_MS, end);
        }
      }
      return undefined;
    } finally {
      unring?.();
    }
  }

  /** A process that was stopped, or cut off from the database, has what it held no longer. */
  private loseIfOver(host: string, tenure: Tenure): void {
    const { clock, leaseMs = HOST_LEASE_MS } = this.options;
    if (clock.steadyMs() - tenure.keptMs < leaseMs) return;
    tenure.isLost = true;
    tenure.ending.abort();
    this.endWhenEmpty(host);
  }

  /** One look at a time for all who want a host. */
  private acquire(host: string): Promise<Tenure | undefined> {
    const under = this.acquiring.get(host);
    if (under) return under;
    const { leases, clock } = this.options;
    const askedMs = clock.steadyMs();
    const looking = leases
      .acquire(host, askedMs)
      .then((state) => {
        if (!state) return undefined;
        this.lines.restore(host, state);
        const tenure: Tenure = {
          sinceMs: askedMs,
          keptMs: askedMs,
          ending: new AbortController(),
          over: Promise.withResolvers<void>(),
          present: 0,
          served: 0,
          isLost: false,
          isGivenOn: false,
        };
        this.tenures.set(host, tenure);
        return tenure;
      })
      .finally(() => this.acquiring.delete(host));
    this.acquiring.set(host, looking);
    return looking;
  }

  private placeOf(host: string, tenure: Tenure, grant: HostGrant): HostGrant {
    let isHeld = true;
    const back = async (give: () => Promise<void>) => {
      await give();
      if (!isHeld) return;
      isHeld = false;
      this.leave(host, tenure);
    };
    return {
      end: (answer: HostAnswer) => {
        tenure.served++;
        return back(() => grant.end(answer));
      },
      giveBack: () => back(() => grant.giveBack()),
    };
  }

  private leave(host: string, tenure: Tenure): void {
    tenure.present--;
    if (this.tenures.get(host) === tenure) this.endWhenEmpty(host);
  }

  /** Gives a host on once nobody here has anything of it. */
  private endWhenEmpty(host: string): void {
    const tenure = this.tenures.get(host);
    if (tenure?.ending.signal.aborted && tenure.present === 0) this.giveOn(host, tenure);
  }

  private giveOn(host: string, tenure: Tenure): void {
    if (tenure.isGivenOn) return;
    tenure.isGivenOn = true;
    const { leases, clock, logError } = this.options;
    const state = this.lines.stateOf(host);
    this.lines.forget(host);
    const released = tenure.isLost ? Promise.resolve() : leases.release({ host, state }, clock.steadyMs());
    void released
      .catch((error: unknown) => logError(`${host} could not be given back`, error))
      .then(() => {
        this.tenures.delete(host);
        tenure.over.resolve();
      });
  }

  /** Renews what is held, gives on what others want, and what nobody here uses any more. */
  private async beat(): Promise<void> {
    const { leases, clock, logError, tenureMs = TENURE_MS } = this.options;
    const held = [...this.tenures];
    const askedMs = clock.steadyMs();
    try {
      if (held.length === 0) return;
      const kept = await leases.renew(
        held.map(([host]) => ({ host, state: this.lines.stateOf(host) })),
        askedMs,
      );
      for (const [host, tenure] of held) {
        const lease = kept.get(host);
        if (lease) tenure.keptMs = askedMs;
        else tenure.isLost = true;
        const isLong = clock.steadyMs() - tenure.sinceMs >= tenureMs;
        const isDone = tenure.present === 0 || (lease?.isWanted === true && tenure.served > 0);
        if (!lease || (isLong && isDone)) tenure.ending.abort();
        if (this.tenures.get(host) === tenure) this.endWhenEmpty(host);
      }
    } catch (error) {
      logError('the hosts that are asked here could not be kept', error);
    }
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
