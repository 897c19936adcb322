// Hears of what has happened, one cause after another in their order, and sets automations off.
import { hear } from './hear.ts';
import type { HearingPorts, WaitingCause } from './ports.ts';

/** Hears until it is stopped. */
export interface HearingLoop {
  /** Looks for causes; call after one was written. Never throws. */
  wake(): void;
  /** Takes no more. */
  stop(): Promise<void>;
}

/** A cause that could not be heard is put off so long, then twice as long each time, up to an hour. */
const FAULT_MS = 2_000;
const FAULT_MS_MAX = 3_600_000;
/** Clocks are set, and machines sleep: the time of day is looked at so often. */
const LOOK_MS_MAX = 60_000;

/** A loop over `ports`; it begins with the first `wake`. */
export function createHearingLoop(ports: HearingPorts): HearingLoop {
  return new Loop(ports);
}

class Loop implements HearingLoop {
  private readonly ports: HearingPorts;
  private isStopped = false;
  private isWoken = false;
  private looking: Promise<void> | undefined;
  private cancelAlarm = () => {};

  constructor(ports: HearingPorts) {
    this.ports = ports;
  }

  wake(): void {
    this.isWoken = true;
    if (this.isStopped || this.looking) return;
    this.looking = this.look().finally(() => {
      this.looking = undefined;
      if (this.isWoken) this.wake();
    });
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.cancelAlarm();
    await this.looking;
  }

  private async look(): Promise<void> {
    const { store, clock, logError } = this.ports;
    this.isWoken = false;
    this.cancelAlarm();
    try {
      for (let next = await store.next(clock.now()); next && !this.isStopped; next = await store.next(clock.now()))
        await this.hearOne(next);
      const nextMs = await store.nextMs();
      if (nextMs !== undefined) this.setAlarm(nextMs);
    } catch (error) {
      logError('what automations are to hear could not be read', error);
      this.setAlarm(clock.now() + FAULT_MS);
    }
  }

  private async hearOne(waiting: WaitingCause): Promise<void> {
    const { store, clock, logError, wakeRuns } = this.ports;
    try {
      const hearing = hear(waiting.cause, waiting.listeners);
      const isSettled = await store.settle(waiting, hearing);
      if (isSettled && hearing.firings.length > 0) wakeRuns();
    } catch (error) {
      logError(`cause ${waiting.id} of automations could not be heard`, error);
      await store.putOff(waiting.id, clock.now() + Math.min(FAULT_MS_MAX, FAULT_MS * 2 ** Math.min(waiting.faults, 20)));
    }
  }

  private setAlarm(atMs: number): void {
    const { clock } = this.ports;
    this.cancelAlarm();
    if (this.isStopped) return;
    this.cancelAlarm = clock.alarm(clock.steadyMs() + Math.min(LOOK_MS_MAX, Math.max(0, atMs - clock.now())), () => this.wake());
  }
}
