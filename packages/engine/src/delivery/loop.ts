// Sends what is due: one delivery of a channel at a time, and each channel by itself.
import type { CrawlClock } from '../crawl/crawl-ports.ts';
import { attemptDelivery } from './attempt.ts';
import type { DeliveryChannel } from './delivery.ts';
import type { ChannelRest, DeliveryPorts } from './ports.ts';
import { quietUntilMs } from './quiet.ts';
import { decideSettlement } from './verdict.ts';

/** Sends until it is stopped. */
export interface DeliveryLoop {
  /** Looks for what is due; call after something was queued, enabled or unlocked. Never throws. */
  wake(): void;
  /** Takes no more, and ends what is under way: that is sent again by the next loop. */
  stop(): Promise<void>;
}

/** Channels that are sent to at once. Those that answer nothing rest longer and longer, so that they hold few of these places. */
const CHANNELS_AT_ONCE = 100;
/** Of a claim: four times what one attempt may take. */
const LEASE_MS = 60_000;
/** Clocks are set, and machines sleep: the time of day is looked at so often. */
const LOOK_MS_MAX = 60_000;
/** How long a store that failed is left alone. */
const FAULT_MS = 2_000;
/** Deliveries of a locked vault are tried again by then, if nobody wakes them. */
const LOCKED_MS = 600_000;

/** A loop over `ports`; it begins with the first `wake`. */
export function createDeliveryLoop(ports: DeliveryPorts): DeliveryLoop {
  return new Loop(ports);
}

class Loop implements DeliveryLoop {
  private readonly ports: DeliveryPorts;
  private readonly stopping = new AbortController();
  private readonly active = new Map<string, Promise<void>>();
  private looking: Promise<void> | undefined;
  private isWoken = false;
  private cancelAlarm = () => {};

  constructor(ports: DeliveryPorts) {
    this.ports = ports;
  }

  wake(): void {
    this.isWoken = true;
    if (this.stopping.signal.aborted || this.looking) return;
    this.looking = this.look().finally(() => {
      this.looking = undefined;
      if (this.isWoken) this.wake();
    });
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.cancelAlarm();
    await this.looking;
    await Promise.all(this.active.values());
  }

  /** Begins what is ready, and sets the alarm for what is not. */
  private async look(): Promise<void> {
    const { store, clock, logError } = this.ports;
    this.isWoken = false;
    this.cancelAlarm();
    try {
      const ready = await store.ready(clock.now(), CHANNELS_AT_ONCE);
      for (const id of ready) if (!this.active.has(id) && this.active.size < CHANNELS_AT_ONCE) this.begin(id);
      const nextMs = await store.nextReadyMs();
      if (nextMs === undefined) return;
      // What was begun wakes the loop at its end; what became ready while this looked is looked for again.
      if (ready.length > 0) this.setAlarm(Math.max(nextMs, clock.now() + FAULT_MS));
      else if (nextMs > clock.now()) this.setAlarm(nextMs);
      else this.isWoken = true;
    } catch (error) {
      logError('what is to be delivered could not be read', error);
      this.setAlarm(clock.now() + FAULT_MS);
    }
  }

  private begin(channelId: string): void {
    const done = this.deliverNext(channelId).catch((error: unknown) => {
      this.ports.logError(`a delivery to channel ${channelId} could not be written`, error);
      return false;
    });
    const ended = done.then((hasChanged) => {
      this.active.delete(channelId);
      // Looking again at what is as it was would never end.
      if (hasChanged) this.wake();
      else this.setAlarm(this.ports.clock.now() + FAULT_MS);
    });
    this.active.set(channelId, ended);
  }

  private setAlarm(atMs: number): void {
    this.cancelAlarm();
    if (!this.stopping.signal.aborted) this.cancelAlarm = alarmAt(this.ports.clock, atMs, () => this.wake());
  }

  /** False where nothing has changed. */
  private async deliverNext(channelId: string): Promise<boolean> {
    const { store, clock, random } = this.ports;
    const { signal } = this.stopping;
    const channel = await store.find(channelId);
    if (!channel || signal.aborted) return false;
    const quiet = quietRest(channel, clock.now());
    const secrets = quiet ? undefined : await this.ports.secretsOf(channel);
    if (!secrets) {
      await store.rest(channelId, quiet ?? { untilMs: clock.now() + LOCKED_MS, because: 'vault_locked' });
      return true;
    }
    const claimed = await store.claim(channelId, clock.now(), clock.now() + LEASE_MS);
    if (!claimed) return false;
    const startedMs = clock.steadyMs();
    const attempt = await attemptDelivery(this.ports, channel, claimed, secrets, signal);
    // An attempt that was ended by us says nothing of its receiver.
    if (attempt.outcome === 'failed' && signal.aborted) {
      await store.release(claimed);
      return true;
    }
    const durationMs = clock.steadyMs() - startedMs;
    return await store.settle(claimed, { ...decideSettlement(channel, claimed.attempt, attempt, clock.now(), random()), durationMs });
  }
}

function quietRest({ policy }: DeliveryChannel, nowMs: number): ChannelRest | undefined {
  const untilMs = quietUntilMs(policy.quiet, nowMs);
  return untilMs === undefined ? undefined : { untilMs, because: 'quiet_hours' };
}

/** Rings when the time of day `atMs` may have come, a minute from now at the latest. */
function alarmAt(clock: CrawlClock, atMs: number, ring: () => void): () => void {
  return clock.alarm(clock.steadyMs() + Math.min(LOOK_MS_MAX, Math.max(0, atMs - clock.now())), ring);
}
